#include "verify/observation/bounded.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace assay::verify {
namespace {

using core::Value;

Value list_of(core::Values items) {
  return Value(core::make_list(core::any_type(), std::move(items)));
}

bool accepted(const Value& value) {
  try {
    check_bounded(value, "a test");
    return true;
  } catch (const base::Error& e) {
    EXPECT_EQ(e.kind(), base::ErrorKind::unsupported);
    EXPECT_NE(e.message().find("a test "), std::string::npos) << e.message();
    return false;
  }
}

TEST(Bounded, DepthIsBoundedInEveryContainer) {
  auto nested = [](int depth, auto wrap) {
    Value value(1);
    for (int i = 0; i < depth; ++i) value = wrap(value);
    return value;
  };
  auto in_dict = [](const Value& value) {
    auto dict = core::make_dict(core::any_type(), core::any_type());
    dict->set("k", value);
    return Value(dict);
  };
  auto type = std::make_shared<core::ClassType>("__torch__.Node");
  type->add_attribute("next", core::any_type());
  auto in_object = [&](const Value& value) {
    auto object = base::make_ref<core::Object>(type);
    object->slots[0] = value;
    return Value(object);
  };
  auto in_list = [](const Value& value) { return list_of({value}); };
  auto in_tuple = [](const Value& value) { return Value(core::make_tuple({value})); };
  for (int depth : {1, 500}) {
    EXPECT_TRUE(accepted(nested(depth, in_list)));
    EXPECT_TRUE(accepted(nested(depth, in_object)));
  }
  for (int depth : {501, 200000}) {
    EXPECT_FALSE(accepted(nested(depth, in_list)));
    EXPECT_FALSE(accepted(nested(depth, in_tuple)));
    EXPECT_FALSE(accepted(nested(depth, in_dict)));
    EXPECT_FALSE(accepted(nested(depth, in_object)));
  }
}

TEST(Bounded, WhatHoldsItselfOrUnfoldsWithoutEndIsRefused) {
  Value self = list_of({});
  self.list().items.push_back(self);
  EXPECT_FALSE(accepted(self));
  self.list().items.clear();
  Value doubled(1);
  for (int i = 0; i < 60; ++i) doubled = list_of({doubled, doubled});
  EXPECT_FALSE(accepted(doubled));
}

TEST(Bounded, FuturesAreFollowed) {
  Value doubled(1);
  for (int i = 0; i < 60; ++i) {
    auto future = base::make_ref<core::FutureObject>();
    future->value = list_of({doubled, doubled});
    doubled = Value(future);
  }
  EXPECT_FALSE(accepted(doubled));
}

TEST(Bounded, NamesOfDeepPartsAreBoundedToo) {
  auto unfolding = [](int levels, int deep) {
    Value value(1);
    for (int i = 0; i < levels; ++i) value = list_of({value, value});
    for (int i = 0; i < deep; ++i) value = list_of({value});
    return value;
  };
  EXPECT_TRUE(accepted(unfolding(18, 0)));
  EXPECT_FALSE(accepted(unfolding(18, 400)));  // Half a million parts, of 1200 characters each.
}

}  // namespace
}  // namespace assay::verify
