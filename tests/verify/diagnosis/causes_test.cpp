#include "verify/diagnosis/causes.h"

#include <gtest/gtest.h>

#include "tests/support/export_pair.h"
#include "verify/spec/parser.h"

namespace assay::verify::diagnosis {
namespace {

using testing::cropped_graph;
using testing::ExportPair;

/// The causes of a repair that exchanges both literals of a subject for a probe's.
class Causes : public ::testing::Test {
 protected:
  std::vector<ProvenCause> of(std::pair<int64_t, int64_t> subject,
                              std::pair<int64_t, int64_t> probe, size_t needed,
                              const std::vector<Escape>& escapes = {}) {
    Spec spec = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..64"}});
    pair_ = std::make_unique<ExportPair>(
        cropped_graph(subject.first, subject.second), cropped_graph(probe.first, probe.second),
        build_case(spec, *nearest_point(spec, Point{{{"n", 9}}, {}, 0})), escapes, escapes);
    ExportDiff view = pair_->view();
    Repair repair;
    repair.places = attribute(view);
    repair.needed = needed;
    repair.how = "by exchange";
    repair.exchange = {pair_->subject, pair_->probe, pair_->alignment(), {}};
    Finding bare;
    bare.property = "parity";
    return causes_of(view, repair, pair_->escapes(), bare);
  }

 private:
  std::unique_ptr<ExportPair> pair_;
};

TEST_F(Causes, ArePlacesThatAreNeededEachWithItsPartOfTheRepair) {
  auto causes = of({3, 10}, {5, 20}, 2);
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[0].finding.cause.line, 4);
  EXPECT_EQ(causes[1].finding.cause.line, 5);
  for (const ProvenCause& cause : causes) {
    EXPECT_EQ(cause.finding.property, "parity");
    EXPECT_EQ(cause.finding.cause.proof, Proof::proven);
    EXPECT_EQ(cause.finding.cause.proof_text, "by exchange");
    EXPECT_EQ(cause.exchange.exchanged.size(), 1u);
  }
  EXPECT_NE(causes[0].exchange.exchanged, causes[1].exchange.exchanged);
}

TEST_F(Causes, OfOneNumberReadTwiceAreOne) {
  auto causes = of({3, 3}, {5, 5}, 2);
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].finding.cause.line, 4);
  EXPECT_EQ(causes[0].exchange.exchanged.size(), 2u);
}

TEST_F(Causes, DoNotNamePlacesThatMayNotBeNeeded) {
  auto causes = of({3, 10}, {5, 20}, 1);
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].exchange.exchanged.size(), 2u);
}

TEST_F(Causes, AreTheLinesAtWhichTheNumbersLeftTheGraph) {
  Escape first{"item", core::Scalar(int64_t{3}), {"elsewhere/m.py", 2, "forward"}};
  Escape then{"item", core::Scalar(int64_t{5}), {"elsewhere/m.py", 2, "forward"}};
  auto causes = of({3, 10}, {5, 10}, 1, {first, then});
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].finding.cause.line, 2);
  EXPECT_EQ(causes[0].finding.evidence.notes,
            std::vector<std::string>{"it takes effect at m.py:4"});
}

}  // namespace
}  // namespace assay::verify::diagnosis
