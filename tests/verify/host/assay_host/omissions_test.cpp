#include <gtest/gtest.h>

#include "tests/verify/host/with_torch.h"

namespace assay::verify::host {
namespace {

using Kind = Omission::Kind;

class Omissions : public WithTorch {
 protected:
  void SetUp() override {
    WithTorch::SetUp();
    if (IsSkipped()) return;
    model_ = load("Checked").model.file;
  }
  Observation run(const Tensor& x, std::vector<std::pair<Kind, int>> omitted) {
    CallRequest request = call({x});
    for (auto [kind, line] : omitted) request.omitted.push_back({kind, {model_, line, "forward"}});
    return host().run(request);
  }
  static std::vector<float> numbers(const Observation& seen) {
    if (seen.ending != Ending::returned) return {};
    const Tensor& out = seen.outputs.to_tensor();
    return {out.data<float>(), out.data<float>() + out.numel()};
  }

  std::string model_;
  Tensor two_ = floats({2}), four_ = floats({4});  // 0, 1... The model wants fewer than 3.
};

TEST_F(Omissions, a_check_that_is_left_out_does_not_raise) {
  EXPECT_EQ(run(four_, {}).failure->message, "too many");
  std::vector<float> all{14, 4, 6, 8};
  EXPECT_EQ(numbers(run(four_, {{Kind::check, 229}})), all);
  EXPECT_EQ(numbers(run(four_, {{Kind::check, 230}})), all);  // On any of its lines.
  EXPECT_EQ(run(four_, {}).failure->message, "too many");     // For that one call.
}

TEST_F(Omissions, each_check_is_left_out_by_itself) {
  Tensor large = floats({4}, 100);
  EXPECT_EQ(run(large, {{Kind::check, 231}}).failure->message, "too many");
  EXPECT_EQ(run(large, {{Kind::check, 229}}).failure->type, "AssertionError");
  EXPECT_EQ(numbers(run(large, {{Kind::check, 229}, {Kind::check, 231}})).size(), 4U);
}

TEST_F(Omissions, what_computes_stays) {
  EXPECT_EQ(run(four_, {{Kind::check, 235}}).failure->message, "too many");  // y = x + 1
}

TEST_F(Omissions, writes_to_memory_that_is_handed_out_go_to_a_copy) {
  EXPECT_EQ(numbers(run(two_, {})), (std::vector<float>{14, 4}));
  EXPECT_EQ(numbers(run(two_, {{Kind::write, 236}})), (std::vector<float>{2, 4}));
  EXPECT_EQ(numbers(run(two_, {{Kind::write, 235}})), (std::vector<float>{14, 4}));
  EXPECT_EQ(numbers(run(two_, {})), (std::vector<float>{14, 4}));
}

TEST_F(Omissions, a_question_whether_a_trace_is_made_is_answered_as_in_one) {
  CallRequest request = call({two_});
  request.method = "counted";
  EXPECT_EQ(numbers(host().run(request)), (std::vector<float>{1, 2}));
  request.omitted = {{Kind::question, {model_, 240, "counted"}}};
  EXPECT_EQ(numbers(host().run(request)), (std::vector<float>{0, 1}));
}

TEST_F(Omissions, what_is_assigned_to_an_attribute_is_gone_after_the_call) {
  load("Keeping");
  auto state_after = [&](std::vector<Omission> omitted) {
    CallRequest request = call({two_});
    request.omitted = std::move(omitted);
    Observation seen = host().run(request);
    EXPECT_EQ(numbers(seen), (std::vector<float>{0, 1}));  // It has its effect within the call.
    request.keep = true;
    std::vector<std::string> changed{std::to_string(numbers(host().run(request)).at(0))};
    for (const StateChange& change : seen.state) changed.push_back(change.path);
    return changed;
  };
  Omission level{Kind::state, {model_, 275, "forward"}},
      last{Kind::state, {model_, 276, "forward"}};
  EXPECT_EQ(state_after({}), (std::vector<std::string>{"1.000000", "last", "level"}));
  EXPECT_EQ(state_after({level}), (std::vector<std::string>{"0.000000", "last"}));
  EXPECT_EQ(state_after({last}), (std::vector<std::string>{"1.000000", "level"}));
  EXPECT_EQ(state_after({level, last}), (std::vector<std::string>{"0.000000"}));
}

TEST_F(Omissions, what_is_assigned_as_data_or_registered_is_gone_after_the_call) {
  load("Moving");
  auto state_after = [&](std::vector<Omission> omitted) {
    CallRequest request = call({two_});
    request.omitted = std::move(omitted);
    std::vector<std::string> changed;
    for (const StateChange& change : host().run(request).state) changed.push_back(change.path);
    return changed;
  };
  Omission data{Kind::state, {model_, 322, "forward"}},
      extra{Kind::state, {model_, 323, "forward"}};
  EXPECT_EQ(state_after({}), (std::vector<std::string>{"extra", "level"}));
  EXPECT_EQ(state_after({data}), (std::vector<std::string>{"extra"}));
  EXPECT_EQ(state_after({extra}), (std::vector<std::string>{"level"}));
}

TEST_F(Omissions, a_file_that_is_gone_is_an_error_of_the_call) {
  CallRequest request = call({four_});
  request.omitted = {{Kind::check, {model_, 229, "check"}},
                     {Kind::check, {"/no/such/model.py", 3, "forward"}}};
  EXPECT_EQ(host().run(request).failure->type, "FileNotFoundError");
  EXPECT_EQ(run(four_, {}).failure->message, "too many");  // All checks are where they were.
}

}  // namespace
}  // namespace assay::verify::host
