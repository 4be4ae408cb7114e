// The classes whose sign is one literal that follows the input: AS101, AS102, AS106 to AS109,
// AS112, AS115.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <set>

#include "engine/base/text.h"
#include "engine/core/dtype.h"
#include "engine/core/elements.h"
#include "engine/core/epsilon.h"
#include "engine/core/host_access.h"
#include "engine/ops/catalog.h"
#include "verify/diagnosis/attribution.h"
#include "verify/diagnosis/traced_origins.h"
#include "verify/diagnosis/type_limits.h"
#include "verify/observation/places.h"

namespace assay::verify::diagnosis {
namespace {

const GraphDifference* literal_at(const ExportDiff& view, size_t difference) {
  const GraphDifference& d = view.alignment->differences[difference];
  return d.kind == GraphDifference::Kind::literal ? &d : nullptr;
}

void add_exports(const ExportDiff& view, const GraphDifference& d, Attribution& a) {
  for (const Variant& v : *view.variants) {
    if (const core::Value* literal = literal_in(v, d.step_a, d.operand)) {
      add_export(a, feature_text(v.at, view.axis), literal_text(*literal));
    }
  }
}

std::optional<int64_t> whole_number(const core::Value& v) {
  auto number = number_of(v);
  if (!number || number->is_bool() || number->is_complex()) return std::nullopt;
  bool whole = number->to_double() == static_cast<double>(number->to_int());
  return whole ? std::optional(number->to_int()) : std::nullopt;
}

/// How many tensors an operator takes.
size_t tensor_count(const ops::Schema& schema) {
  return static_cast<size_t>(
      std::count_if(schema.arguments.begin(), schema.arguments.end(),
                    [](const ops::Argument& a) { return a.type->is(core::TypeKind::tensor); }));
}

/// A Python number that met a tensor in arithmetic; `torch.tensor(n)` goes through a copy instead.
bool is_wrapped_number(const ExportDiff& view, const GraphDifference& d) {
  const Step& reader = view.subject->steps[d.step_a];
  const ops::Operator* op = reader.node ? reader.node->op() : nullptr;
  bool copied = op && tensor_count(op->schema) == 1;
  return d.literal_a.is_tensor() && number_of(d.literal_a) && !copied;
}

/// Whether two constants hold the same numbers, as far as the narrower of their element types can:
/// what differs is the type that they were made in.
bool same_numbers_otherwise_typed(const core::Tensor& a, const core::Tensor& b) {
  if (a.dtype() == b.dtype() || a.sizes() != b.sizes()) return false;
  if (!core::has_bytes(a) || !core::has_bytes(b)) return false;
  double eps = std::max(core::epsilon(a.dtype()), core::epsilon(b.dtype()));
  std::vector<core::Scalar> in_a = core::elements(a), in_b = core::elements(b);
  return std::ranges::equal(in_a, in_b, [&](const core::Scalar& x, const core::Scalar& y) {
    return std::abs(x.to_complex() - y.to_complex()) <= eps * std::abs(y.to_complex());
  });
}

/// The literal as a function of sizes, over the subject and all variants.
void fit_literal(const ExportDiff& view, const GraphDifference& d, Attribution& a) {
  std::vector<Sample> samples;
  if (auto own = whole_number(d.literal_a); own && !view.example_sizes.empty()) {
    samples.push_back({view.example_sizes, *own});
  }
  for (const Variant& v : *view.variants) {
    const core::Value* literal = literal_in(v, d.step_a, d.operand);
    auto number = literal ? whole_number(*literal) : std::nullopt;
    if (number) samples.push_back({v.at.point.sizes, *number});
  }
  a.fit = fit(samples, view.axis.letter);
  if (!a.fit) return;
  a.fitted = samples.size();
  a.other_fits = other_fits(samples, *a.fit);
}

/// Whether the program comes to that line only after the step.
bool is_later(const Program& program, size_t step, const SourceLocation& place) {
  auto there = std::ranges::find_if(program.steps, [&](const Step& s) {
    return s.line == place.line && s.file_name() == base_name(place.file);
  });
  return there != program.steps.end() && there - program.steps.begin() > static_cast<long>(step);
}

/// A number that left the graph explains a literal better than sizes do where it needs fewer
/// numbers of its own: what the sizes are then is chance.
void fit_escape(const ExportDiff& view, const GraphDifference& d, Attribution& a) {
  SourceLocation reader = place_of(located(*view.subject, d.step_a));
  auto found = fit_to_escapes(escape_samples(view, d), reader, [&](const SourceLocation& place) {
    return is_later(*view.subject, d.step_a, place);
  });
  if (!found) return;
  if (a.fit && freedom(*a.fit) > found->freedom) {
    a.fit.reset();
    a.other_fits.clear();
  }
  a.escape = std::move(found);
}

/// Whether what left the graph is itself a function of sizes.
bool follows_sizes(const ExportDiff& view, const GraphDifference& d, const EscapeFit& escape) {
  std::vector<Bindings> sizes;
  if (view.subject_escapes && !view.subject_escapes->empty()) sizes.push_back(view.example_sizes);
  for (const Variant& v : *view.variants) {
    if (literal_in(v, d.step_a, d.operand)) sizes.push_back(v.at.point.sizes);
  }
  std::vector<Sample> samples;
  for (size_t i = 0; i < std::min(sizes.size(), escape.values.size()); ++i) {
    double v = escape.values[i];
    if (v != std::floor(v) || std::fabs(v) >= 0x1p53) return false;
    samples.push_back({sizes[i], static_cast<int64_t>(v)});
  }
  auto fitted = samples.empty() ? std::nullopt : fit(samples, view.axis.letter);
  return fitted && freedom(*fitted) <= 1;
}

/// A literal that follows what left the graph.
void follow_escape(const ExportDiff& view, const GraphDifference& d, Attribution& a) {
  if (!view.axis.is_size() && !follows_sizes(view, d, *a.escape)) a.kind = &captured_value;
  a.fit_text = fmt::format("{} = {}, v = what {} gave at line {}", a.literal, a.escape->text,
                           a.escape->kind, a.escape->place.line);
}

/// How many different literals the exports have.
size_t distinct_exports(const Attribution& a) {
  std::set<std::string> literals{a.literal};
  for (const auto& [feature, literal] : a.exports) literals.insert(literal);
  return literals.size();
}

/// Whether the exports at smaller sizes share one literal and those at larger sizes another,
/// several each: a condition on what left the graph chose between them.
bool has_threshold(const ExportDiff& view, const Attribution& a) {
  std::map<int64_t, std::string> by_size;
  auto own = view.example_sizes.find(view.axis.letter);
  if (own != view.example_sizes.end()) by_size.emplace(own->second, a.literal);
  for (const auto& [feature, literal] : a.exports) {
    int64_t size = 0;
    if (!base::parse_int(feature, size)) return false;
    by_size.emplace(size, literal);
  }
  constexpr size_t several = 2;
  std::vector<size_t> runs;
  const std::string* last = nullptr;
  for (const auto& [size, literal] : by_size) {
    if (!last || *last != literal) runs.push_back(0);
    ++runs.back();
    last = &literal;
  }
  return runs.size() == 2 && runs[0] >= several && runs[1] >= several;
}

/// Whether the literals are limits of element types, or, where these were varied, made of such: a
/// number that the type decides, rather than a condition on it.
bool follows_type(const ExportDiff& view, const GraphDifference& d) {
  auto a = number_of(d.literal_a), b = number_of(d.literal_b);
  if (!a || !b || a->is_bool() || b->is_bool() || a->is_complex() || b->is_complex()) return false;
  auto follow = view.axis.kind == "dtype" ? follow_limits : are_limits;
  bool same_number = view.axis.kind == "dtype" && a->to_double() == b->to_double();
  return same_number || follow(a->to_double(), b->to_double());
}

/// What left the graph in the subject and in the first of its variants; nothing where that is not
/// known.
std::optional<Escapes> both_escapes(const ExportDiff& view) {
  if (!view.subject_escapes || view.variants->empty()) return std::nullopt;
  return Escapes{view.subject_escapes, &view.variants->front().exported->escapes};
}

/// The line at which alone other numbers left the graph: of those in the function of the literal's
/// reader, else of all.
std::optional<SourceLocation> only_place_of_escapes(const ExportDiff& view,
                                                    const GraphDifference& d) {
  auto escapes = both_escapes(view);
  if (!escapes) return std::nullopt;
  auto place = only_source(*escapes, place_of(located(*view.subject, d.step_a)));
  return place ? place : only_source(*escapes);
}

/// A literal that follows neither sizes nor what left the graph: the feature that was varied and
/// the conditions that were met tell what chose it.
void name_unfitted(const ExportDiff& view, const GraphDifference& d, Attribution& a) {
  SourceLocation reader = place_of(located(*view.subject, d.step_a));
  auto escapes = both_escapes(view);
  bool chosen = escapes && decided_differently(*escapes) &&
                (distinct_exports(a) == 2 || !gave_other_numbers(*escapes));
  if (view.axis.kind == "dtype") {
    a.class_id = "AS103";  // A number that the type itself gives is told before.
    a.fit_text = look_sentence(view.origins, view.probe_origins, reader);
  } else if (view.axis.kind == "seed") {
    a.class_id = "AS113";
  } else if (chosen) {
    a.class_id = "AS103";
  } else {
    if (view.axis.kind == "value" || view.axis.kind == "call") a.kind = &captured_value;
    auto source = only_place_of_escapes(view, d);
    if (view.axis.kind == "dim" && has_threshold(view, a)) {
      a.class_id = "AS103";
      a.place = source;
    } else if (source) {
      a.escape = EscapeFit{*source, "", "", {}, 0};
    }
  }
}

/// Whatever differs between exports that differ in this feature alone was frozen by it.
std::optional<Attribution> frozen_by_axis(const ExportDiff& view, size_t difference,
                                          const char* class_id) {
  if (const GraphDifference* d = literal_at(view, difference)) {
    Attribution a = literal_attribution(view, difference, class_id);
    add_exports(view, *d, a);
    return a;
  }
  auto a = frozen_branch(view, difference);
  if (a) {
    a->class_id = class_id;
    a->fit_text.clear();
    a->place.reset();
  }
  return a;
}

/// What the subject's own trace says that the literal was, or that a condition chose it. False
/// where it says neither.
bool tell_origin(const ExportDiff& view, const GraphDifference& d, Attribution& a) {
  a.origin = traced_origin(view.origins, *view.subject, d.step_a, d.operand);
  if (a.origin && !is_for_people(a.origin->expression)) {  // Where it had left is known, even so.
    a.place = a.origin->place;
    a.origin.reset();
    return false;
  }
  if (a.origin) {
    const Written& expression = a.origin->expression;
    if (!view.axis.is_size() && !is_over_sizes(expression)) a.kind = &captured_value;
    a.fit_text = origin_sentence(a.literal, *a.origin);
    return true;
  }
  bool open = view.axis.kind == "seed" || !view.origins || has_other_ways(*view.origins);
  SourceLocation reader = place_of(located(*view.subject, d.step_a));
  const auto* guard = open ? nullptr : decided_otherwise(view.origins, view.probe_origins, reader);
  if (!guard) return false;
  a.class_id = "AS103";
  a.fit_text = guard_sentence(*guard);
  a.place = guard->place;
  return true;
}

/// Whether the step that a literal serves also takes other parameters: another layer was chosen,
/// and its numbers came with it.
bool serves_other_layer(const ExportDiff& view, const GraphDifference& d) {
  const std::vector<Step>& steps = view.subject->steps;
  auto serves = [&](size_t step) {
    return step == d.step_a || std::ranges::any_of(steps[step].operands, [&](const Operand& o) {
             return o.kind == Operand::Kind::result && o.step == d.step_a && gathers(steps[o.step]);
           });
  };
  return std::ranges::any_of(view.alignment->differences, [&](const GraphDifference& other) {
    if (other.kind != GraphDifference::Kind::wiring || !serves(other.step_a)) return false;
    const std::vector<Operand>& operands = steps[other.step_a].operands;
    return other.operand < operands.size() &&
           operands[other.operand].kind == Operand::Kind::parameter;
  });
}

bool is_dtype_role(const std::string& role) { return role == "dtype"; }

}  // namespace

std::optional<Attribution> frozen_mode(const ExportDiff& view, size_t difference) {
  return view.axis.kind == "mode" ? frozen_by_axis(view, difference, "AS108") : std::nullopt;
}

std::optional<Attribution> pinned_layout(const ExportDiff& view, size_t difference) {
  return view.axis.kind == "layout" ? frozen_by_axis(view, difference, "AS112") : std::nullopt;
}

namespace {

/// The line that drew the literal, in a model that assigns nothing which could be kept.
std::optional<SourceLocation> place_of_hidden_draw(const ExportDiff& view,
                                                   const GraphDifference& d) {
  if (!view.subject_escapes) return std::nullopt;
  const std::vector<Escape>& escapes = *view.subject_escapes;
  bool draws = std::ranges::any_of(escapes, is_hidden_draw);
  if (!draws || std::ranges::any_of(escapes, assigns_state)) return std::nullopt;
  return asked_at(escapes, place_of(located(*view.subject, d.step_a)));
}

}  // namespace

std::optional<Attribution> lost_write(const ExportDiff& view, size_t difference) {
  // Whatever differs between exports at the first call and at a later one follows what the model
  // keeps between them.
  const GraphDifference* d = literal_at(view, difference);
  if (!d || view.axis.kind != "call" || view.keeps_state) return std::nullopt;
  Attribution a = literal_attribution(view, difference, "AS109");
  // A generator that the model holds is state, but what it gives was drawn.
  if (auto drawn = place_of_hidden_draw(view, *d)) {
    a.class_id = "AS113";
    a.place = drawn;
  }
  add_exports(view, *d, a);
  return a;
}

std::optional<Attribution> pinned_device(const ExportDiff& view, size_t difference) {
  const GraphDifference* d = literal_at(view, difference);
  if (!d || !d->literal_a.is_device()) return std::nullopt;
  return literal_attribution(view, difference, "AS106");
}

std::optional<Attribution> pinned_dtype(const ExportDiff& view, size_t difference) {
  const GraphDifference* d = literal_at(view, difference);
  if (!d || !d->literal_a.is_int()) return std::nullopt;
  if (!is_dtype_role(role_of(*view.subject, d->step_a, d->operand))) return std::nullopt;
  Attribution a = literal_attribution(view, difference, "AS107");
  add_exports(view, *d, a);
  return a;
}

std::optional<Attribution> pinned_keys(const ExportDiff& view, size_t difference) {
  const GraphDifference* d = literal_at(view, difference);
  if (!d || !takes_entry(view.subject->steps[d->step_a])) return std::nullopt;
  Attribution a = literal_attribution(view, difference, "AS115");
  a.kind = &pinned_input_keys;
  add_exports(view, *d, a);
  // The entries are taken by the tracer; the model's line is that of the first step that reads it.
  const std::vector<Step>& steps = view.subject->steps;
  auto reads = [&](const Operand& o) {
    return o.kind == Operand::Kind::result && o.step == d->step_a;
  };
  auto reader = std::find_if(steps.begin(), steps.end(), [&](const Step& s) {
    return std::any_of(s.operands.begin(), s.operands.end(), reads);
  });
  if (reader != steps.end()) a.step = static_cast<size_t>(reader - steps.begin());
  return a;
}

std::optional<Attribution> captured_constant(const ExportDiff& view, size_t difference) {
  const GraphDifference* d = literal_at(view, difference);
  bool tensor = d && d->literal_a.is_tensor() && !is_wrapped_number(view, *d);
  if (!tensor) return std::nullopt;
  bool retyped = d->literal_b.is_tensor() &&
                 same_numbers_otherwise_typed(d->literal_a.to_tensor(), d->literal_b.to_tensor());
  Attribution a = literal_attribution(view, difference, retyped ? "AS107" : "AS101");
  add_exports(view, *d, a);
  return a;
}

std::optional<Attribution> captured_size(const ExportDiff& view, size_t difference) {
  const GraphDifference* d = literal_at(view, difference);
  if (!d || d->literal_a.is_device()) return std::nullopt;
  if (d->literal_a.is_tensor() && !is_wrapped_number(view, *d)) return std::nullopt;
  Attribution a = literal_attribution(view, difference, "AS102");
  add_exports(view, *d, a);
  if (follows_type(view, *d)) {
    a.class_id = "AS107";
    a.place = looked_at_type(view.origins, place_of(located(*view.subject, d->step_a)));
    return a;
  }
  if (serves_other_layer(view, *d)) {
    a.class_id = "AS103";
    return a;
  }
  if (tell_origin(view, *d, a)) return a;
  fit_literal(view, *d, a);
  fit_escape(view, *d, a);
  if (a.fit) {
    a.fit_text = fit_sentence(a, *a.fit);
    // Of several sizes, none of which it is: `sum(int(n) for n in x.shape)`.
    if (!a.escape) a.place = only_place_of_escapes(view, *d);
  } else if (a.escape) {
    follow_escape(view, *d, a);
  } else {
    name_unfitted(view, *d, a);
  }
  return a;
}

}  // namespace assay::verify::diagnosis
