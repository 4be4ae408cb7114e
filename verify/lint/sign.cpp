#include "verify/lint/sign.h"

#include <algorithm>
#include <array>

#include "verify/findings/finding.h"

namespace assay::verify::lint {
namespace {

constexpr std::array<std::string_view, 3> strength_names{"note", "possible", "likely"};

std::string_view hint_of(std::string_view class_id, std::string_view own) {
  if (!own.empty()) return own;
  const FailureClass* row = find_failure_class(class_id);
  return row ? row->hint : own;
}

}  // namespace

std::string_view strength_name(Strength strength) {
  return strength_names[static_cast<size_t>(strength)];
}

std::optional<Strength> strength_from_name(std::string_view name) {
  auto found = std::ranges::find(strength_names, name);
  if (found == strength_names.end()) return std::nullopt;
  return static_cast<Strength>(found - strength_names.begin());
}

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all{
#define RULE(name, class_id, sentence, hint) \
  {RuleId::name, #name, class_id, sentence, hint_of(class_id, hint)},
#include "verify/lint/rules.def"
#undef RULE
  };
  return all;
}

const Rule& rule_of(RuleId id) { return rules()[static_cast<size_t>(id)]; }

std::string Rule::title() const {
  std::string words(name);
  std::ranges::replace(words, '_', ' ');
  return class_id.empty() ? words : std::string(class_id) + " " + words;
}

}  // namespace assay::verify::lint
