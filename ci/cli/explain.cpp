#include <algorithm>
#include <cctype>
#include <cstdio>

#include "ci/cli/verb.h"
#include "engine/base/error.h"
#include "verify/findings/finding.h"
#include "verify/findings/gate.h"

namespace assay::cli {
namespace {

std::string_view level_text(verify::Level level) {
  switch (level) {
    case verify::Level::fail:
      return "fails the gate";
    case verify::Level::note:
      return "is a note";
    case verify::Level::quiet:
      break;
  }
  return "is only counted";
}

void tell(const verify::FailureClass& c) {
  std::printf("%.*s %.*s\n  %.*s\n  By default it %s.\n  Remedy: %.*s.\n",
              static_cast<int>(c.id.size()), c.id.data(), static_cast<int>(c.name.size()),
              c.name.data(), static_cast<int>(c.meaning.size()), c.meaning.data(),
              std::string(level_text(c.level)).c_str(), static_cast<int>(c.hint.size()),
              c.hint.data());
}

int run_explain(const Arguments& arguments) {
  if (arguments.operands().empty()) {
    for (const auto& c : verify::failure_classes()) tell(c);
    return verify::exit_passed;
  }
  for (std::string id : arguments.operands()) {
    std::ranges::transform(id, id.begin(), [](unsigned char c) { return std::toupper(c); });
    const verify::FailureClass* found = verify::find_failure_class(id);
    base::check(found != nullptr, "there is no failure class ", id,
                "; assay explain without a name lists all");
    tell(*found);
  }
  return verify::exit_passed;
}

}  // namespace

Verb explain_verb() {
  return {"explain",
          "Tells what a failure class means and what to do about it.",
          "[AS103 ...]",
          "assay explain AS103",
          {},
          false,
          run_explain};
}

}  // namespace assay::cli
