#include "reports/lint.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace assay::reports {
namespace {

using verify::lint::Report;
using verify::lint::RuleId;
using verify::lint::Sign;
using verify::lint::Strength;

const std::set<Strength> all{Strength::likely, Strength::possible, Strength::note};

Report sample() {
  Report report;
  report.methods = {"forward"};
  report.steps = 12;
  Sign size;
  size.rule = RuleId::pinned_size;
  size.strength = Strength::likely;
  size.method = "forward";
  size.op = "aten::arange";
  size.role = "end";
  size.literal = "7";
  size.file = "model.py";
  size.line = 8;
  size.function = "forward";
  size.why = "no weight near it has a dimension of 7";
  Sign device = size;
  device.rule = RuleId::pinned_device;
  device.strength = Strength::note;
  device.role = "device";
  device.literal = "'cpu'";
  device.count = 3;
  Sign weight;
  weight.rule = RuleId::broken_weights;
  weight.strength = Strength::likely;
  weight.role = "fc.weight";
  weight.literal = "tensor float32[3]";
  weight.why = "1 of its 3 numbers are NaN, 0 infinite";
  report.signs = {size, device, weight};
  return report;
}

TEST(LintText, IsByLineWithTheHintsBehind) {
  EXPECT_EQ(lint_text(sample(), {Strength::likely}),
            R"(model.py:8 in forward
  likely    AS102 pinned size: 7 in aten::arange (end); no weight near it has a dimension of 7
weights
  likely    broken weights: tensor float32[3] (fc.weight); 1 of its 3 numbers are NaN, 0 infinite

what to do:
  AS102: keep it a tensor: use x.shape[i] itself in place of len(x), int(size) or item() so that tracing records it
  broken weights: find out where the training lost its numbers, and export again

2 likely, 0 possible, 1 note in forward (not shown: --show note). Signs prove nothing: assay check tells what is wrong where.
)");
  std::string text = lint_text(sample(), all);
  EXPECT_NE(text.find("note      AS106 pinned device: 'cpu' in aten::arange (device), 3 times"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("not shown"), std::string::npos) << text;
}

TEST(LintText, SaysSoWhereThereIsNothing) {
  Report none;
  none.methods = {"forward", "encode"};
  EXPECT_EQ(lint_text(none, all),
            "No sign of a fault in 2 methods. Signs prove nothing: assay check tells what is wrong "
            "where.\n");
}

TEST(LintJson, TellsASignWhole) {
  auto document = nlohmann::json::parse(lint_json(sample(), "m.pt", "0.1.0"));
  EXPECT_EQ(document["model"]["path"], "m.pt");
  EXPECT_EQ(document["totals"]["likely"], 2);
  auto sign = document["signs"][0];
  EXPECT_EQ(sign["rule"], "pinned_size");
  EXPECT_EQ(sign["class"], "AS102");
  EXPECT_EQ(sign["strength"], "likely");
  EXPECT_EQ(sign["line"], 8);
  EXPECT_FALSE(sign["hint"].get<std::string>().empty());  // The class's.
}

TEST(LintJson, SurvivesTextThatIsNoUtf8) {
  Report report = sample();
  report.signs[0].file = "\xff\xfe";
  EXPECT_TRUE(nlohmann::json::accept(lint_json(report, "\xff", "0.1.0")));
}

}  // namespace
}  // namespace assay::reports
