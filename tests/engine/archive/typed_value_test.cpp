#include "engine/archive/typed_value.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace assay::archive {
namespace {

using core::Value;

Value typed_value(const Value& value, const core::TypePtr& type) {
  VisitBudget visits(1000);
  return archive::typed_value(value, type, visits);
}

Value list(core::Values items) {
  return Value(core::make_list(core::any_type(), std::move(items)));
}

Value dict(std::vector<std::pair<Value, Value>> entries) {
  auto made = core::make_dict(core::any_type(), core::any_type());
  for (auto& [key, value] : entries) made->set(key, value);
  return Value(made);
}

TEST(TypedValue, ContainersGetTheTypesParts) {
  auto type =
      core::dict_of(core::string_type(), core::list_of(core::optional_of(core::int_type())));
  Value value = dict({{"a", list({1, Value()})}});
  Value typed = typed_value(value, type);
  EXPECT_EQ(typed.type()->annotation(), "Dict[str, List[Optional[int]]]");
  EXPECT_TRUE(typed.same(value));  // In place.
  EXPECT_EQ(typed.dict().find("a")->type()->annotation(), "List[Optional[int]]");
}

TEST(TypedValue, TuplesAreMadeAnewAndMayGetNames) {
  auto pair =
      core::named_tuple("__torch__.Pair", {core::int_type(), core::float_type()}, {"a", "b"});
  Value typed = typed_value(Value(core::make_tuple({1, 2})), pair);
  EXPECT_EQ(typed.type()->name(), "__torch__.Pair");
  EXPECT_TRUE(typed.tuple().items[1].is_float());  // An int where a float is declared.
  EXPECT_THROW(typed_value(Value(core::make_tuple({1})), pair), base::Error);
}

TEST(TypedValue, NoneStandsForAnUndefinedTensorOnly) {
  EXPECT_TRUE(typed_value(Value(), core::tensor_type()).is_none());
  EXPECT_THROW(typed_value(Value(), core::int_type()), base::Error);
}

TEST(TypedValue, OfAUnionTheFirstMemberThatFits) {
  auto type = core::union_of({core::list_of(core::int_type()), core::list_of(core::string_type())});
  EXPECT_EQ(typed_value(list({"x"}), type).type()->annotation(), "List[str]");
  EXPECT_EQ(typed_value(list({3}), type).type()->annotation(), "List[int]");
  EXPECT_THROW(typed_value(list({2.5}), type), base::Error);
}

TEST(TypedValue, OthersAreRefusedByName) {
  try {
    typed_value(list({1, "x"}), core::list_of(core::int_type()));
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_EQ(e.message(), "expected a value of type int, got str");
  }
  EXPECT_THROW(typed_value(dict({{1, 1}}), core::dict_of(core::string_type(), core::int_type())),
               base::Error);
}

TEST(TypedValue, SharedPartsAreConvertedOnce) {
  Value shared(core::make_tuple({1, 2}));
  core::TypePtr type = core::tuple_of({core::int_type(), core::int_type()});
  for (int i = 0; i < 14; ++i) {
    shared = Value(core::make_tuple({shared, shared}));
    type = core::tuple_of({type, type});
  }
  Value typed = typed_value(shared, type);
  EXPECT_EQ(&typed.tuple().items[0].tuple(), &typed.tuple().items[1].tuple());
}

TEST(TypedValue, ListsThatHoldThemselvesEnd) {
  Value self = list({});
  self.list().items.push_back(self);
  EXPECT_EQ(typed_value(self, core::list_of(core::any_type())).type()->annotation(), "List[Any]");
  self.list().items.clear();
}

TEST(TypedValue, SharedContainersAreNotLookedAtWithoutEnd) {
  VisitBudget visits(10);
  Value shared = list(core::Values(1000, Value(1)));
  auto again = [&] {
    for (int i = 0; i < 10; ++i)
      archive::typed_value(shared, core::list_of(core::int_type()), visits);
  };
  EXPECT_THROW(again(), base::Error);
}

}  // namespace
}  // namespace assay::archive