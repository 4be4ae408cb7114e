#include "engine/ir/constant.h"

#include <gtest/gtest.h>

namespace assay::ir {
namespace {

using core::Value;

Value list_of(core::Values items) {
  return Value(core::make_list(core::any_type(), std::move(items)));
}

TEST(Constant, HoldsContainersOfWhatCanBeHeld) {
  EXPECT_TRUE(is_constant(list_of({1, Value(core::make_tuple({"a", 2.5}))})));
  EXPECT_FALSE(is_constant(list_of({1, Value(base::make_ref<core::FutureObject>())})));
}

TEST(Constant, WhatItHoldsManyTimesIsLookedAtOnce) {
  Value inner(1), future(base::make_ref<core::FutureObject>());
  for (int i = 0; i < 60; ++i) {
    inner = list_of({inner, inner});
    future = list_of({future, future});
  }
  EXPECT_TRUE(is_constant(inner));
  EXPECT_FALSE(is_constant(future));
}

TEST(Constant, DepthCountsAlongTheLongestWay) {
  Value inner(1);
  for (int i = 0; i < 40; ++i) inner = list_of({inner});
  Value outer = inner;
  for (int i = 0; i < 40; ++i) outer = list_of({outer});
  EXPECT_TRUE(is_constant(inner));
  EXPECT_FALSE(is_constant(list_of({inner, outer})));
  Value self = list_of({});
  self.list().items.push_back(self);
  EXPECT_FALSE(is_constant(self));
  self.list().items.clear();
}

}  // namespace
}  // namespace assay::ir
