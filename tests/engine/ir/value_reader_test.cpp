#include "engine/ir/value_reader.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/core/print.h"

namespace assay::ir {
namespace {

Attribute read(const std::string& text, const core::TypePtr& type,
               const std::vector<core::Tensor>& tensors = {}) {
  auto source = std::make_shared<base::Source>();
  source->text = text;
  TextCursor cursor(source);
  TypeReader types({});
  Attribute attribute = ValueReader(cursor, types, tensors).constant(type);
  if (!cursor.at_end()) cursor.fail("more than a value");
  return attribute;
}

RC_GTEST_PROP(ValueReader, NumbersReadBack, (int64_t whole, double real)) {
  RC_ASSERT(std::get<int64_t>(read(core::repr(whole), core::int_type())) == whole);
  double again = std::get<double>(read(core::repr(real), core::float_type()));
  RC_ASSERT(again == real || (std::isnan(again) && std::isnan(real)));
}

RC_GTEST_PROP(ValueReader, TextsReadBack, (const std::string& text)) {
  RC_ASSERT(std::get<std::string>(read(core::repr(core::Value(text)), core::string_type())) ==
            text);
}

TEST(ValueReader, ContainersReadBackWithTheirTypes) {
  auto table = core::make_dict(core::string_type(), core::list_of(core::int_type()));
  table->set("a\n\"", core::Value(core::make_int_list(std::vector<int64_t>{1, -2})));
  core::Value value(core::make_tuple({core::Value(table), core::Value(), true, 2.5}));
  std::string text = core::repr(value);
  core::Value again = std::get<core::Value>(read(text, value.type()));
  EXPECT_TRUE(again.equals(value)) << core::repr(again);
  EXPECT_EQ(again.type()->annotation(), value.type()->annotation());
}

TEST(ValueReader, TensorsComeFromBeside) {
  core::Tensor tensor = core::Tensor::empty(core::Dims{2}, core::DType::float32);
  Attribute read_back = read("<Tensor>", core::tensor_type(), {tensor});
  EXPECT_EQ(std::get<core::Tensor>(read_back).impl(), tensor.impl());
  EXPECT_THROW(read("<Tensor>", core::tensor_type()), base::Error);
}

TEST(ValueReader, RefusesWhatIsNoValueOfTheType) {
  const std::pair<const char*, core::TypePtr> cases[] = {
      {"", core::int_type()},
      {"99999999999999999999", core::int_type()},
      {"\"x", core::string_type()},
      {"[1, 2", core::list_of(core::int_type())},
      {"[1 2]", core::list_of(core::int_type())},
      {"x", core::float_type()},
      {"(1, 2, 3)", core::tuple_of({core::int_type(), core::int_type()})},
      {"{\"a\" 1}", core::dict_of(core::string_type(), core::int_type())},
      {"[<Tensors>]", core::list_of(core::tensor_type())},
  };
  for (const auto& [text, type] : cases) EXPECT_THROW(read(text, type), base::Error) << text;
}

}  // namespace
}  // namespace assay::ir
