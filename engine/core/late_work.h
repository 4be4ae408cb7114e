#pragma once

namespace assay::core {

/// Work on the CPU's memory that was put off: what it fills is not there yet. Whoever looks at
/// bytes of the host, or writes to them, has it done first; the ways to them (host_access.h,
/// Tensor::data, Storage::version, expose and resize, copies) ask for that themselves, and kernels
/// need not, since the dispatcher did. One at a time puts work off. Like what puts it off, all that
/// may meet its tensors runs on one thread at a time.
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
