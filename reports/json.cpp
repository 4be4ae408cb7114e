#include "reports/json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/base/text.h"
#include "reports/console.h"
#include "reports/verdict.h"
#include "verify/spec/parser.h"

namespace assay::reports {

using nlohmann::json;
using namespace verify;  // NOLINT: this file says everything that verify knows.

namespace {

/// JSON has no token for the non-finite; they are told as text.
json real(double value) { return std::isfinite(value) ? json(value) : json(base::number(value)); }

json values_json(const ValueError& e) {
  return {{"compared", e.compared},
          {"nan", e.nan},
          {"mismatched", e.mismatched},
          {"adjudicated", e.adjudicated},
          {"adjudicated_difference", real(e.adjudicated_difference)},
          {"adjudicated_spread", real(e.adjudicated_spread)},
          {"worst_index", e.worst_index},
          {"worst_subject", e.worst_subject},
          {"worst_reference", e.worst_reference},
          {"max_abs", real(e.max_abs)},
          {"max_rel", real(e.max_rel)},
          {"needed_atol", real(e.needed_atol)},
          {"needed_rtol", real(e.needed_rtol)},
          {"excess", real(e.excess)},
          {"histogram", e.histogram},
          {"bound", e.bound.text()}};
}

json comparison_json(const Comparison& c) {
  json differences = json::array();
  for (const Difference& d : c.differences) {
    json entry{{"layer", layer_name(d.layer)},
               {"place", d.place},
               {"subject", d.subject},
               {"reference", d.reference}};
    if (d.values) entry["values"] = values_json(*d.values);
    differences.push_back(std::move(entry));
  }
  json compared = json::object();
  for (size_t i = 0; i < layer_count; ++i) {
    compared[std::string(layer_name(static_cast<Layer>(i)))] = c.compared[i];
  }
  const Difference* headline = c.headline();
  return {{"headline", headline ? headline->text() : c.reason},
          {"differences", std::move(differences)},
          {"compared", std::move(compared)}};
}

json axis_json(const FeatureAxis& axis) {
  json out{{"kind", axis.kind}, {"text", axis.text()}};
  if (!axis.path.empty()) out["path"] = axis.path;
  if (axis.dim >= 0) out["dim"] = axis.dim;
  if (!axis.letter.empty()) out["letter"] = axis.letter;
  return out;
}

json boundary_json(const Boundary& b) {
  json regions = json::array();
  for (const auto& r : b.regions) {
    json entry{{"verdict", verdict_name(r.verdict)}};
    if (!r.how.empty()) entry["how"] = r.how;
    if (!r.sizes.empty()) {
      json sizes = json::array();
      for (const auto& [low, high] : r.sizes) sizes.push_back({low, high});
      entry["sizes"] = std::move(sizes);
    }
    if (!r.choices.empty()) entry["words"] = r.choices;
    regions.push_back(std::move(entry));
  }
  json held = json::object();
  for (const auto& [letter, size] : b.held) held[letter] = size;
  return {{"axis", axis_json(b.axis)},    {"exact", b.exact},
          {"held", std::move(held)},      {"joint", b.joint},
          {"measured", b.measured},       {"otherwise_elsewhere", b.otherwise_elsewhere},
          {"possible", b.possible},       {"text", b.text()},
          {"regions", std::move(regions)}};
}

json reach_json(const Reach& r) {
  return {{"cured", r.cured},
          {"failing", r.failing},
          {"broken", r.broken},
          {"right", r.right},
          {"text", r.text()}};
}

json cause_json(const Cause& c) {
  return {{"node", c.node},
          {"op", c.op},
          {"role", c.role},
          {"literal", c.literal},
          {"scope", c.scope},
          {"file", c.file},
          {"line", c.line},
          {"function", c.function},
          {"source", c.source},
          {"proof", proof_name(c.proof)},
          {"proof_text", c.proof_text},
          {"reach", reach_json(c.reach)}};
}

json evidence_json(const Evidence& e) {
  json exports = json::array();
  for (const auto& [feature, literal] : e.exports) exports.push_back({feature, literal});
  return {{"exports", std::move(exports)},
          {"fit", e.fit},
          {"diff", e.diff},
          {"fix", e.fix},
          {"notes", e.notes}};
}

json finding_json(const Finding& f) {
  json boundaries = json::array();
  for (const auto& b : f.boundaries) boundaries.push_back(boundary_json(b));
  const FailureClass* row = find_failure_class(f.class_id);
  json out{{"id", f.id},
           {"fingerprint", f.fingerprint},
           {"class", f.class_id},
           {"property", f.property},
           {"visibility", visibility_name(f.visibility)},
           {"axis", axis_json(f.axis)},
           {"title", f.title},
           {"text", finding_text(f)},
           {"method", f.method},
           {"boundaries", std::move(boundaries)},
           {"cause", cause_json(f.cause)},
           {"evidence", evidence_json(f.evidence)},
           {"comparison", comparison_json(f.comparison)},
           {"subject_gave", f.subject_gave},
           {"reference_gave", f.reference_gave},
           {"hint", f.hint.empty() && row ? std::string(row->hint) : f.hint},
           {"repro", f.repro},
           {"repro_flags", f.repro_flags},
           {"confirmation", f.confirmation},
           {"count", f.count},
           {"flaky", f.flaky},
           {"state", state_name(f.state)}};
  for (verify::Visibility v : f.elsewhere) out["elsewhere"].push_back(visibility_name(v));
  if (!f.state_reason.empty()) out["state_reason"] = f.state_reason;
  if (!f.first_seen.empty()) out["first_seen"] = f.first_seen;
  if (f.smallest_case) {
    out["smallest_case"] = {{"text", describe(*f.smallest_case)}};
    if (!f.smallest_case->given)
      out["smallest_case"]["case"] = json::parse(verify::to_json(*f.smallest_case));
  }
  return out;
}

json outcome_json(const Outcome& o) {
  return {{"id", o.property},         {"status", status_name(o.status)},
          {"reason", o.reason},       {"valid", o.valid},
          {"discarded", o.discarded}, {"comparisons", o.comparisons},
          {"elements", o.elements},   {"adjudicated", o.adjudicated}};
}

json axis_report_json(const AxisReport& a) {
  json words = json::array();
  for (const AxisReport::Word& w : a.words) {
    words.push_back({{"word", w.word}, {"comparisons", w.comparisons}, {"reason", w.reason}});
  }
  return {{"axis", axis_json(a.axis)}, {"declared", a.declared}, {"exercised", a.exercised},
          {"verdict", a.verdict},      {"boundary", a.boundary}, {"comparisons", a.comparisons},
          {"words", std::move(words)}};
}

json run_json(const RunReport& r, bool times) {
  json out{{"seed", r.run.seed},       {"profile", r.run.profile},
           {"command", r.run.command}, {"host", r.run.host},
           {"engine", r.run.engine},   {"config_hash", r.run.config_hash},
           {"devices", r.run.devices}};
  if (!r.run.second_opinion.empty()) out["second_opinion"] = r.run.second_opinion;
  if (times) {
    out["times"] = {{"start", r.run.start}, {"end", r.run.end}, {"seconds", real(r.run.seconds)}};
  }
  return out;
}

/// Of the words, those that were varied: the others are on the axes, once for all points.
json points_json(const RunReport& r) {
  std::set<std::string> fixed;
  for (const AxisReport& a : r.axes) {
    if (a.verdict == "not varied") fixed.insert(a.axis.text());
  }
  json points = json::array();
  for (const JudgedPoint& p : r.points) {
    json choices = json::object();
    for (const auto& [key, word] : p.choices) {
      if (!fixed.count(key)) choices[key] = word;
    }
    points.push_back({{"sizes", p.sizes},
                      {"choices", std::move(choices)},
                      {"property", p.property},
                      {"verdict", p.verdict},
                      {"visibility", visibility_name(p.visibility)},
                      {"finding", p.finding}});
  }
  return points;
}

json guards_json(const RunReport::Guards& g) {
  json conditions = json::array(), fixed = json::array();
  for (const RunReport::Guard& c : g.conditions) {
    conditions.push_back({{"condition", c.condition},
                          {"written", c.written},
                          {"place", c.place},
                          {"kind", c.kind},
                          {"otherwise", c.otherwise},
                          {"outcome", c.outcome}});
  }
  for (const RunReport::FixedNumber& f : g.fixed) {
    fixed.push_back(
        {{"expression", f.expression}, {"value", f.value}, {"what", f.what}, {"place", f.place}});
  }
  return {
      {"traced", g.traced},     {"for_all_sizes", g.for_all_sizes},    {"sentence", g.sentence},
      {"rests_on", g.rests_on}, {"conditions", std::move(conditions)}, {"fixed", std::move(fixed)}};
}

/// Names and meanings of the classes that the report speaks of, so that it can be read alone.
json classes_json(const RunReport& r) {
  json classes = json::object();
  auto add = [&](const std::string& id) {
    if (const FailureClass* row = find_failure_class(id)) {
      classes[id] = {{"name", row->name},
                     {"meaning", row->meaning},
                     {"level", level_name(row->level)},
                     {"hint", row->hint}};
    }
  };
  for (const Finding& f : r.findings) add(f.class_id);
  for (const auto& [id, count] : r.benign) add(id);
  return classes;
}

template <typename T, typename F>
json list_of(const std::vector<T>& items, F each) {
  json out = json::array();
  for (const T& item : items) out.push_back(each(item));
  return out;
}

}  // namespace

json to_json(const RunReport& r, bool times) {
  json errors = json::array();
  for (const auto& [place, e] : r.errors)
    errors.push_back({{"place", place}, {"values", values_json(e)}});
  return {
      {"schema_version", schema_version},
      {"tool", {{"name", r.tool.name}, {"version", r.tool.version}, {"commit", r.tool.commit}}},
      {"run", run_json(r, times)},
      {"model",
       {{"name", r.model.name},
        {"path", r.model.path},
        {"sha256", r.model.sha256},
        {"weights_sha256", r.model.weights},
        {"methods", r.model.methods},
        {"exported_by", r.model.exported_by},
        {"example", r.model.example}}},
      {"reference", r.reference},
      {"spec", json::parse(spec_json(r.spec))},
      {"axes", list_of(r.axes, axis_report_json)},
      {"properties", list_of(r.outcomes, outcome_json)},
      {"findings", list_of(r.findings, finding_json)},
      {"benign", r.benign},
      {"classes", classes_json(r)},
      {"not_tested", r.not_tested},
      {"guards", guards_json(r.guards)},
      {"uncompared", r.uncompared},
      {"alone",
       {{"is", r.alone.is},
        {"signs", r.alone.signs},
        {"doubts", r.alone.doubts},
        {"text", alone_text(r)}}},
      {"in_pytorch",
       {{"host", r.in_pytorch.host},
        {"passing", r.in_pytorch.passing},
        {"run", r.in_pytorch.run},
        {"reason", r.in_pytorch.reason},
        {"text", in_pytorch_text(r)}}},
      {"vacuous", r.vacuous},
      {"adjudicated",
       {{"difference", real(r.adjudicated_difference)},
        {"spread", real(r.adjudicated_spread)},
        {"text", adjudicated_text(r)}}},
      {"points", points_json(r)},
      {"errors", std::move(errors)},
      {"totals",
       {{"cases", r.totals.cases},
        {"valid", r.totals.valid},
        {"discarded", r.totals.discarded},
        {"uncompared", r.totals.uncompared},
        {"failed", r.totals.failed},
        {"comparisons", r.totals.comparisons},
        {"elements", r.totals.elements},
        {"shrinks", r.totals.shrinks},
        {"remembered", r.totals.remembered},
        {"stopped_by", r.totals.stopped_by}}},
      {"gate",
       {{"result", r.gate.passed ? "passed" : "failed"},
        {"exit_code", r.gate.exit_code},
        {"sentence", verdict_sentence(r)},
        {"rules", r.gate.rules},
        {"failing", r.gate.failing},
        {"not_gated", r.gate.not_gated}}},
  };
}

std::string json_text(const RunReport& report, bool times) {
  // Text from models may not be UTF-8; such bytes are replaced, never a reason to lose a report.
  return to_json(report, times).dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace assay::reports
