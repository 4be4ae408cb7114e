// What assay sees in the corpus' archives without running them. A case's label says at which line
// an archive shows its fault (`sign`); of the cases without such a label most have to be seen, too.
#include "verify/lint/lint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/api/load.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using verify::lint::Strength;

/// The classes whose faults a graph shows by itself: the others need a second export, or a run.
const std::set<std::string> static_classes{"AS101", "AS102", "AS104", "AS105", "AS106"};

struct Case {
  std::string name;
  json expected;
  verify::lint::Report report;

  bool shows(const std::string& class_id, const std::set<int>& lines) const {
    return std::ranges::any_of(report.signs, [&](const verify::lint::Sign& s) {
      return rule_of(s.rule).class_id == class_id && lines.count(s.line) > 0;
    });
  }
};

/// A fault of a case: the label, and the lines that it may be seen at.
struct Fault {
  std::string class_id;
  std::set<int> lines;
  bool labelled = false;
};

std::vector<Fault> faults_of(const json& expected) {
  std::vector<json> labels{expected};
  for (const json& further : expected.value("further", json::array())) labels.push_back(further);
  std::vector<Fault> faults;
  for (const json& label : labels) {
    if (!label.contains("cause")) continue;
    const json& cause = label.at("cause");
    Fault fault{label.at("class"), {}, cause.contains("sign")};
    if (fault.labelled) {
      fault.lines = {cause.at("sign").get<int>()};
    } else {
      fault.lines = cause.value("also", std::set<int>());
      fault.lines.insert(cause.at("line").get<int>());
    }
    faults.push_back(std::move(fault));
  }
  return faults;
}

std::vector<Case> read_cases() {
  std::vector<Case> found;
  for (const auto& entry : fs::recursive_directory_iterator("corpus")) {
    if (entry.path().filename() != "expected.json") continue;
    fs::path folder = entry.path().parent_path();
    json expected = json::parse(std::ifstream(entry.path()));
    if (expected.at("verdict") == "refused") continue;  // Has no archive.
    auto archive = (folder / expected.at("subject").get<std::string>()).string();
    api::Module module = api::load(api::Engine(), archive);
    found.push_back({folder.string(), expected, verify::lint::lint(module, module.methods())});
  }
  return found;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = read_cases();
  return all;
}

TEST(LintOfTheCorpus, ShowsFaultsAtTheirLines) {
  int faults = 0, seen = 0;
  for (const Case& c : cases()) {
    for (const Fault& fault : faults_of(c.expected)) {
      bool shown = c.shows(fault.class_id, fault.lines);
      EXPECT_TRUE(shown || !fault.labelled) << c.name << " shows no " << fault.class_id;
      if (static_classes.count(fault.class_id) == 0) continue;
      ++faults;
      seen += shown;
    }
  }
  ASSERT_GT(faults, 0);
  EXPECT_GE(seen * 10, faults * 9) << "nine of ten";
}

TEST(LintOfTheCorpus, IsSeldomWrongWhereItCallsAFaultLikely) {
  int clean = 0, accused = 0;
  for (const Case& c : cases()) {
    if (c.expected.at("verdict") != "clean") continue;
    ++clean;
    bool wrong = c.report.count(Strength::likely) > 0;
    accused += wrong;
    if (wrong) std::cout << c.name << " is clean, and has a likely fault\n";
  }
  ASSERT_GT(clean, 0);
  EXPECT_LE(accused * 20, clean) << "one of twenty";
}

/// What is scripted says what its author meant: it is as long as its input, and on its device.
TEST(LintOfTheCorpus, IsQuietAboutScripts) {
  for (const auto& entry : fs::recursive_directory_iterator("corpus")) {
    if (entry.path().filename() != "script.pt") continue;
    api::Module module = api::load(api::Engine(), entry.path().string());
    auto report = verify::lint::lint(module, module.methods());
    for (const auto& s : report.signs) {
      EXPECT_TRUE(s.strength == Strength::note || s.rule == verify::lint::RuleId::training_mode)
          << entry.path() << ": " << rule_of(s.rule).name << " at line " << s.line;
    }
  }
}

}  // namespace
}  // namespace assay
