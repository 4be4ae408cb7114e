#include "engine/optimize/fuse_convolution.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/ir/constant.h"
#include "engine/ir/parser.h"
#include "engine/ir/passes/dce.h"
#include "engine/ir/verify.h"

namespace assay::optimize {

using ir::constant_value;
using ir::Graph;
using ir::Node;
using ir::Value;

namespace {

core::Tensor tensor(const core::Dims& sizes, const std::vector<float>& elements) {
  core::Tensor made = core::Tensor::empty(sizes, core::DType::float32);
  std::copy(elements.begin(), elements.end(), made.device_data<float>());
  return made;
}

/// The graph with constants in the place of the inputs of these names.
std::shared_ptr<Graph> with_constants(const char* text,
                                      const std::map<std::string, core::Tensor>& constants) {
  auto graph = ir::parse(text);
  for (const auto& [name, value] : constants) {
    Node* held = graph->create_constant(core::Value(value));
    held->insert_after(graph->block()->param_node());
    graph->find_value(name)->replace_all_uses(held->output());
  }
  return graph;
}

template <typename T = float>
std::vector<T> elements(const Value* value) {
  core::Tensor t = constant_value(value)->to_tensor();
  return {t.device_data<T>(), t.device_data<T>() + t.numel()};
}

// scale = gamma / sqrt(variance + eps) = {2 / 2, 3 / 1}; the bias is beta - mean * scale.
TEST(FuseConvolution, FoldsNormalizationResidualAndClamp) {
  auto graph = with_constants(
      R"(graph(%x : Tensor, %other : Tensor, %w : Tensor, %g : Tensor, %b : Tensor, %m : Tensor, %v : Tensor):
  %none : NoneType = prim::Constant()
  %no : bool = prim::Constant[value=0]()
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %eps : float = prim::Constant[value=0.]()
  %ones : int[] = prim::ListConstruct(%1, %1)
  %zeros : int[] = prim::ListConstruct(%0, %0)
  %a : Tensor = aten::conv2d(%x, %w, %none, %ones, %zeros, %ones, %1)
  %c : Tensor = aten::batch_norm(%a, %g, %b, %m, %v, %no, %eps, %eps, %no)
  %d : Tensor = aten::add(%c, %other, %1)
  %e : Tensor = aten::relu(%d)
  %f : Tensor = aten::conv2d(%e, %w, %none, %ones, %zeros, %ones, %1)
  %h : Tensor = aten::relu(%f)
  return (%h)
)",
      {{"w", tensor(core::Dims{2, 2, 1, 1}, {1, 2, 3, 4})},
       {"g", tensor(core::Dims{2}, {2, 3})},
       {"b", tensor(core::Dims{2}, {10, 20})},
       {"m", tensor(core::Dims{2}, {1, 2})},
       {"v", tensor(core::Dims{2}, {4, 1})}});
  fuse_convolutions(*graph);
  ir::remove_dead_code(*graph);
  ir::ensure_valid(*graph, "after fusing");
  for (const char* gone : {"aten::conv2d", "aten::batch_norm", "aten::add", "aten::relu"}) {
    EXPECT_TRUE(graph->find_all(gone).empty()) << gone;
  }
  auto fused = graph->find_all("assay::convolution");
  ASSERT_EQ(fused.size(), 2U);
  EXPECT_EQ(elements(fused[0]->input(1)), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(elements<double>(fused[0]->input(11)), (std::vector<double>{1, 3}));
  EXPECT_EQ(elements(fused[0]->input(2)), (std::vector<float>{9, 14}));
  EXPECT_EQ(fused[0]->input(3), graph->find_value("other"));
  EXPECT_EQ(constant_value(fused[0]->input(8))->to_float(), 0.0);
  EXPECT_TRUE(constant_value(fused[0]->input(9))->is_none());
  EXPECT_EQ(elements(fused[1]->input(1)), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_TRUE(constant_value(fused[1]->input(11))->is_none());
  EXPECT_EQ(fused[1]->input(0), fused[0]->output());
}

/// What follows a convolution `%a` of the input `%x`, beside an input `%other`.
std::shared_ptr<Graph> after_convolution(const std::string& text) {
  std::string convolution = R"(graph(%x : Tensor, %other : Tensor, %w : Tensor):
  %none : NoneType = prim::Constant()
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %ones : int[] = prim::ListConstruct(%1, %1)
  %zeros : int[] = prim::ListConstruct(%0, %0)
  %a : Tensor = aten::conv2d(%x, %w, %none, %ones, %zeros, %ones, %1)
)";
  return with_constants((convolution + text).c_str(), {{"w", tensor(core::Dims{1, 1, 1, 1}, {1})}});
}

// The layout of a sum is that of its first summand.
TEST(FuseConvolution, KeepsWhichSummandIsFirst) {
  for (bool first : {false, true}) {
    auto graph = after_convolution(first ? R"(  %b : Tensor = aten::add(%other, %a, %1)
  return (%b)
)"
                                         : R"(  %b : Tensor = aten::add(%a, %other, %1)
  return (%b)
)");
    fuse_convolutions(*graph);
    auto fused = graph->find_all("assay::convolution");
    ASSERT_EQ(fused.size(), 1U);
    EXPECT_EQ(constant_value(fused[0]->input(12))->to_bool(), first);
  }
}

TEST(FuseConvolution, LeavesWhatOthersReadToo) {
  auto graph = after_convolution(R"(  %b : Tensor = aten::relu(%a)
  %c : (Tensor, Tensor) = prim::TupleConstruct(%a, %b)
  return (%c)
)");
  fuse_convolutions(*graph);
  ir::ensure_valid(*graph, "after fusing");
  auto fused = graph->find_all("assay::convolution");
  ASSERT_EQ(fused.size(), 1U);
  EXPECT_TRUE(constant_value(fused[0]->input(8))->is_none());
  EXPECT_EQ(graph->find_all("aten::relu").size(), 1U);
}

}  // namespace
}  // namespace assay::optimize
