#include "verify/lint/lint.h"

#include <fmt/core.h>

#include <cstdio>
#include <set>

#include "ci/cli/files.h"
#include "ci/cli/verb.h"
#include "engine/api/load.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "reports/lint.h"
#include "verify/findings/gate.h"

namespace assay::cli {
namespace {

using verify::lint::Report;
using verify::lint::Sign;
using verify::lint::Strength;

Strength strength_of(const std::string& word) {
  auto strength = verify::lint::strength_from_name(word);
  base::check(strength.has_value(), "no strength of a sign is called '", word,
              "'; known: likely, possible, note");
  return *strength;
}

std::set<Strength> shown_strengths(const Arguments& arguments) {
  std::set<Strength> shown;
  for (const auto& word : base::split(arguments.value_or("--show", "likely,possible"), ',')) {
    shown.insert(strength_of(word));
  }
  return shown;
}

Report read(const Arguments& arguments) {
  base::check(arguments.operands().size() == 1, "name one archive: assay lint model.pt");
  const std::string& path = arguments.operands()[0];
  api::Module module = api::load(api::Engine(), path);
  auto method = arguments.value("--method");
  try {
    return verify::lint::lint(module, method ? std::vector{*method} : module.methods());
  } catch (base::Error& e) {
    e.add_context(fmt::format("reading {}", path));
    throw;
  }
}

int run_lint(const Arguments& arguments) {
  std::set<Strength> shown = shown_strengths(arguments);
  auto fail_on = arguments.value("--fail-on");
  base::check(fail_on != "note",
              "--fail-on takes likely or possible: notes are no signs of faults");
  std::optional<Strength> weakest;
  if (fail_on) weakest = strength_of(*fail_on);
  Report report = read(arguments);
  if (auto file = arguments.value("--json")) {
    write_file(*file, reports::lint_json(report, arguments.operands()[0], ASSAY_VERSION));
  }
  // With the document on standard output there is no room for a text.
  if (arguments.value("--json") != "-") {
    std::fputs(reports::lint_text(report, shown).c_str(), stdout);
  }
  bool failed = weakest && std::ranges::any_of(
                               report.signs, [&](const Sign& s) { return s.strength >= *weakest; });
  return failed ? verify::exit_failed : verify::exit_passed;
}

std::string list_of_rules() {
  std::string text = "what it looks for (assay explain tells what a class means):\n";
  for (const verify::lint::Rule& rule : verify::lint::rules()) {
    text += fmt::format("  {:<26}{}\n", rule.title(), rule.sentence);
  }
  return text;
}

}  // namespace

Verb lint_verb() {
  return {"lint",
          "Lists what in an archive's graph looks like a fault, without running anything.",
          "model.pt",
          "assay lint model.pt --fail-on likely",
          {{"--show", "STRENGTH,...", "likely, possible, note (likely,possible)"},
           {"--method", "NAME", "look at this method only (all)"},
           {"--json", "FILE", "write all signs (reports/lint.schema.json); - is standard output"},
           {"--fail-on", "STRENGTH", "exit 1 for a sign of at least this: likely, possible"}},
          false,
          run_lint,
          list_of_rules};
}

}  // namespace assay::cli
