#include "engine/interp/arguments.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ops/schema_parser.h"

namespace assay::interp {
namespace {

using core::Value;

std::optional<Value> convert(const Value& value, const std::string& type) {
  return convert_argument(value, ops::parse_schema_type(type));
}

TEST(Arguments, ConvertAsPythonBindings) {
  EXPECT_TRUE(convert(3, "float")->is_float());
  EXPECT_EQ(convert(true, "int")->to_int(), 1);
  EXPECT_FALSE(convert(2.5, "int"));
  EXPECT_TRUE(convert(1, "bool")->to_bool());
  EXPECT_FALSE(convert("a", "bool"));
  core::Tensor one = core::Tensor::empty(core::Dims{1}, core::DType::float32);
  one.data<float>()[0] = 2.5F;
  EXPECT_EQ(convert(one, "int")->to_int(), 2);
  EXPECT_EQ(convert(one, "float")->to_float(), 2.5);
  EXPECT_TRUE(convert("cpu", "Device")->is_device());
  EXPECT_FALSE(convert(1, "Union(float, str)"));
  EXPECT_TRUE(convert(1, "complex")->is_complex());
  EXPECT_TRUE(convert(nullptr, "Tensor")->is_none());
  EXPECT_FALSE(convert(nullptr, "int"));
  EXPECT_TRUE(convert(nullptr, "int?")->is_none());
  auto pair = core::make_tuple({1, 2});
  Value list = *convert(pair, "float[]");
  EXPECT_EQ(list.list().items[1].to_float(), 2.0);
  EXPECT_TRUE(convert(core::make_list(core::int_type(), {1}), "(int)")->is_tuple());
  EXPECT_FALSE(convert(core::make_tuple({1, "a"}), "int[]"));
  Value nested = core::make_list(core::any_type(), {core::make_list(core::int_type(), {1})});
  EXPECT_TRUE(convert(nested, "int[][]")->list().items[0].is_list());
}

TEST(Arguments, ContainersForAnyTellTheirTypes) {
  Value list = core::make_list(core::any_type(), {1, 2});
  EXPECT_EQ(convert(list, "Any")->type()->str(), "int[]");
  auto dict = core::make_dict(core::any_type(), core::any_type());
  dict->set("a", core::make_list(core::any_type(), {2.5}));
  EXPECT_EQ(convert(dict, "Any")->type()->str(), "Dict(str, float[])");
  EXPECT_EQ(convert(core::make_tuple({list, "x"}), "Any")->type()->str(), "(int[], str)");
}

std::string message_of(const core::Values& args, const Keywords& keywords) {
  ops::Schema schema = ops::parse_schema("forward(Tensor x, int k=3, float[]? l=None) -> Tensor");
  try {
    bind_arguments(schema, args, keywords);
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::input);
    return error.message();
  }
  return "";
}

TEST(Arguments, ErrorsSpeakPyTorchsWords) {
  core::Tensor x = core::Tensor::empty(core::Dims{1}, core::DType::float32);
  EXPECT_EQ(message_of({x}, {}), "");
  EXPECT_EQ(message_of({x}, {{"l", core::make_tuple({1, 2})}}), "");
  std::string declared = "forward(Tensor x, int k=3, float[]? l=None) -> Tensor";
  EXPECT_EQ(message_of({}, {}),
            "forward() is missing value for argument 'x'. Declaration: " + declared);
  EXPECT_EQ(message_of({x, 1, nullptr, 4}, {}),
            "forward() expected at most 3 argument(s) but received 4 argument(s). Declaration: " +
                declared);
  EXPECT_EQ(message_of({x}, {{"z", 1}}),
            "Unknown keyword argument 'z' for operator 'forward'. Schema: " + declared);
  EXPECT_EQ(message_of({x}, {{"x", x}}),
            "Argument 'x' specified both as positional and keyword argument. Schema: " + declared);
  EXPECT_EQ(message_of({3}, {}),
            "forward() Expected a value of type 'Tensor' for argument 'x' but instead found type "
            "'int'.\nPosition: 0\nValue: 3\nDeclaration: " +
                declared);
}

}  // namespace
}  // namespace assay::interp
