#include "reports/lint.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "engine/base/text.h"

namespace assay::reports {
namespace {

using nlohmann::json;
using verify::lint::Report;
using verify::lint::Rule;
using verify::lint::rule_of;
using verify::lint::Sign;
using verify::lint::Strength;
using verify::lint::strength_name;

json sign_json(const Sign& s) {
  const Rule& rule = rule_of(s.rule);
  return {{"class", rule.class_id},
          {"count", s.count},
          {"file", s.file},
          {"function", s.function},
          {"hint", rule.hint},
          {"line", s.line},
          {"literal", s.literal},
          {"method", s.method},
          {"op", s.op},
          {"role", s.role},
          {"rule", rule.name},

          {"why", s.why},
          {"strength", strength_name(s.strength)}};
}

std::string place_text(const Sign& s) {
  if (s.method.empty()) return "weights";
  if (s.file.empty()) return "(the archive names no source line)";
  std::string in = s.function.empty() ? "" : " in " + s.function;
  return fmt::format("{}:{}{}", s.file, s.line, in);
}

/// "7 in aten::arange (end)"
std::string subject_text(const Sign& s) {
  std::string text = s.literal;
  if (!s.op.empty()) text += (text.empty() ? "" : " in ") + s.op;
  if (!s.role.empty()) text += text.empty() ? s.role : " (" + s.role + ")";
  if (s.count <= 1) return text;
  // Weights are told by the first of them.
  if (s.op.empty()) return fmt::format("{} and {} more", text, s.count - 1);
  return fmt::format("{}, {} times", text, s.count);
}

std::string sign_text(const Sign& s, bool several_methods) {
  std::string method = several_methods && !s.method.empty() ? " [" + s.method + "]" : "";
  std::string subject = subject_text(s);
  return fmt::format("  {:<9} {}{}{}{}; {}\n", strength_name(s.strength), rule_of(s.rule).title(),
                     method, subject.empty() ? "" : ": ", subject, s.why);
}

/// What can be done about the kinds of signs that were told.
std::string hints_text(const std::set<verify::lint::RuleId>& told) {
  std::string text;
  std::set<std::pair<std::string_view, std::string_view>> known;
  for (verify::lint::RuleId id : told) {
    const Rule& rule = rule_of(id);
    if (!known.emplace(rule.class_id, rule.hint).second) continue;
    std::string name = rule.class_id.empty() ? rule.title() : std::string(rule.class_id);
    text += fmt::format("  {}: {}\n", name, rule.hint);
  }
  return text.empty() ? text : "\nwhat to do:\n" + text;
}

constexpr const char* proof = "Signs prove nothing: assay check tells what is wrong where.\n";

/// "2 likely, 1 possible, 3 notes"
std::string totals_text(const Report& report) {
  size_t notes = report.count(Strength::note);
  return fmt::format("{} likely, {} possible, {} {}", report.count(Strength::likely),
                     report.count(Strength::possible), notes, notes == 1 ? "note" : "notes");
}

std::string summary_text(const Report& report, const std::set<Strength>& shown) {
  std::string where = report.methods.size() == 1 ? report.methods[0]
                                                 : fmt::format("{} methods", report.methods.size());
  if (report.signs.empty()) return fmt::format("No sign of a fault in {}. {}", where, proof);
  std::vector<std::string> hidden;
  for (Strength s : {Strength::likely, Strength::possible, Strength::note}) {
    if (!shown.count(s) && report.count(s) > 0) hidden.emplace_back(strength_name(s));
  }
  std::string more =
      hidden.empty() ? "" : fmt::format(" (not shown: --show {})", base::join(hidden, ","));
  return fmt::format("{} in {}{}. {}", totals_text(report), where, more, proof);
}

}  // namespace

std::string lint_json(const Report& report, const std::string& path, const std::string& version) {
  json signs = json::array();
  for (const Sign& s : report.signs) signs.push_back(sign_json(s));
  json totals = json::object();
  for (Strength s : {Strength::likely, Strength::possible, Strength::note}) {
    totals[std::string(strength_name(s))] = report.count(s);
  }
  json document{{"methods", report.methods},
                {"model", {{"path", path}}},
                {"schema_version", lint_schema_version},
                {"signs", std::move(signs)},
                {"steps", report.steps},
                {"tool", {{"name", "assay"}, {"version", version}}},
                {"totals", std::move(totals)}};
  // Names from archives may not be UTF-8; such bytes are replaced.
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string lint_text(const Report& report, const std::set<Strength>& shown) {
  std::string text, place;
  std::set<verify::lint::RuleId> told;
  for (const Sign& s : report.signs) {
    if (!shown.count(s.strength)) continue;
    std::string here = place_text(s);
    if (here != place) text += here + "\n";
    place = here;
    text += sign_text(s, report.methods.size() > 1);
    told.insert(s.rule);
  }
  text += hints_text(told);
  return text + (text.empty() ? "" : "\n") + summary_text(report, shown);
}

}  // namespace assay::reports
