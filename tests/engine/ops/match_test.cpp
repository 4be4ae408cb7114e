#include "engine/ops/match.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ops/schema_parser.h"

namespace assay::ops {
namespace {

using core::int_type;
using core::list_of;
using core::tensor_type;

TEST(Match, FillsDefaultsAndKeywords) {
  Schema s = parse_schema("aten::f(Tensor self, int a=3, *, int b=4) -> Tensor");
  auto m = match(s, std::vector<Actual>{{tensor_type()}, {int_type(), "b"}});
  ASSERT_TRUE(m);
  EXPECT_EQ(m->arguments[1], std::nullopt);
  EXPECT_EQ(m->arguments[2], 1u);
  std::string why;
  EXPECT_FALSE(match(s, std::vector<Actual>{{tensor_type()}, {int_type(), "c"}}, &why));
  EXPECT_NE(why.find("c"), std::string::npos);
  EXPECT_FALSE(match(s, std::vector<Actual>{{tensor_type()}, {int_type()}, {int_type()}}));
}

TEST(Match, ConvertsNothing) {
  Schema view = parse_schema("aten::view(Tensor(a) self, int[] size) -> Tensor(a)");
  EXPECT_FALSE(match(view, std::vector<Actual>{{tensor_type()}, {int_type()}, {int_type()}}));
  EXPECT_TRUE(match(view, std::vector<Actual>{{tensor_type()}, {list_of(int_type())}}));
  Schema sized = parse_schema("aten::f(Tensor self, int[2] stride=1) -> Tensor");
  EXPECT_FALSE(match(sized, std::vector<Actual>{{tensor_type()}, {int_type()}}));
  EXPECT_FALSE(match(parse_schema("aten::f(int a) -> int"), std::vector<Actual>{{tensor_type()}}));
}

TEST(Match, BindsTypeVariables) {
  Schema s = parse_schema("aten::append.t(t[](a!) self, t(c -> *) el) -> t[](a!)");
  auto m = match(s, std::vector<Actual>{{list_of(int_type())}, {int_type()}});
  ASSERT_TRUE(m);
  EXPECT_EQ(m->returns[0]->str(), "int[]");
  EXPECT_FALSE(match(s, std::vector<Actual>{{list_of(int_type())}, {core::string_type()}}));
}

TEST(Resolve, ListsCandidatesWithReasons) {
  auto add = resolve("aten::add", std::vector<Actual>{{tensor_type()}, {tensor_type()}});
  EXPECT_EQ(add.op->qualified_name, "aten::add.Tensor");
  try {
    resolve("aten::add", std::vector<Actual>{{core::device_type()}});
    FAIL() << "a device cannot be added";
  } catch (const base::Error& e) {
    EXPECT_NE(e.message().find("aten::add.Tensor"), std::string::npos);
  }
  EXPECT_THROW(resolve("aten::no_such_operator", {}), base::Error);
}

}  // namespace
}  // namespace assay::ops
