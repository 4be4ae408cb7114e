#include "verify/diagnosis/attribution.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace assay::verify::diagnosis {

const std::vector<Classifier>& classifiers() {
  static const std::vector<Classifier> all{
      frozen_mode,      lost_write,    result_for_argument, pinned_layout,    pinned_device,
      moved_to_device,  pinned_dtype,  inserted_casts,      pinned_keys,      captured_constant,
      remembered_table, captured_size, swapped_outputs,     repeated_entries, fixed_arity,
      unrolled_loop,    frozen_branch,
  };
  return all;
}

std::vector<Attribution> attribute(const ExportDiff& given) {
  ExportDiff view = given;
  view.owners = owners_of(view);
  count_keys(view);
  std::vector<Attribution> found;
  std::set<size_t> claimed;
  for (size_t i = 0; i < view.alignment->differences.size(); ++i) {
    if (claimed.count(i)) continue;
    for (Classifier classify : classifiers()) {
      auto attribution = classify(view, i);
      if (!attribution) continue;
      claimed.insert(attribution->differences.begin(), attribution->differences.end());
      found.push_back(std::move(*attribution));
      break;
    }
  }
  return found;
}

Attribution literal_attribution(const ExportDiff& view, size_t difference, std::string class_id) {
  const GraphDifference& d = view.alignment->differences[difference];
  Attribution a;
  a.class_id = std::move(class_id);
  a.differences = {difference};
  a.step = d.step_a;
  a.role = role_of(*view.subject, d.step_a, d.operand);
  a.literal = literal_text(d.literal_a);
  return a;
}

std::string fit_sentence(const Attribution& a, const SizeFit& fit) {
  const char* what = a.role == "repetitions" ? " repetitions" : "";
  return fmt::format("{}{} = {} over {} exports", a.literal, what, fit.text(), a.fitted);
}

const core::Value* literal_in(const Variant& variant, size_t step, size_t operand) {
  auto counterpart = variant.to_subject.to_b[step];
  if (!counterpart) return nullptr;
  const auto& operands = variant.exported->program().steps[*counterpart].operands;
  if (operand >= operands.size() || operands[operand].kind != Operand::Kind::literal)
    return nullptr;
  return &operands[operand].literal;
}

std::vector<EscapeSample> escape_samples(const ExportDiff& view, const GraphDifference& d) {
  std::vector<EscapeSample> samples;
  if (view.subject_escapes && !view.subject_escapes->empty()) {
    samples.push_back({view.subject_escapes, d.literal_a});
  }
  for (const Variant& v : *view.variants) {
    const core::Value* literal = literal_in(v, d.step_a, d.operand);
    if (literal) samples.push_back({&v.exported->escapes, *literal});
  }
  return samples;
}

SourceLocation place_of(const Step& step) { return {step.file, step.line, step.function}; }

void add_export(Attribution& a, std::string feature, std::string literal) {
  std::pair<std::string, std::string> fresh{std::move(feature), std::move(literal)};
  bool known = std::find(a.exports.begin(), a.exports.end(), fresh) != a.exports.end();
  if (!known) a.exports.push_back(std::move(fresh));
}

std::string feature_text(const Case& c, const FeatureAxis& axis) {
  if (axis.is_size()) {
    auto found = c.point.sizes.find(axis.letter);
    return found == c.point.sizes.end() ? "?" : std::to_string(found->second);
  }
  if (axis.kind == "device") return c.device().text();
  std::string key = axis.path.empty() ? axis.kind : axis.kind + " " + axis.path;
  auto found = c.point.choices.find(key);
  return std::string(found == c.point.choices.end() ? c.setting(axis.kind) : found->second);
}

}  // namespace assay::verify::diagnosis
