#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::verify::lint {

/// How much a sign speaks for a fault. None proves one: nothing is run.
enum class Strength {
  note,      ///< Worth knowing; sound models have it as often.
  possible,  ///< Faults look so, and some sound models, too.
  likely,    ///< Sound models seldom look so.
};
std::string_view strength_name(Strength strength);
/// Nothing for a word that names none.
std::optional<Strength> strength_from_name(std::string_view name);

/// The rules, in the order of rules.def.
enum class RuleId {
#define RULE(name, class_id, sentence, hint) name,
#include "verify/lint/rules.def"
#undef RULE
};

/// One row of rules.def.
struct Rule {
  RuleId id;
  std::string_view name;      ///< "pinned_size"
  std::string_view class_id;  ///< Of the failure that it may become; empty for none.
  std::string_view sentence;
  std::string_view hint;  ///< The class's, where the row has none of its own.

  /// "AS102 pinned size"
  std::string title() const;
};
const std::vector<Rule>& rules();
const Rule& rule_of(RuleId id);

/// A place that speaks for a fault.
struct Sign {
  RuleId rule{};
  Strength strength = Strength::note;
  std::string method;  ///< Empty for what belongs to the whole archive.
  std::string op;      ///< "aten::arange"
  std::string role;    ///< What the literal is to the operator: "end".
  std::string literal;
  std::string file;  ///< Of the Python source line; empty where the archive does not tell.
  int line = 0;
  std::string function;
  std::string why;    ///< Half a sentence on this very place, without a full stop.
  int64_t count = 1;  ///< Steps that show the same at this line.
};

}  // namespace assay::verify::lint
