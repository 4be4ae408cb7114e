#pragma once

#include <cstddef>
#include <cstdint>

/// Accounts for the C++ heap, so that limits on memory hold for lists, texts and the scratch memory
/// of kernels, too: a program that links this has its own operator new and delete.
namespace assay::base {

/// Bytes that this thread has taken from the heap, less those that it has given back.
int64_t heap_held();

/// While it lives, this thread is refused (std::bad_alloc) a large block that would bring what it
/// holds to more than `bytes` beyond what it held at the start; 0 means no bound. Small blocks are
/// never refused, since few places expect that: who makes many asks exceeded().
class HeapLimit {
 public:
  explicit HeapLimit(size_t bytes);
  ~HeapLimit();
  HeapLimit(const HeapLimit&) = delete;
  HeapLimit& operator=(const HeapLimit&) = delete;

  /// Whether small blocks together went beyond the innermost limit of this thread.
  static bool exceeded();

 private:
  int64_t before_;
};

}  // namespace assay::base
