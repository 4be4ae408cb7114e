#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "ci/cli/verb.h"
#include "tests/ci/cli/archives.h"
#include "tests/ci/cli/program.h"

namespace assay::cli {
namespace {

using testing::Archive;
using testing::expect_refusal;
using testing::Folder;
using testing::Outcome;
using testing::run;

/// The names that begin what `pattern` finds.
std::vector<std::string> names_in(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> names;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    names.push_back((*it)[1]);
  }
  return names;
}

/// An archive whose method takes anything under these names, and gives a tensor.
std::string taking(const std::vector<std::string>& names) {
  std::string code = testing::net() + "  def forward(self: __torch__.Net";
  for (const std::string& name : names) code += ",\n    " + name + ": Any";
  return Archive{code + ") -> Tensor:\n    return torch.ones([3])\n"}.bytes();
}

/// A check of that archive against itself with the flags of a whole spec.
void expect_understood(const std::string& flags, const std::vector<std::string>& names) {
  SCOPED_TRACE(flags);
  ASSERT_FALSE(names.empty());
  Folder folder;
  std::string archive = folder.put("m.pt", taking(names));
  Outcome outcome = run("assay check " + archive + " --against " + archive +
                        " --no-database -q --max-examples 30 " + flags);
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
}

TEST(HelpAboutSpecs, HoldsExamplesThatAreUnderstood) {
  std::string help = run("assay help spec").out;
  size_t examples = 0;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  --input '")) continue;
    expect_understood(line, names_in(line, std::regex("--input '(\\w+)[:=]")));
    ++examples;
  }
  EXPECT_GE(examples, 16u);
  Folder folder;
  std::string example = help.substr(help.find("\n{\n") + 1);
  example.resize(example.find("\n}\n") + 3);
  expect_understood("--spec " + folder.put("spec.json", example),
                    names_in(example, std::regex("\"(\\w+): ")));
}

TEST(HelpAboutSpecs, ListsTheFlagsThatTheHelpOfVerbsLeavesOut) {
  std::string help = run("assay help spec").out;
  for (const char* flag : {"--spec ", "--input ", "--dim ", "--layouts ", "--atol "}) {
    std::string line = std::string("\n  ") + flag;
    EXPECT_NE(help.find(line), std::string::npos) << flag;
    for (const char* verb : {"check", "record", "run", "replay"}) {
      std::string of_verb = run(std::string("assay ") + verb + " --help").out;
      EXPECT_EQ(of_verb.find(line), std::string::npos) << verb << flag;
      EXPECT_NE(of_verb.find("assay help spec"), std::string::npos) << verb;
    }
  }
}

TEST(Help, IsThereForEachVerbAndNothingElse) {
  EXPECT_EQ(run("assay help check").out, run("assay check --help").out);
  EXPECT_EQ(run("assay help").out, run("assay --help").out);
  expect_refusal("assay help tea", {"no help about 'tea'", "spec", "check"});
}

}  // namespace
}  // namespace assay::cli
