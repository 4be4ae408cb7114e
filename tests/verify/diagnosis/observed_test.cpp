#include "verify/diagnosis/observed.h"

#include <gtest/gtest.h>

#include "tests/support/fake_model.h"

namespace assay::verify::diagnosis {
namespace {

Judgement judged(Observation subject, Observation reference) {
  Judgement out;
  out.comparison = compare(subject, reference, {});
  out.verdict = Judgement::Verdict::violated;
  out.subject = std::move(subject);
  out.reference = std::move(reference);
  return out;
}

/// A judgement whose headline is of one layer.
Judgement at_layer(Layer layer) {
  Judgement out;
  Difference d;
  d.layer = layer;
  out.comparison.verdict = Comparison::Verdict::differ;
  out.comparison.differences = {d};
  return out;
}

FeatureAxis axis(const std::string& kind) {
  FeatureAxis out;
  out.kind = kind;
  return out;
}

TEST(ObservedClass, FollowsTheLayerThatDiffers) {
  const std::pair<Layer, const char*> rows[] = {
      {Layer::structure, "AS115"}, {Layer::strides, "AS112"}, {Layer::aliasing, "AS111"},
      {Layer::device, "AS106"},    {Layer::inputs, "AS110"},  {Layer::state, "AS109"}};
  for (auto [layer, id] : rows) EXPECT_EQ(observed_class(at_layer(layer), axis("dim"), false), id);
  Judgement spurious = at_layer(Layer::inputs);
  spurious.subject.inputs_changed = true;
  EXPECT_EQ(observed_class(spurious, axis("dim"), false), "AS111");
}

TEST(ObservedClass, OfOtherElementsInAnotherLayoutIsTheLayouts) {
  Judgement both = at_layer(Layer::values);
  EXPECT_EQ(observed_class(both, axis(""), false), "AS103");
  Difference strides;
  strides.layer = Layer::strides;
  both.comparison.differences.push_back(strides);
  EXPECT_EQ(observed_class(both, axis(""), false), "AS112");
  EXPECT_EQ(observed_class(both, axis("mode"), false), "AS108");
}

TEST(ObservedClass, ElseTheAxis) {
  Judgement j = at_layer(Layer::shape);
  EXPECT_EQ(observed_class(j, axis("mode"), false), "AS108");
  EXPECT_EQ(observed_class(j, axis("layout"), false), "AS112");
  EXPECT_EQ(observed_class(j, axis("device"), false), "AS106");
  EXPECT_EQ(observed_class(j, axis("option"), false), "AS103");
  EXPECT_EQ(observed_class(j, axis("call"), false), "AS109");
}

TEST(ObservedClass, WhatTheExportAcceptsOrRefuses) {
  EXPECT_EQ(observed_class(judged(testing::gave({1}), testing::raised("no")), axis("dim"), false),
            "AS114");
  EXPECT_EQ(observed_class(judged(testing::raised("no"), testing::gave({1})), axis("dim"), false),
            "AS121");
}

TEST(ObservedClass, WhatNothingSpeaksForIsUnclassifiedAndFails) {
  Judgement j = judged(testing::gave({4}, 2), testing::gave({4}, 1));
  EXPECT_EQ(j.comparison.headline()->layer, Layer::values);
  EXPECT_EQ(observed_class(j, axis("dim"), true), "AS121");
  EXPECT_EQ(observed_class(j, axis("dim"), false),
            "AS103");  // No second export speaks for the graph.
  EXPECT_EQ(observed_class(at_layer(Layer::shape), axis("dim"), true), "AS121");
  for (const char* id : {"AS121", "AS103"}) {
    EXPECT_EQ(find_failure_class(id)->level, Level::fail);
  }
  EXPECT_EQ(find_failure_class("AS118")->level, Level::note);  // Assay's own.
}

}  // namespace
}  // namespace assay::verify::diagnosis
