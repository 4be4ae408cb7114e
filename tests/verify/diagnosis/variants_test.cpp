#include "verify/diagnosis/variants.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/graph_model.h"
#include "verify/spec/parser.h"

namespace assay::verify::diagnosis {
namespace {

using verify::testing::arange_graph;
using verify::testing::GraphExporter;

struct Made {
  explicit Made(const std::string& kind, const std::string& letter = "") {
    axis.kind = kind;
    axis.letter = letter;
    auto subject =
        exporter.export_at(build_case(spec, {{{"h", 6}, {"w", 8}}, {}, 0}), false).exported;
    Case failing = build_case(spec, {{{"h", 2}, {"w", 3}}, {}, 0});
    auto probe = exporter.export_at(failing, false).exported;
    variants = make_variants({&spec, subject, &exporter, &axis, &failing, std::nullopt}, probe);
  }

  Spec spec = parse_spec({{"input", "x: f32[h, w]"}, {"dim", "h=2..40"}, {"dim", "w=2..40"}});
  GraphExporter exporter{[](const Case& c) { return arange_graph(c.point.sizes.at("h")); }};
  FeatureAxis axis;
  std::vector<Variant> variants;
};

TEST(Variants, OfALetterAreAtOtherSizesOfItAndOnceAtLargeOnesOfAll) {
  Made along("dim", "h");
  ASSERT_EQ(along.variants.size(), 5u);
  std::set<int64_t> heights;
  for (const Variant& v : along.variants) heights.insert(v.at.point.sizes.at("h"));
  EXPECT_EQ(heights.size(), 5u);
  EXPECT_EQ(heights.count(6), 0u) << "that is the subject's own";
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(along.variants[i].at.point.sizes.at("w"), 3) << i;
  const Bindings& last = along.variants[4].at.point.sizes;
  EXPECT_GT(std::min(last.at("h"), last.at("w")), 20);
  EXPECT_NE(last.at("h"), last.at("w"));
}

TEST(Variants, OfValuesKeepTheSizesOfTheFailingCase) {
  Made others("value");
  ASSERT_EQ(others.variants.size(), 4u);
  std::set<uint64_t> seeds;
  for (const Variant& v : others.variants) {
    EXPECT_EQ(v.at.point.sizes, (Bindings{{"h", 2}, {"w", 3}}));
    seeds.insert(v.at.point.seed);
  }
  EXPECT_EQ(seeds.size(), 4u);
}

TEST(Variants, OfOtherAxesAreTheProbeAlone) {
  EXPECT_EQ(Made("dtype").variants.size(), 1u);
  EXPECT_EQ(Made("device").variants.size(), 1u);
}

}  // namespace
}  // namespace assay::verify::diagnosis
