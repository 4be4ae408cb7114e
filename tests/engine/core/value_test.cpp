#include "engine/core/value.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "engine/core/print.h"

namespace assay::core {
namespace {

TEST(Value, AccessorsNameBothKinds) {
  try {
    Value("text").to_int();
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_EQ(e.message(), "expected a value of type int but found str");
  }
}

TEST(Value, IdentitiesOfNumbersGoAlongWithCopiesAndMeanNothingElse) {
  static_assert(sizeof(Value) == 16);
  Value size = Value(3).with_identity(7);
  Value copy = size, other;
  other = std::move(copy);
  EXPECT_EQ(other.identity(), 7u);
  EXPECT_EQ(core::make_list(core::int_type(), {other})->items[0].identity(), 7u);
  EXPECT_TRUE(size.equals(Value(3)) && size.same(Value(3)));
  EXPECT_EQ(Value(3).identity(), 0u);
  other = Value(4);
  EXPECT_EQ(other.identity(), 0u);
}

TEST(Value, CountsInPlaceAndAsAnotherNumberThanItWas) {
  Value count = Value(3).with_identity(7);
  EXPECT_EQ(count.count_up(), 4);
  EXPECT_EQ(count.to_int(), 4);
  EXPECT_EQ(count.identity(), 0u);
  Value no_int = 3.0;
  EXPECT_THROW(no_int.count_up(), base::Error);
}

TEST(Value, NumbersAreEqualAcrossKindsAsInPython) {
  EXPECT_TRUE(Value(1).equals(Value(1.0)));
  EXPECT_TRUE(Value(true).equals(Value(1)));
  EXPECT_TRUE(Value(Complex128(2, 0)).equals(Value(2)));
  EXPECT_FALSE(Value(1).equals(Value("1")));
  EXPECT_FALSE(Value(std::numeric_limits<double>::quiet_NaN())
                   .equals(Value(std::numeric_limits<double>::quiet_NaN())));
}

TEST(Value, IdentityTellsContainersApart) {
  Value a(make_int_list(std::vector<int64_t>{1})), b(make_int_list(std::vector<int64_t>{1}));
  EXPECT_TRUE(a.equals(b));
  EXPECT_FALSE(a.same(b));
  EXPECT_TRUE(a.same(Value(a)));
  // Tuples have no identity of their own; what they hold has.
  EXPECT_TRUE(Value(make_tuple({a, 1})).same(Value(make_tuple({a, 1}))));
  EXPECT_FALSE(Value(make_tuple({a, 1})).same(Value(make_tuple({b, 1}))));
}

/// `levels` containers around one number, each of which holds the last one twice.
template <typename Wrap>
Value unfolding(int levels, int64_t innermost, Wrap wrap) {
  Value value(innermost);
  for (int i = 0; i < levels; ++i) value = wrap(value);
  return value;
}
Value list_twice(const Value& v) { return make_list(any_type(), {v, v}); }
Value tuple_twice(const Value& v) { return make_tuple({v, v}); }
Value dict_twice(const Value& v) {
  auto dict = make_dict(string_type(), any_type());
  dict->set("a", v);
  dict->set("b", v);
  return dict;
}

TEST(Value, ComparisonTakesNoLongerThanTheValueIsLarge) {
  for (auto wrap : {list_twice, tuple_twice, dict_twice}) {
    EXPECT_TRUE(unfolding(60, 1, wrap).equals(unfolding(60, 1, wrap)));
    EXPECT_FALSE(unfolding(60, 1, wrap).equals(unfolding(60, 2, wrap)));
    EXPECT_FALSE(unfolding(60, 1, wrap).equals(unfolding(59, 1, wrap)));
  }
  EXPECT_TRUE(unfolding(60, 1, tuple_twice).same(unfolding(60, 1, tuple_twice)));
  EXPECT_FALSE(unfolding(60, 1, tuple_twice).same(unfolding(60, 2, tuple_twice)));
  auto dict = make_dict(any_type(), int_type());
  dict->set(unfolding(60, 1, tuple_twice), 1);
  dict->set(unfolding(60, 1, tuple_twice), 2);
  EXPECT_EQ(dict->size(), 1U);
  EXPECT_EQ(dict->find(unfolding(60, 2, tuple_twice)), nullptr);
}

TEST(Value, WhatHoldsItselfIsComparedAsFarAsItDiffers) {
  auto holds_itself = [](int64_t first) {
    ListRef list = make_list(any_type(), {Value(first)});
    list->items.emplace_back(list);
    return list;
  };
  ListRef a = holds_itself(1), b = holds_itself(1), c = holds_itself(2);
  EXPECT_FALSE(Value(a).equals(Value(c)));
  EXPECT_THROW(Value(a).equals(Value(b)), base::Error);
  for (const ListRef& list : {a, b, c}) list->items.clear();
}

TEST(Value, KnowsItsMostPreciseType) {
  EXPECT_EQ(Value(make_tuple({1, "x", Value()})).type()->annotation(), "Tuple[int, str, NoneType]");
  EXPECT_EQ(Value(make_dict(string_type(), int_type())).type()->annotation(), "Dict[str, int]");
  EXPECT_EQ(Value(make_tensor_list({})).type()->annotation(), "List[Tensor]");
}

TEST(Value, InstancesOfOptionalsUnionsAndTuples) {
  TypePtr maybe = optional_of(int_type());
  EXPECT_TRUE(is_instance(Value(), maybe));
  EXPECT_TRUE(is_instance(Value(3), maybe));
  EXPECT_FALSE(is_instance(Value(3.5), maybe));
  TypePtr either = union_of({int_type(), string_type()});
  EXPECT_TRUE(is_instance(Value("x"), either));
  EXPECT_FALSE(is_instance(Value(), either));
  EXPECT_TRUE(is_instance(Value(make_tuple({1, Value()})), tuple_of({int_type(), maybe})));
  EXPECT_FALSE(is_instance(Value(make_tuple({1})), tuple_of({int_type(), maybe})));
}

TEST(DictObject, KeepsTheOrderOfInsertion) {
  auto dict = make_dict(any_type(), any_type());
  dict->set("b", 1);
  dict->set("a", 2);
  dict->set("b", 3);
  EXPECT_EQ(repr(Value(dict)), "annotate(Dict[Any, Any],{\"b\": 3, \"a\": 2})");
  EXPECT_TRUE(dict->erase("b"));
  EXPECT_FALSE(dict->erase("b"));
  EXPECT_EQ(dict->find("a")->to_int(), 2);
  EXPECT_EQ(dict->find("b"), nullptr);
}

TEST(DictObject, EqualNumbersAreOneKey) {
  auto dict = make_dict(any_type(), any_type());
  dict->set(1, "int");
  dict->set(1.0, "float");
  dict->set(true, "bool");
  EXPECT_EQ(dict->size(), 1u);
  EXPECT_EQ(dict->find(1)->to_string(), "bool");
  EXPECT_THROW(dict->set(Value(make_int_list({})), 1), base::Error);
}

TEST(Object, AttributesAreNamedInErrors) {
  auto type = std::make_shared<ClassType>("__torch__.Net");
  type->add_attribute("weight", int_type());
  Object object(type);
  object.set_attribute("weight", 3);
  EXPECT_EQ(object.attribute("weight").to_int(), 3);
  try {
    object.attribute("bias");
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_EQ(e.message(), "'__torch__.Net' object has no attribute 'bias'");
  }
}

/// A list in a list, and so on.
Value nested(int depth) {
  Value inner(make_list(any_type(), {}));
  for (int i = 0; i < depth; ++i) inner = Value(make_list(any_type(), {inner}));
  return inner;
}

TEST(Value, DeepNestingIsRefusedOrHandledEverywhere) {
#ifdef ASSAY_SANITIZED
  constexpr int deep = 200000;  // Frames are several times as large there.
#else
  constexpr int deep = 1000000;
#endif
  Value a = nested(deep), b = nested(deep);
  EXPECT_THROW(a.equals(b), base::Error);
  EXPECT_THROW(repr(a), base::Error);
  EXPECT_THROW(display(a), base::Error);
  EXPECT_TRUE(nested(1000).equals(nested(1000)));
  Value tuple(make_tuple({}));
  for (int i = 0; i < deep; ++i) tuple = Value(make_tuple({tuple}));
  EXPECT_THROW(tuple.type(), base::Error);
  EXPECT_THROW(tuple.same(Value(make_tuple({tuple.tuple().items[0]}))), base::Error);
  EXPECT_THROW(make_dict(any_type(), any_type())->set(tuple, 1), base::Error);
  EXPECT_TRUE(is_instance(tuple, any_type()));
  auto dict = make_dict(any_type(), any_type());
  for (int i = 0; i < deep; ++i) {
    auto outer = make_dict(any_type(), any_type());
    outer->set("k", Value(dict));
    dict = outer;
  }
  EXPECT_THROW(repr(Value(dict)), base::Error);
}

TEST(Value, WhatHoldsItselfIsRefusedWhereItIsWalked) {
  Value list(make_list(any_type(), {}));
  list.list().items.push_back(list);
  EXPECT_THROW(repr(list), base::Error);
  EXPECT_THROW(list.equals(Value(make_list(any_type(), {list}))), base::Error);
  list.list().items.clear();
}

TEST(Value, SharedPartsDoNotMakeTypesOrTextsExplode) {
  Value tuple(make_tuple({std::string(4096, 'a'), 2}));
  for (int i = 0; i < 60; ++i) tuple = Value(make_tuple({tuple, tuple}));
  EXPECT_THROW(tuple.type(), base::Error);
  EXPECT_THROW(repr(tuple), base::Error);
}

}  // namespace
}  // namespace assay::core
