#pragma once

#include <chrono>
#include <cstdint>

namespace assay::base {

/// While it lives, what runs on this thread has to be over by a moment. Scopes nest; the nearest
/// moment holds.
class DeadlineScope {
 public:
  /// From now on; none or less means no bound.
  explicit DeadlineScope(std::chrono::milliseconds time);
  ~DeadlineScope();
  DeadlineScope(const DeadlineScope&) = delete;
  DeadlineScope& operator=(const DeadlineScope&) = delete;

 private:
  std::chrono::steady_clock::time_point before_;
  std::chrono::milliseconds time_before_;
};

/// Input error if this thread's deadline has passed.
void check_deadline();

/// Input error if so many steps of the given rate (per second) cannot be over in time: for work
/// that cannot be interrupted.
void check_time_for(double steps, double rate);

/// Asks for the deadline once in many turns of a loop: one count a turn.
class DeadlineTicker {
 public:
  void tick(int64_t turns = 1) {
    left_ -= turns;
    if (left_ > 0) [[likely]]
      return;
    left_ = every;
    check_deadline();
  }

 private:
  static constexpr int64_t every = 1 << 14;
  int64_t left_ = every;
};

}  // namespace assay::base
