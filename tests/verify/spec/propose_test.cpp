#include <gtest/gtest.h>

#include <cstring>

#include "engine/base/error.h"
#include "engine/core/value.h"
#include "verify/cases/point.h"
#include "verify/spec/parser.h"

namespace assay::verify {
namespace {

core::Tensor zeros(core::Dims sizes, core::DType dtype = core::DType::float32) {
  core::Tensor t = core::Tensor::empty(sizes, dtype);
  std::memset(t.device_address(), 0, static_cast<size_t>(t.numel()) * t.item_size());
  return t;
}

std::vector<std::string> lines(const Spec& spec) {
  std::vector<std::string> out;
  for (const SpecPiece& piece : spec_pieces(spec)) out.push_back(piece.flag + " " + piece.text);
  return out;
}

TEST(ProposeSpec, LeadingAndSharedSizesAreLetters) {
  Spec spec = propose_spec({{"ids", zeros({2, 7})}, {"mask", zeros({2, 7})}, {"w", zeros({5, 3})}});
  EXPECT_EQ(lines(spec), (std::vector<std::string>{"input ids: f32[b, t]", "input mask: f32[b, t]",
                                                   "input w: f32[h, 3]", "dim b=1..4",
                                                   "dim h=1..10", "dim t=1..14"}));
}

TEST(ProposeSpec, WholeNumbersKeepTheRangeThatTheExampleHolds) {
  core::Tensor ids = zeros({3}, core::DType::int64);
  ids.data<int64_t>()[0] = 5;
  ids.data<int64_t>()[1] = 9;
  ids.data<int64_t>()[2] = 6;
  EXPECT_EQ(lines(propose_spec({{"ids", ids}}))[0], "input ids: i64[b] in 5..9");
}

TEST(ProposeSpec, FollowsNestingAndScalars) {
  core::Value pair =
      core::make_tuple({zeros({4}), core::Value(3), core::Value(true), core::Value(0.5)});
  EXPECT_EQ(lines(propose_spec({{"p", pair}}))[0], "input p: (f32[b], 3, True, 0.5)");
}

TEST(ProposeSpec, WhatFollowsAnInputThatIsLeftOutIsGivenByKeyword) {
  EXPECT_EQ(propose_spec({{"x", zeros({4})}, {"mask", core::Value()}}).inputs.size(), 1u);
  Spec spec = propose_spec({{"x", zeros({4})}, {"mask", core::Value()}, {"y", zeros({4})}});
  EXPECT_EQ(lines(spec)[1], "input y= f32[b]");
}

TEST(ProposeSpec, ANamedTupleKeepsItsClassAndFields) {
  auto type = core::named_tuple("Batch", {core::tensor_type(), core::int_type()}, {"x", "n"});
  core::Values items{zeros({4}), core::Value(3)};
  core::Value batch = base::make_ref<core::TupleObject>(std::move(items), type);
  EXPECT_EQ(lines(propose_spec({{"b", batch}}))[0], "input b: Batch(x: f32[b], n: 3)");
}

TEST(ProposeSpec, TheExampleLiesInItsOwnSpec) {
  Spec spec = propose_spec({{"x", zeros({1, 6})}, {"y", zeros({6, 1})}});
  Point wanted;
  for (const Dim& dim : spec.dims) wanted.sizes[dim.letter] = dim.letter == "b" ? 1 : 6;
  EXPECT_TRUE(nearest_point(spec, wanted).has_value());
}

}  // namespace
}  // namespace assay::verify
