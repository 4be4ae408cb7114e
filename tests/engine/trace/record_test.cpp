#include <gtest/gtest.h>

#include "engine/trace/tracer.h"
#include "tests/engine/trace/traced.h"

// The operators that PyTorch 1.13's traces show for these calls.
namespace assay::trace {
namespace {

using testing::Trace;

/// The names of the operators that the graph calls, in order, without constants and lists.
std::vector<std::string> calls(Trace& trace, const core::Value& result) {
  trace.text(result);
  std::vector<std::string> all;
  for (const ir::Node* node : *trace.graph->block()) {
    if (node->kind().space() == "aten") all.emplace_back(node->kind().name());
  }
  return all;
}

TEST(Record, an_image_without_a_batch_gets_one) {
  Trace trace;
  core::Tensor x = trace.input("x", {2, 5}), w = trace.input("w", {3, 2, 3});
  std::vector<std::string> wanted{"unsqueeze", "_convolution", "squeeze"};
  EXPECT_EQ(calls(trace, trace("aten::conv1d", {x, w})), wanted);
}

TEST(Record, padding_by_name_is_another_operator) {
  Trace trace;
  core::Tensor x = trace.input("x", {1, 2, 5}), w = trace.input("w", {3, 2, 3});
  core::Values args{x, w, {}, core::make_int_list(std::vector<int64_t>{1}), "same"};
  std::vector<std::string> wanted{"_convolution_mode"};
  EXPECT_EQ(calls(trace, trace("aten::conv1d.padding", args)), wanted);
}

TEST(Record, a_cell_is_its_parts) {
  Trace trace;
  core::Tensor x = trace.input("x", {1, 2}), h = trace.input("h", {1, 3});
  core::Tensor wi = trace.input("wi", {3, 2}), wh = trace.input("wh", {3, 3});
  std::vector<std::string> wanted{"linear", "linear", "add_", "tanh"};
  EXPECT_EQ(calls(trace, trace("aten::rnn_tanh_cell", {x, h, wi, wh})), wanted);
}

TEST(Record, the_parts_give_what_the_cell_gives) {
  api::Engine plain;
  core::Tensor x = Trace::tensor({1, 2}), h = Trace::tensor({1, 3});
  core::Tensor wi = Trace::tensor({9, 2}), wh = Trace::tensor({9, 3});
  core::Values args{x, h, wi, wh};
  core::Tensor wanted = ops::call(plain.context(), "aten::gru_cell", args).to_tensor();
  Trace trace;
  core::Tensor given = trace("aten::gru_cell", args);
  for (int i = 0; i < 3; ++i) EXPECT_FLOAT_EQ(given.data<float>()[i], wanted.data<float>()[i]);
}

}  // namespace
}  // namespace assay::trace
