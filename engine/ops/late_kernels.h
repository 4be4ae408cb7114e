#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <vector>

#include "engine/core/late_work.h"
#include "engine/ops/dispatch.h"

namespace assay::ops {

class DeferredCall;

/// While one lives, the dispatcher leaves kernels of the CPU to it, which run when somebody looks
/// at elements, in the order of their calls, or never: results that nobody holds in the end are not
/// computed. For programs that are run for the calls they make (tracing).
///
/// Nobody notices but by the time. Fast kernels wait, which take the most time and have said before
/// whether they accept the call. What would be noticed does not: calls whose kernels may refuse
/// elements (of other than floating-point tensors: an index), make their results, draw random
/// numbers or write elsewhere than the rule declared, and calls with tensors that others can write
/// to unseen. Before a kernel that does not wait, all that wait run.
class LateKernels final : public core::LateWork {
 public:
  /// None must live yet.
  LateKernels();
  /// As settle(), but for errors.
  ~LateKernels();
  LateKernels(const LateKernels&) = delete;
  LateKernels& operator=(const LateKernels&) = delete;

  /// The one that lives, unless kernels are to run at once; else null.
  static LateKernels* current() { return static_cast<LateKernels*>(current_); }

  /// Runs all that wait, and then, while it lives, kernels as they are called: those that one
  /// kernel calls itself, too, since it reads what they give.
  class AtOnce {
   public:
    explicit AtOnce(LateKernels& late) : late_(late) {
      late_.finish();
      current_ = nullptr;
    }
    ~AtOnce() { current_ = &late_; }
    AtOnce(const AtOnce&) = delete;
    AtOnce& operator=(const AtOnce&) = delete;

   private:
    LateKernels& late_;
  };

  /// Whether the kernel of this call waits from now on; `called` is the operator that was asked
  /// for, `call.op` its functional one. The results have their memory, and nothing in it.
  bool take(const Call& call, const Operator& called, const KernelTable::Choice& choice);
  /// Runs all that wait. Where one fails, what others gave is lost, and all further calls fail
  /// alike.
  void finish() override;
  /// Runs what reaches memory that somebody else holds, and drops the rest.
  void settle();

 private:
  struct Waiting {
    std::unique_ptr<DeferredCall> call;
    void (*run)(Call&);
    bool writes_argument;
  };

  static void run(Waiting& waiting);
  std::vector<bool> needed() const;
  void run_all(const std::vector<bool>* chosen);

  std::vector<Waiting> waiting_;
  size_t bytes_ = 0;  // Of their results.
  std::exception_ptr failure_;
};

}  // namespace assay::ops
