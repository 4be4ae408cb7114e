#include "engine/base/deadline.h"

#include <gtest/gtest.h>

#include <thread>

#include "engine/base/error.h"
#include "engine/base/shared_deadline.h"

namespace assay::base {
namespace {

using std::chrono::milliseconds;

TEST(Deadline, is_asked_for_within_its_scope_only) {
  EXPECT_NO_THROW(check_deadline());
  {
    DeadlineScope scope(milliseconds(1));
    std::this_thread::sleep_for(milliseconds(3));
    EXPECT_THROW(check_deadline(), Error);
    std::thread([] { EXPECT_NO_THROW(check_deadline()); }).join();
  }
  EXPECT_NO_THROW(check_deadline());
}

TEST(Deadline, the_nearest_holds) {
  DeadlineScope outer(milliseconds(1));
  DeadlineScope inner(std::chrono::hours(1));
  std::this_thread::sleep_for(milliseconds(3));
  EXPECT_THROW(check_deadline(), Error);
}

TEST(Deadline, work_that_cannot_be_over_in_time_is_refused) {
  EXPECT_NO_THROW(check_time_for(1e30, 1));
  DeadlineScope scope(std::chrono::hours(1));
  EXPECT_NO_THROW(check_time_for(100, 1));
  EXPECT_THROW(check_time_for(10000, 1), Error);
}

TEST(Deadline, a_loop_ends) {
  DeadlineScope scope(milliseconds(2));
  DeadlineTicker deadline;
  EXPECT_THROW(while (true) deadline.tick(), Error);
}

TEST(SharedDeadline, ends_the_loops_of_other_threads) {
  DeadlineScope scope(milliseconds(2));
  SharedDeadline deadline;
  std::thread([&] {
    SharedDeadline::Ticker ticker(deadline);
    while (!ticker.passed(1000)) continue;
  }).join();
  EXPECT_THROW(deadline.check(), Error);
}

TEST(SharedDeadline, never_passes_where_there_is_none) {
  SharedDeadline deadline;
  SharedDeadline::Ticker ticker(deadline);
  EXPECT_FALSE(ticker.passed(int64_t{1} << 40));
  EXPECT_NO_THROW(deadline.check());
}

}  // namespace
}  // namespace assay::base
