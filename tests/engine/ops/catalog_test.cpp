#include "engine/ops/catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/base/error.h"
#include "engine/ops/argument_names.h"

namespace assay::ops {
namespace {

TEST(Catalog, ArgumentsAreFoundByName) {
  const Operator& conv = get_operator("aten::conv2d");
  EXPECT_EQ(conv.position(arg::input), 0U);
  EXPECT_EQ(conv.position(arg::groups), 6U);
  EXPECT_TRUE(conv.has(arg::bias));
  EXPECT_FALSE(conv.has(arg::transposed));
}

TEST(Catalog, AnArgumentThatAnOperatorLacksIsNamed) {
  try {
    get_operator("aten::relu").position(arg::weight);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::internal);
    EXPECT_NE(error.message().find("aten::relu has no argument 'weight'"), std::string::npos);
  }
}

TEST(Catalog, NamesOfArgumentsAgreeWithTheSchemas) {
  std::set<std::string_view> used;
  for (size_t id = 0; id < catalog_rows().size(); ++id) {
    const Operator& op = operator_of(id);
    ASSERT_EQ(op.argument_names.size(), op.schema.arguments.size()) << op.qualified_name;
    for (size_t i = 0; i < op.argument_names.size(); ++i) {
      EXPECT_EQ(op.argument_names[i].text(), op.schema.arguments[i].name);
      EXPECT_EQ(op.position(op.argument_names[i]), i) << op.qualified_name;
      used.insert(op.argument_names[i].text());
    }
  }
  EXPECT_EQ(used.size(), std::size(argument_name_texts));
}

}  // namespace
}  // namespace assay::ops
