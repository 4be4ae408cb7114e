#include "verify/compare/compare.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace assay::verify {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <typename T = float>
core::Tensor tensor(std::vector<double> items, core::Dims sizes = {-1}) {
  if (sizes.size() == 1 && sizes[0] == -1) sizes[0] = static_cast<int64_t>(items.size());
  core::Tensor out = core::Tensor::empty(sizes, core::dtype_of<T>);
  for (size_t i = 0; i < items.size(); ++i) out.data<T>()[i] = static_cast<T>(items[i]);
  return out;
}

Observation gave(core::Value outputs) {
  Observation run;
  run.ending = Ending::returned;
  run.outputs = std::move(outputs);
  return run;
}

Observation raised(std::string message) {
  Observation run;
  run.ending = Ending::raised;
  run.failure = Failure{"RuntimeError", std::move(message), "run", {}, {}};
  return run;
}

Comparison of(core::Value subject, core::Value reference, CompareOptions options = {}) {
  return compare(gave(std::move(subject)), gave(std::move(reference)), options);
}

bool agree(core::Value a, core::Value b) { return of(std::move(a), std::move(b)).agrees(); }

Layer headline(const Comparison& comparison) {
  EXPECT_EQ(comparison.verdict, Comparison::Verdict::differ);
  return comparison.headline() ? comparison.headline()->layer : Layer::ending;
}

TEST(Compare, PlacesAreWhereATensorANumberOrAWordIs) {
  core::DictRef inner = core::make_dict(core::string_type(), core::any_type());
  inner->set(core::Value(std::string("k")), core::Value(1.5));
  inner->set(core::Value(std::string("empty")), tensor({}));
  core::Value held = core::make_tuple({tensor({1}), inner, core::make_int_list({})});
  Observation run = gave(held);
  std::vector<std::string> expected{"output[0]", "output[1]['k']", "output[1]['empty']"};
  EXPECT_EQ(compare(run, run).places, expected);
}

TEST(Compare, NanEqualsNanOnlyAtTheSamePlace) {
  EXPECT_TRUE(agree(tensor({1, nan, 3}), tensor({1, nan, 3})));
  EXPECT_FALSE(agree(tensor({nan, 1, 3}), tensor({1, nan, 3})));
  EXPECT_FALSE(agree(tensor({nan}), tensor({0})));
  EXPECT_FALSE(agree(tensor({0}), tensor({nan})));
  Comparison c = of(tensor({nan, 2}), tensor({1, 2}));
  EXPECT_TRUE(std::isinf(c.differences[0].values->needed_atol));
}

TEST(Compare, InfinitiesAreComparedBySign) {
  EXPECT_TRUE(agree(tensor({inf, -inf}), tensor({inf, -inf})));
  EXPECT_FALSE(agree(tensor({inf}), tensor({-inf})));
  EXPECT_FALSE(agree(tensor({1e30}), tensor({inf})));
  // An infinity in the reference must not widen the bound of the other elements.
  EXPECT_FALSE(agree(tensor({inf, 1.1}), tensor({inf, 1})));
}

TEST(Compare, NegativeZeroEqualsZero) { EXPECT_TRUE(agree(tensor({-0.0}), tensor({0.0}))); }

TEST(Compare, NegativeNumbersHavePositiveBounds) {
  EXPECT_TRUE(agree(tensor({-1.0000001}), tensor({-1})));
  EXPECT_FALSE(agree(tensor({-1.01}), tensor({-1})));
}

TEST(Compare, WholeNumbersAndBoolsAreExact) {
  EXPECT_FALSE(agree(tensor<int64_t>({1}), tensor<int64_t>({2})));
  EXPECT_FALSE(agree(tensor<core::Bool>({1}), tensor<core::Bool>({0})));
  core::Tensor a = core::Tensor::empty(core::Dims{1}, core::DType::int64), b = a;
  b = core::Tensor::empty(core::Dims{1}, core::DType::int64);
  a.data<int64_t>()[0] = INT64_MAX;
  b.data<int64_t>()[0] = INT64_MAX - 1;  // Doubles of both are equal.
  Comparison c = of(a, b);
  EXPECT_EQ(headline(c), Layer::values);
  EXPECT_NE(c.differences[0].subject.find("9223372036854775807"), std::string::npos);
  b.data<int64_t>()[0] = INT64_MIN;
  EXPECT_FALSE(agree(a, b));
}

TEST(Compare, EmptyAndScalarTensors) {
  Comparison empty = of(tensor({}, {0, 3}), tensor({}, {0, 3}));
  EXPECT_TRUE(empty.agrees());
  EXPECT_EQ(empty.elements(), 0);  // A run of such cases only is not a pass.
  EXPECT_EQ(headline(of(tensor({}, {0, 3}), tensor({}, {0, 4}))), Layer::shape);
  EXPECT_TRUE(agree(tensor({5}, {}), tensor({5}, {})));
  EXPECT_EQ(headline(of(tensor({5}, {}), tensor({5}, {1}))), Layer::shape);
}

TEST(Compare, NothingComparedIsNotAPass) {
  EXPECT_EQ(of(core::Value(), core::Value()).verdict, Comparison::Verdict::nothing);
  EXPECT_EQ(of(core::make_tuple({}), core::make_tuple({})).verdict, Comparison::Verdict::nothing);
  Observation never;
  EXPECT_EQ(compare(never, gave(tensor({1}))).verdict, Comparison::Verdict::nothing);
  Observation dead;
  dead.ending = Ending::died;
  EXPECT_EQ(compare(gave(tensor({1})), dead).verdict, Comparison::Verdict::nothing);
}

TEST(Compare, TheFirstDifferingLayerIsTheHeadline) {
  Comparison c = of(tensor<double>({1, 2}), tensor<float>({1, 3}));
  EXPECT_EQ(headline(c), Layer::dtype);
  EXPECT_EQ(c.differences.back().layer, Layer::values);
  EXPECT_EQ(c.differences.size(), 2u);
  core::Value pair = core::make_tuple({tensor({1}), tensor({2})});
  core::Value one = core::make_tuple({tensor({1})});
  EXPECT_EQ(headline(of(one, pair)), Layer::structure);
  EXPECT_EQ(headline(of(core::Value(2), tensor({2}))), Layer::structure);
  core::Tensor transposed =
      tensor({1, 2, 3, 4}, {2, 2}).view(core::Dims{2, 2}, core::Dims{1, 2}, 0);
  EXPECT_EQ(headline(of(transposed, tensor({1, 3, 2, 4}, {2, 2}))), Layer::strides);
}

TEST(Compare, KeysAndTheirOrderAreStructure) {
  auto dict = [](std::vector<std::string> keys) {
    core::DictRef out = core::make_dict(core::string_type(), core::tensor_type());
    for (const std::string& key : keys) out->set(key, tensor({1}));
    return core::Value(out);
  };
  EXPECT_TRUE(agree(dict({"a", "b"}), dict({"a", "b"})));
  EXPECT_EQ(headline(of(dict({"b", "a"}), dict({"a", "b"}))), Layer::structure);
  EXPECT_EQ(headline(of(dict({"a"}), dict({"a", "b"}))), Layer::structure);
}

TEST(Compare, EndingsDecideFirst) {
  EXPECT_EQ(compare(raised("x"), raised("y")).verdict, Comparison::Verdict::rejected);
  Comparison loud = compare(raised("size\nmore"), gave(tensor({1})));
  EXPECT_EQ(headline(loud), Layer::ending);
  EXPECT_EQ(loud.differences[0].subject, "raised RuntimeError: size");
  EXPECT_EQ(headline(compare(gave(tensor({1})), raised("x"))), Layer::ending);
}

TEST(Compare, SharingAndInputsAndStateAreLayers) {
  Observation a = gave(core::make_tuple({tensor({1}), tensor({1})})), b = a;
  a.aliases = {{"output[0]", "output[1]"}};
  EXPECT_EQ(headline(compare(a, b)), Layer::aliasing);
  a.aliases.clear();
  a.inputs_changed = true;
  a.args_after = {tensor({5})};
  b.args_after = {tensor({4})};
  EXPECT_EQ(headline(compare(a, b)), Layer::inputs);
  a.args_after = b.args_after;
  EXPECT_TRUE(compare(a, b).agrees());
  a.state = {{"bn.mean", StateChange::Kind::buffer, false, tensor({1})}};
  EXPECT_EQ(headline(compare(a, b)), Layer::state);
  // A wrapper's path ends in the module's own.
  b.state = {{"traced.bn.mean", StateChange::Kind::buffer, false, tensor({1})}};
  EXPECT_EQ(compare(a, b).verdict, Comparison::Verdict::agree);
  b.state = {{"traced.bn.mean", StateChange::Kind::buffer, false, tensor({2})}};
  EXPECT_EQ(headline(compare(a, b)), Layer::state);
  b.state = {{"other_bn.mean", StateChange::Kind::buffer, false, tensor({1})}};
  EXPECT_EQ(headline(compare(a, b)), Layer::state);
  b.state = {{"bn.mean", StateChange::Kind::buffer, false, tensor({1})}};
  EXPECT_TRUE(compare(a, b).agrees());
}

TEST(Compare, AnArgumentWithOtherEntriesSaysWhichMemoryTheyShare) {
  Observation a = gave(tensor({1})), b = a;
  b.inputs_changed = true;
  b.aliases = {{"args[0][1]", "output"}};
  a.args_after = {core::make_tuple({tensor({2})})};
  b.args_after = {core::make_tuple({tensor({2}), tensor({1})})};
  EXPECT_EQ(headline(compare(a, b)), Layer::inputs);
  b.aliases = {{"args[0]", "output"}};
  EXPECT_EQ(headline(compare(a, b)), Layer::aliasing);
}

TEST(Compare, TheUsersTolerancesReplaceTheBound) {
  CompareOptions options;
  options.bounds.atol["*"] = 0.5;
  EXPECT_TRUE(of(tensor({1.4}), tensor({1}), options).agrees());
  EXPECT_FALSE(of(tensor({1.6}), tensor({1}), options).agrees());
  options.bounds.atol = {{"output[1]", 0.5}};
  core::Value s = core::make_tuple({tensor({1}), tensor({1.4})});
  EXPECT_TRUE(of(s, core::make_tuple({tensor({1}), tensor({1})}), options).agrees());
}

TEST(Compare, ErrorStatisticsNameTheWorstElement) {
  Comparison c = of(tensor({1, 2, 3.5, 4}, {2, 2}), tensor({1, 2, 3, 4}, {2, 2}));
  const ValueError& error = *c.differences[0].values;
  EXPECT_EQ(error.compared, 4);
  EXPECT_EQ(error.mismatched, 1);
  EXPECT_EQ(error.worst_index, (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(error.worst_subject, "3.5");
  EXPECT_DOUBLE_EQ(error.max_abs, 0.5);
  EXPECT_DOUBLE_EQ(error.max_rel, 0.5 / 3);
  EXPECT_DOUBLE_EQ(error.needed_atol, 0.5);
  EXPECT_EQ(error.histogram[0], 3);
  EXPECT_EQ(error.histogram[13], 1);  // 0.1 <= 0.5 < 1
}

TEST(Compare, StridedTensorsAreReadByCoordinate) {
  core::Tensor wide = tensor({1, 9, 2, 9, 3, 9, 4, 9}, {2, 4});
  core::Tensor every_other = wide.view(core::Dims{2, 2}, core::Dims{4, 2}, 0);
  CompareOptions options;
  options.strides = false;
  EXPECT_TRUE(of(every_other, tensor({1, 2, 3, 4}, {2, 2}), options).agrees());
}

RC_GTEST_PROP(Compare, AllowingWhatIsNeededMakesThemAgree,
              (std::vector<float> a, std::vector<float> b)) {
  a.resize(std::min(a.size(), b.size()));
  b.resize(a.size());
  RC_PRE(!a.empty());
  std::vector<double> x(a.begin(), a.end()), y(b.begin(), b.end());
  CompareOptions options;
  options.bounds.atol["*"] = 0;
  Comparison strict = of(tensor(x), tensor(y), options);
  RC_ASSERT(strict.agrees() == (a == b));
  if (strict.agrees()) return;
  options.bounds.atol["*"] = strict.differences[0].values->needed_atol;
  RC_ASSERT(of(tensor(x), tensor(y), options).agrees());
}

}  // namespace
}  // namespace assay::verify
