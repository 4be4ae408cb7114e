#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ci/cli/arguments.h"

namespace assay::cli {

/// A verb of the program: one file of this folder each.
///
/// An implementation prints results on standard output and everything else on standard error,
/// returns an exit code of verify/findings/gate.h, and throws base::Error for what it cannot do:
/// main turns input and unsupported errors into exit code 2, internal ones into 3.
struct Verb {
  std::string_view name;
  std::string_view summary;   ///< One line, for the list of verbs.
  std::string_view operands;  ///< "model.py:Net | model.pt"
  std::string_view example;   ///< One or more whole commands.
  std::vector<Flag> flags;    ///< Its own.
  bool takes_spec = false;    ///< The flags of a spec (spec_flags), too.
  int (*run)(const Arguments& arguments);
  std::string (*more)() = nullptr;  ///< What help tells behind the flags; null for nothing.
  /// In place of `run`, for a verb whose words are for another program: they are not looked at.
  int (*run_words)(const std::vector<std::string>& words) = nullptr;
};

/// The explicit list of all verbs, in the order in which help shows them.
const std::vector<Verb>& verbs();

Verb check_verb();
Verb explain_verb();
Verb export_verb();
Verb inspect_verb();
Verb lint_verb();
Verb python_verb();
Verb record_verb();
Verb replay_verb();
Verb report_verb();
Verb run_verb();

/// The help text of a verb: its own flags, and where those of a spec are told.
std::string help_of(const Verb& verb);
/// All flags that the verb takes.
std::vector<Flag> flags_of(const Verb& verb);

/// A word as a shell needs it.
std::string shell_word(const std::string& word);
/// This run's command line, for reports: quoted where a shell needs it.
const std::string& command_line();

}  // namespace assay::cli
