#include "fuzz/budget.h"

#include <gtest/gtest.h>

namespace assay::fuzz {
namespace {

class AccountTest : public ::testing::Test {
 protected:
  BudgetTracker account(const Budget& budget) {
    return BudgetTracker(
        budget, [this] { return now_; }, [this] { return interrupted_; });
  }
  double now_ = 100;
  bool interrupted_ = false;
};

TEST_F(AccountTest, NamesWhatEndsTheCampaign) {
  Budget budget;
  budget.max_examples = 2;
  budget.max_seconds = 10;
  budget.max_failures = 3;
  BudgetTracker a = account(budget);
  EXPECT_EQ(a.stopped_by(), "");
  a.add_cases(1);
  EXPECT_EQ(a.stopped_by(), "");
  now_ += 10;
  EXPECT_EQ(a.stopped_by(), "time");
  a.begin_cases();
  a.add_cases(1);
  EXPECT_EQ(a.stopped_by(), "examples");
  for (int k = 0; k < 3; ++k) a.add_failure();
  EXPECT_EQ(a.stopped_by(), "findings");
  interrupted_ = true;
  EXPECT_EQ(a.stopped_by(), "interrupt");
}

TEST_F(AccountTest, BeginsNoCaseThatWouldEndWellAfterTheTime) {
  Budget budget;
  budget.max_seconds = 10;
  BudgetTracker a = account(budget);
  a.begin_cases();
  now_ += 4;
  a.add_cases(1);
  EXPECT_EQ(a.stopped_by(), "");
  a.begin_cases();
  now_ += 1;
  a.add_cases(1);
  EXPECT_EQ(a.stopped_by(), "");  // 5 + 4
  now_ += 2.5;
  EXPECT_EQ(a.stopped_by(), "time");  // 7.5 + 4
}

TEST_F(AccountTest, TellsForHowManyCasesTimeIsLeft) {
  Budget budget;
  BudgetTracker unlimited_time = account(budget);
  EXPECT_TRUE(unlimited_time.has_time_for(1000));
  budget.max_seconds = 10;
  BudgetTracker a = account(budget);
  a.begin_cases();
  now_ += 3;
  a.add_cases(1);
  EXPECT_TRUE(a.has_time_for(2));  // 3 + 6
  EXPECT_FALSE(a.has_time_for(3));
  now_ += 7;
  EXPECT_FALSE(a.has_time_for(0));
}

TEST_F(AccountTest, TheFirstCaseIsBegunHoweverLongItMayTake) {
  Budget budget;
  budget.max_seconds = 10;
  BudgetTracker a = account(budget);
  now_ += 9.9;
  EXPECT_EQ(a.stopped_by(), "");
}

TEST_F(AccountTest, OnceACaseFailsHalfOfTheTimeIsForItsCause) {
  Budget budget;
  budget.max_seconds = 100;
  BudgetTracker a = account(budget);
  a.begin_cases();
  now_ += 1;
  a.add_cases(1);
  now_ += 59;
  EXPECT_EQ(a.stopped_by(), "");
  EXPECT_DOUBLE_EQ(a.seconds_left(), 40);
  a.add_failure();
  EXPECT_EQ(a.stopped_by(), "time");
  EXPECT_DOUBLE_EQ(a.seconds_left(), 0);
  auto stop = a.shrink_stop();  // With 40 of 100 s left.
  now_ += 19;
  EXPECT_FALSE(stop());
  now_ += 1;
  EXPECT_TRUE(stop());
}

TEST_F(AccountTest, FailFastEndsAtTheFirstFailure) {
  Budget budget;
  budget.fail_fast = true;
  BudgetTracker a = account(budget);
  a.add_failure();
  EXPECT_EQ(a.stopped_by(), "findings");
}

TEST_F(AccountTest, EstimatesFromWhicheverLimitComesFirst) {
  Budget budget;
  budget.max_examples = 100;
  BudgetTracker by_cases = account(budget);
  for (int k = 0; k < 20; ++k) by_cases.add_cases(1);
  now_ += 10;  // Half a second a case, 80 left.
  EXPECT_DOUBLE_EQ(by_cases.seconds_left(), 40);
  budget.max_seconds = 25;
  BudgetTracker by_time = account(budget);
  now_ += 5;
  EXPECT_DOUBLE_EQ(by_time.seconds_left(), 20);
}

TEST_F(AccountTest, ShrinkingEndsByItsOwnTimeTheCampaignsAndPatience) {
  Budget budget;
  budget.max_seconds = 100;
  budget.max_shrink_seconds = 5;
  BudgetTracker a = account(budget);
  auto first = a.shrink_stop();
  EXPECT_FALSE(first());
  now_ += 5;
  EXPECT_TRUE(first());
  auto second = a.shrink_stop();
  EXPECT_FALSE(second());
  interrupted_ = true;
  EXPECT_TRUE(second());
  interrupted_ = false;
  now_ += 96;
  EXPECT_TRUE(a.shrink_stop()());
}

}  // namespace
}  // namespace assay::fuzz
