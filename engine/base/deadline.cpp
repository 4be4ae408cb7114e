#include "engine/base/deadline.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/shared_deadline.h"

namespace assay::base {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Clock::time_point never = Clock::time_point::max();

constinit thread_local Clock::time_point deadline = never;
/// What was allowed, for the message.
constinit thread_local std::chrono::milliseconds allowed{0};

[[noreturn]] void late() {
  fail_for_want_of(Resource::time, "the program took more than ", allowed.count(), " ms");
}

}  // namespace

DeadlineScope::DeadlineScope(std::chrono::milliseconds time)
    : before_(deadline), time_before_(allowed) {
  if (time.count() <= 0) return;
  auto now = Clock::now();
  if (before_ - now <= time) return;
  deadline = now + time;
  allowed = time;
}

DeadlineScope::~DeadlineScope() {
  deadline = before_;
  allowed = time_before_;
}

void check_deadline() {
  if (deadline != never && Clock::now() >= deadline) late();
}

void check_time_for(double steps, double rate) {
  if (deadline == never) return;
  std::chrono::duration<double> left = deadline - Clock::now();
  if (steps > rate * left.count()) late();
}

std::chrono::steady_clock::time_point deadline_of_this_thread() { return deadline; }

}  // namespace assay::base
