#include "engine/core/print.h"

#include <gtest/gtest.h>

namespace assay::core {
namespace {

TEST(Print, Numbers) {
  EXPECT_EQ(float_text(3), "3.");
  EXPECT_EQ(float_text(-0.0), "-0.");
  EXPECT_EQ(float_text(0.1), "0.10000000000000001");
  EXPECT_EQ(float_text(1e10), "10000000000");
  EXPECT_EQ(float_text(1e20), "1e+20");
  EXPECT_EQ(complex_text({2, -3}), "2.-3.j");
}

TEST(Print, TensorsInManyForms) {
  auto tensor = [](std::vector<double> items, Dims sizes) {
    Tensor made = Tensor::empty(sizes, DType::float64);
    std::copy(items.begin(), items.end(), made.data<double>());
    return tensor_text(made);
  };
  // Expected texts are what PyTorch prints for float32 tensors of these values.
  auto type = [](std::string sizes) { return "[ CPUDoubleType{" + sizes + "} ]"; };
  EXPECT_EQ(tensor({1e-7, 1}, {2}), " 1.0000e-07  1.0000e+00 " + type("2"));
  EXPECT_EQ(tensor({100.5, 3}, {2}), " 100.5000    3.0000 " + type("2"));
  EXPECT_EQ(tensor({1e10, 3}, {2}), " 1.0000e+10  3.0000e+00 " + type("2"));
  EXPECT_EQ(tensor({-1, 3}, {2}), "-1  3 " + type("2"));
  EXPECT_EQ(tensor({123456789}, {}), "{1.23457e+08}");
  EXPECT_EQ(tensor({}, {0}), type("0"));
  EXPECT_EQ(
      tensor({1, 2, 3, 4, 1, 2, 3, 4e9}, {2, 2, 2}),
      "(1,.,.) =    1  2   3  4  (2,.,.) =    1.0000e+00  2.0000e+00   3.0000e+00  4.0000e+09 " +
          type("2,2,2"));
}

// What PyTorch 1.13 prints for print("a'b", ["x", "y"], {"k": [1.5, 2.0]}, ...).
TEST(Print, ValuesAsTorchScriptShowsThem) {
  auto list = make_list(string_type(), {"x", "y"});
  EXPECT_EQ(display(Value(list)), "[x, y]");
  EXPECT_EQ(repr(Value(list)), "[\"x\", \"y\"]");
  EXPECT_EQ(display(Value(make_tuple({3}))), "(3,)");
  EXPECT_EQ(display(Value(1e10)), "10000000000.");
  EXPECT_EQ(display(Value(-0.0)), "0.");
  EXPECT_EQ(display(Value(true)), "True");
  Tensor counted = Tensor::empty(Dims{3}, DType::float32);
  for (int i = 0; i < 3; ++i) counted.data<float>()[i] = static_cast<float>(i);
  EXPECT_EQ(display(counted), " 0\n 1\n 2\n[ CPUFloatType{3} ]");
  EXPECT_EQ(display(counted.view(DimSpan{}, DimSpan{}, 2)), "2\n[ CPUFloatType{} ]");
}

}  // namespace
}  // namespace assay::core
