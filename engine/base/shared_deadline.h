#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "engine/base/deadline.h"

namespace assay::base {

/// When this thread's work has to be over (DeadlineScope); the end of time where nothing bounds it.
std::chrono::steady_clock::time_point deadline_of_this_thread();

/// The deadline of the thread that makes it, for the threads of a parallel loop: they have none of
/// their own, and no error may leave such a loop.
class SharedDeadline {
 public:
  /// Input error if a thread found that it has passed: what the loop computed is not complete.
  void check() const {
    if (late_) check_deadline();
  }

  /// The steps of one thread.
  class Ticker {
   public:
    explicit Ticker(SharedDeadline& deadline) : deadline_(deadline) {}
    /// Counts so many steps more. True once the deadline has passed: then the thread leaves out
    /// what is left. Reads the clock once in many steps.
    bool passed(int64_t steps) {
      left_ -= steps;
      if (left_ > 0) [[likely]]
        return false;
      if (deadline_.passed()) return true;
      left_ = every;
      return false;
    }

   private:
    static constexpr int64_t every = 1 << 14;
    SharedDeadline& deadline_;
    int64_t left_ = every;
  };

 private:
  bool passed() {
    if (std::chrono::steady_clock::now() >= moment_) late_ = true;
    return late_;
  }

  std::chrono::steady_clock::time_point moment_ = deadline_of_this_thread();
  std::atomic<bool> late_{false};
};

}  // namespace assay::base
