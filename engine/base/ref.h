#pragma once

#include <sys/single_threaded.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace assay::base {

/// Base of objects that are shared by counting. The count is atomic once the process has a second
/// thread, and costs less before, as that of std::shared_ptr does. Objects that own each other in
/// long chains are destroyed one after the other, so no chain is too long for the stack.
class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) {}
  RefCounted& operator=(const RefCounted&) { return *this; }
  virtual ~RefCounted() = default;

  void retain() const {
    if (__libc_single_threaded) {
      count_.store(count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    } else {
      count_.fetch_add(1, std::memory_order_relaxed);
    }
  }
  void release() const {
    if (__libc_single_threaded) {
      uint32_t left = count_.load(std::memory_order_relaxed) - 1;
      count_.store(left, std::memory_order_relaxed);
      if (left == 0) destroy();
    } else if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      destroy();
    }
  }
  uint32_t use_count() const { return count_.load(std::memory_order_acquire); }

 private:
  void destroy() const;

  mutable std::atomic<uint32_t> count_{0};
};

/// Shared pointer to a RefCounted object; may be null.
template <typename T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}  // NOLINT: null is a Ref.
  explicit Ref(T* object) : object_(object) {
    if (object_) object_->retain();
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <typename U>
  requires std::is_convertible_v<U*, T*> Ref(const Ref<U>& other)
      : Ref(other.get()) {}  // NOLINT: as pointers convert.
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_) object_->release();
  }

  T* get() const { return object_; }
  /// Gives the object up without releasing it: whoever takes the pointer has to.
  T* detach() { return std::exchange(object_, nullptr); }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }

 private:
  T* object_ = nullptr;
};

template <typename T, typename... Args>
Ref<T> make_ref(Args&&... args) {
  return Ref<T>(new T(std::forward<Args>(args)...));
}

}  // namespace assay::base
