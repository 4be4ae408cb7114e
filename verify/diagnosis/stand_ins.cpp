// The classes whose sign is steps in one export where another has a literal or none: AS101, AS106,
// AS107.

#include <algorithm>
#include <set>

#include "engine/core/dtype.h"
#include "engine/ops/catalog.h"
#include "verify/diagnosis/attribution.h"
#include "verify/diagnosis/steps.h"

namespace assay::verify::diagnosis {
namespace {

using Kind = GraphDifference::Kind;

/// A step that does nothing but to change the element type to a literal one.
bool is_cast(const Step& s) {
  const ops::Operator* op = s.node ? s.node->op() : nullptr;
  if (!op || op->sharing() != ops::Sharing::may_be_argument) return false;
  bool to_type = false;
  for (size_t o = 0; o < std::min(s.operands.size(), op->schema.arguments.size()); ++o) {
    if (s.operands[o].kind != Operand::Kind::literal) continue;
    if (s.operands[o].literal.is_device()) return false;
    const ops::Argument& argument = op->schema.arguments[o];
    bool type = argument.int_kind == "ScalarType" || argument.name == "dtype";
    to_type = to_type || (type && s.operands[o].literal.is_int());
  }
  return to_type;
}

/// Whether it casts to 16 bits, which is what autocast is for.
bool is_reduction(const Step& s) {
  auto reduced = [](const Operand& o) {
    return o.kind == Operand::Kind::literal && o.literal.is_int() &&
           (o.literal.to_int() == static_cast<int64_t>(core::DType::bfloat16) ||
            o.literal.to_int() == static_cast<int64_t>(core::DType::float16));
  };
  return is_cast(s) && std::any_of(s.operands.begin(), s.operands.end(), reduced);
}

/// Whether the subject has casts here, and only casts, that the probe has not (or the other way
/// round, where autocast itself was varied). Those that the probe alone has, or that come and go
/// with the element type or the device, are else a side of a condition.
bool casts_only(const ExportDiff& view, const GraphDifference& d) {
  bool of_probe = view.axis.kind == "autocast" && d.begin_a == d.end_a;
  bool one_sided = of_probe || d.begin_b == d.end_b;
  if (d.kind != Kind::structure || !one_sided) return false;
  if (view.axis.kind == "device" || view.axis.kind == "dtype") return false;
  const Step* steps = (of_probe ? view.probe : view.subject)->steps.data();
  const Step* begin = steps + (of_probe ? d.begin_b : d.begin_a);
  const Step* end = steps + (of_probe ? d.end_b : d.end_a);
  return std::any_of(begin, end, is_cast) &&
         std::all_of(begin, end, [](const Step& s) { return is_cast(s) || is_glue(s); });
}

/// Whether the subject has a constant of 16 bits where the probe reads a parameter.
bool is_cast_weight(const ExportDiff& view, const GraphDifference& d) {
  if (d.kind != Kind::wiring || !d.literal_a.is_tensor()) return false;
  const auto& operands = view.probe->steps[d.step_b].operands;
  core::DType type = d.literal_a.to_tensor().dtype();
  return d.operand < operands.size() && operands[d.operand].kind == Operand::Kind::parameter &&
         (type == core::DType::bfloat16 || type == core::DType::float16);
}

/// The probe's step that computes what the subject has as a constant tensor, where that is done in
/// another function than it is read in: a function that remembers what it gave. Within the same
/// function only a branch can leave steps out.
std::optional<size_t> maker_of_constant(const ExportDiff& view, const GraphDifference& d) {
  if (!d.literal_a.is_tensor() || number_of(d.literal_a)) return std::nullopt;
  const auto& operands = view.probe->steps[d.step_b].operands;
  bool computed = d.operand < operands.size() && operands[d.operand].kind == Operand::Kind::result;
  if (!computed) return std::nullopt;
  size_t maker = operands[d.operand].step;
  const Step& made = located(*view.probe, maker);
  const Step& read = located(*view.subject, d.step_a);
  bool same_function = made.function == read.function && made.file == read.file;
  return same_function && !made.function.empty() ? std::nullopt : std::optional(maker);
}

}  // namespace

std::optional<Attribution> moved_to_device(const ExportDiff& view, size_t difference) {
  const GraphDifference& d = view.alignment->differences[difference];
  bool taken_away = d.kind == Kind::structure && d.begin_a < d.end_a;
  if (view.axis.kind != "device" || !taken_away) return std::nullopt;
  // What is made where the input is needs no move there: on the other device the step is missing.
  for (size_t s = d.begin_a; s < d.end_a; ++s) {
    const auto& operands = view.subject->steps[s].operands;
    auto device = std::find_if(operands.begin(), operands.end(), [](const Operand& o) {
      return o.kind == Operand::Kind::literal && o.literal.is_device();
    });
    if (device == operands.end()) continue;
    Attribution a;
    a.class_id = "AS106";
    a.differences = all_of(view, {view.owners[difference]});
    a.step = s;
    a.role = role_of(*view.subject, s, static_cast<size_t>(device - operands.begin()));
    a.literal = literal_text(device->literal);
    return a;
  }
  return std::nullopt;
}

std::optional<Attribution> inserted_casts(const ExportDiff& view, size_t difference) {
  const auto& all = view.alignment->differences;
  if (!casts_only(view, all[view.owners[difference]])) return std::nullopt;
  // Autocast puts them wherever they are wanted: they have one cause.
  std::set<size_t> casts;
  bool reduce = false;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!casts_only(view, all[i])) continue;
    casts.insert(i);
    const std::vector<Step>& a = view.subject->steps;
    const std::vector<Step>& b = view.probe->steps;
    auto in = [](const std::vector<Step>& steps, size_t begin, size_t end) {
      return std::any_of(steps.begin() + static_cast<long>(begin),
                         steps.begin() + static_cast<long>(end), is_reduction);
    };
    reduce = reduce || in(a, all[i].begin_a, all[i].end_a) || in(b, all[i].begin_b, all[i].end_b);
  }
  if (!reduce) return std::nullopt;
  Attribution a;
  a.class_id = "AS107";
  a.differences = all_of(view, casts);
  // A weight's cast is folded where the archive was frozen: then its number stands there.
  for (size_t i = 0; i < all.size(); ++i) {
    if (is_cast_weight(view, all[i])) a.differences.push_back(i);
  }
  const GraphDifference& first = all[*casts.begin()];
  a.in_probe = first.begin_a == first.end_a;
  a.step = a.in_probe ? first_that_does(*view.probe, first.begin_b, first.end_b)
                      : first_that_does(*view.subject, first.begin_a, first.end_a);
  return a;
}

std::optional<Attribution> remembered_table(const ExportDiff& view, size_t difference) {
  const auto& all = view.alignment->differences;
  bool traced = view.subject_escapes && !view.variants->empty();
  // A condition chose to make it anew: `if n > len(self.table): self.extend(n)`.
  if (traced &&
      decided_differently({view.subject_escapes, &view.variants->front().exported->escapes})) {
    return std::nullopt;
  }
  size_t lead = view.owners[difference];
  for (size_t i = 0; i < all.size(); ++i) {
    if (view.owners[i] != lead || all[i].kind != Kind::wiring) continue;
    auto maker = maker_of_constant(view, all[i]);
    if (!maker) continue;
    Attribution a;
    a.class_id = "AS101";
    a.differences = all_of(view, {lead});
    a.step = *maker;
    a.in_probe = true;
    a.role = role_of(*view.subject, all[i].step_a, all[i].operand);
    a.literal = literal_text(all[i].literal_a);
    return a;
  }
  return std::nullopt;
}

}  // namespace assay::verify::diagnosis
