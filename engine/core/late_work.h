#pragma once

namespace assay::core {

/// Work on the CPU's memory that was put off: what it fills is not there yet. Whoever looks at
/// bytes of the host, or writes to them, has it done first. The ways to them ask for that
/// themselves (host_access.h, copy_bytes, Tensor::data, Storage::version, expose and resize);
/// kernels need not, since the dispatcher did. One at a time puts work off, and only where one
/// thread at a time computes, as Python's lock has it.
class LateWork {
 public:
  /// Does what is still to do.
  virtual void finish() = 0;

  static void finish_all() {
    if (current_) [[unlikely]]
      current_->finish();
  }

 protected:
  ~LateWork() = default;
  static inline LateWork* current_ = nullptr;
};

}  // namespace assay::core
