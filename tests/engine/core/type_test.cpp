#include "engine/core/type.h"

#include <gtest/gtest.h>

#include "engine/core/value.h"

namespace assay::core {
namespace {

TEST(Type, PrintsAsGraphsAndAsSource) {
  TypePtr t = list_of(optional_of(tensor_type()));
  EXPECT_EQ(t->str(), "Tensor?[]");
  EXPECT_EQ(t->annotation(), "List[Optional[Tensor]]");
  TypePtr d = dict_of(string_type(), tuple_of({int_type(), float_type()}));
  EXPECT_EQ(d->str(), "Dict(str, (int, float))");
  EXPECT_EQ(d->annotation(), "Dict[str, Tuple[int, float]]");
}

TEST(Type, SubtypingFollowsTorchScript) {
  EXPECT_TRUE(is_subtype(none_type(), optional_of(int_type())));
  EXPECT_TRUE(is_subtype(int_type(), optional_of(int_type())));
  EXPECT_FALSE(is_subtype(optional_of(int_type()), int_type()));
  EXPECT_TRUE(is_subtype(int_type(), number_type()));
  EXPECT_FALSE(is_subtype(int_type(), float_type()));
  // Lists may be written to, so they are invariant.
  EXPECT_FALSE(is_subtype(list_of(int_type()), list_of(any_type())));
  EXPECT_TRUE(is_subtype(tuple_of({int_type()}), tuple_of({optional_of(int_type())})));
  TypePtr point = named_tuple("Point", {int_type(), int_type()}, {"x", "y"});
  EXPECT_TRUE(is_subtype(point, tuple_of({int_type(), int_type()})));
  EXPECT_FALSE(is_subtype(tuple_of({int_type(), int_type()}), point));
}

TEST(Type, UnionsAreFlatAndLeast) {
  EXPECT_EQ(union_of({int_type(), none_type()})->kind(), TypeKind::optional);
  EXPECT_TRUE(same_type(union_of({int_type(), int_type()}), int_type()));
  TypePtr u = union_of({int_type(), union_of({float_type(), none_type()})});
  EXPECT_EQ(u->contained().size(), 3u);
  EXPECT_TRUE(is_subtype(float_type(), u));
}

TEST(Type, UnifyFindsTheLeastCommonType) {
  EXPECT_TRUE(same_type(*unify(none_type(), int_type()), optional_of(int_type())));
  EXPECT_FALSE(unify(int_type(), string_type()));
  EXPECT_TRUE(
      same_type(*unify(int_type(), string_type(), true), union_of({int_type(), string_type()})));
}

TEST(Value, DictKeepsInsertionOrderAndFindsEqualNumbers) {
  DictRef d = make_dict(string_type(), int_type());
  for (const char* key : {"b", "a", "c"}) d->set(key, 1);
  EXPECT_TRUE(d->erase("a"));
  EXPECT_FALSE(d->erase("a"));
  d->set("a", 2);
  ASSERT_EQ(d->size(), 3u);
  EXPECT_EQ(d->entries()[2].key.to_string(), "a");
  EXPECT_EQ(d->find("c")->to_int(), 1);
  DictRef n = make_dict(float_type(), int_type());
  n->set(1.0, 5);
  ASSERT_NE(n->find(Value(1)), nullptr);  // As in Python, 1 == 1.0.
}

TEST(Value, WrongKindsAreNamed) {
  try {
    Value("text").to_int();
    FAIL() << "a str is no int";
  } catch (const base::Error& e) {
    EXPECT_EQ(e.kind(), base::ErrorKind::input);
    EXPECT_NE(e.message().find("int"), std::string::npos);
    EXPECT_NE(e.message().find("str"), std::string::npos);
  }
}

TEST(Value, InstanceChecksLookInside) {
  Value pair(make_tuple({Value(1), Value("a")}));
  EXPECT_TRUE(is_instance(pair, tuple_of({int_type(), string_type()})));
  EXPECT_FALSE(is_instance(pair, tuple_of({int_type(), int_type()})));
  EXPECT_TRUE(is_instance(Value(), optional_of(int_type())));
  EXPECT_FALSE(is_instance(Value(1.5), union_of({int_type(), string_type()})));
}

}  // namespace
}  // namespace assay::core
