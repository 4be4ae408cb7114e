#include "ci/cli/inputs.h"
#include "ci/cli/verb.h"

namespace assay::cli {

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all{
      check_verb(), record_verb(), export_verb(), run_verb(),     inspect_verb(),
      lint_verb(),  replay_verb(), report_verb(), explain_verb(), python_verb(),
  };
  return all;
}

std::vector<Flag> flags_of(const Verb& verb) {
  std::vector<Flag> flags = verb.flags;
  if (!verb.takes_spec) return flags;
  for (Flag& flag : spec_flags()) flags.push_back(std::move(flag));
  return flags;
}

std::string help_of(const Verb& verb) {
  std::string text = "usage: assay ";
  text += verb.name;
  text += " ";
  text += verb.operands;
  text += " [flags]\n\n";
  text += verb.summary;
  text += "\n\nflags:\n";
  for (const Flag& flag : verb.flags) {
    std::string left = "  " + flag.name + (flag.value.empty() ? "" : " " + flag.value);
    constexpr size_t column = 34;
    left += left.size() + 2 > column ? "\n" + std::string(column, ' ')
                                     : std::string(column - left.size(), ' ');
    text += left + flag.help + (flag.repeats ? " (repeatable)" : "") + "\n";
  }
  if (verb.more) text += "\n" + verb.more();
  if (verb.takes_spec) {
    text +=
        "\nand the flags that say what the model takes and what varies (--spec, --input, --dim, "
        "...):\n`assay help spec` teaches them by examples.\n";
  }
  text += "\nexample:\n  ";
  for (char c : verb.example) {
    text += c;
    if (c == '\n') text += "  ";
  }
  return text + "\n";
}

}  // namespace assay::cli
