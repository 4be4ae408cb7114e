#include "verify/properties/batch_independent.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "engine/base/text.h"
#include "verify/properties/judging.h"

namespace assay::verify {

namespace {

/// Rows [from, to) of every tensor; containers keep their form, scalars stay.
core::Value rows(const core::Value& value, int64_t from, int64_t to) {
  auto all = [&](const core::Values& items) {
    core::Values out;
    for (const core::Value& item : items) out.push_back(rows(item, from, to));
    return out;
  };
  if (value.is_tensor()) {
    core::Tensor tensor = value.to_tensor();
    core::Dims sizes = tensor.sizes();
    sizes[0] = to - from;
    return tensor.view(sizes, tensor.strides(), tensor.offset() + from * tensor.stride(0));
  }
  if (value.is_list()) return core::make_list(value.list().element, all(value.list().items));
  if (value.is_tuple()) return core::make_tuple(all(value.tuple().items));
  if (value.is_dict()) {
    core::DictRef out = core::make_dict(value.dict().key, value.dict().value);
    for (const auto& entry : value.dict().entries())
      out->set(entry.key, rows(entry.value, from, to));
    return out;
  }
  return value;
}

Case part_of(const Case& c, int64_t from, int64_t to) {
  Call call = materialize(c);
  for (core::Value& arg : call.args) arg = rows(arg, from, to);
  for (auto& [name, arg] : call.kwargs) arg = rows(arg, from, to);
  Case out = given_case(std::move(call));
  out.point = c.point;
  return out;
}

/// Every tensor among the outputs that has `size` rows, cut to [from, to); false if one has not.
bool cut(core::Value& outputs, int64_t size, int64_t from, int64_t to) {
  if (outputs.is_tensor()) {
    core::Tensor tensor = outputs.to_tensor();
    if (tensor.dim() == 0 || tensor.size(0) != size) return false;
    outputs = rows(outputs, from, to);
    return true;
  }
  if (!outputs.is_list() && !outputs.is_tuple()) return false;
  const core::Values& items = outputs.is_list() ? outputs.list().items : outputs.tuple().items;
  core::Values parts = items;
  for (core::Value& part : parts) {
    if (!cut(part, size, from, to)) return false;
  }
  outputs = core::make_tuple(std::move(parts));
  return !items.empty();
}

core::Value as_tuples(const core::Value& value) {
  if (!value.is_list() && !value.is_tuple()) return value;
  core::Values parts = value.is_list() ? value.list().items : value.tuple().items;
  for (core::Value& part : parts) part = as_tuples(part);
  return core::make_tuple(std::move(parts));
}

/// What belongs to rows alone: sharing, inputs and state differ between a whole and its parts.
CompareOptions values_only(CompareOptions options) {
  options.strides = options.aliasing = options.inputs = options.state = false;
  return options;
}

}  // namespace

std::string batch_letter(const Spec& spec) {
  std::string letter;
  for (const InputPlace& place : input_places(spec)) {
    if (place.tree->kind != InputTree::Kind::tensor) continue;
    const std::vector<ShapeItem>& shape = place.tree->shape;
    if (shape.empty() || shape[0].kind != ShapeItem::Kind::size || !shape[0].size.is_letter()) {
      return {};
    }
    std::string leading = shape[0].size.text();
    if (!letter.empty() && letter != leading) return {};
    letter = leading;
    std::set<std::string> elsewhere;
    for (size_t d = 1; d < shape.size(); ++d) shape[d].size.collect_letters(elsewhere);
    if (elsewhere.count(letter)) return {};
  }
  return letter;
}

std::string BatchIndependent::not_applicable(const PropertyContext& context) const {
  const auto& wanted = context.spec->properties;
  bool asked_for = std::find(wanted.begin(), wanted.end(), id()) != wanted.end();
  if (context.reference && !asked_for)
    return "there is a reference, and the spec does not ask for it";
  return batch_letter(*context.spec).empty() ? "no letter leads every tensor input" : "";
}

Judgement BatchIndependent::judge(const PropertyContext& context, const Case& c) const {
  Judgement out;
  Runner& runner = *context.subject->runner;
  out.reason = cannot_run(runner, c);
  if (!out.reason.empty()) return out;
  int64_t size = c.point.sizes.at(batch_letter(*context.spec));
  if (size < 2) {  // There is nothing that the law speaks of.
    out.verdict = Judgement::Verdict::discarded;
    out.reason = "fewer than two rows";
    return out;
  }
  Observation whole = runner.run(c);
  int64_t half = size / 2;
  for (auto [from, to] : {std::pair{int64_t{0}, half}, std::pair{half, size}}) {
    Case smaller = part_of(c, from, to);
    Observation part = runner.run(smaller);
    Observation expected = whole;
    if (whole.ending == Ending::returned && !cut(expected.outputs, size, from, to)) {
      out.reason = "an output has no row per row of the input";
      return out;
    }
    part.outputs = as_tuples(part.outputs);
    auto rounded = [&](uint64_t draw) {
      auto moved = runner.run_rounded(smaller, draw);
      if (moved) moved->run.outputs = as_tuples(moved->run.outputs);
      if (moved && moved->plain) moved->plain->outputs = as_tuples(moved->plain->outputs);
      return moved;
    };
    Comparison comparison =
        compare_adjudicated(part, expected, values_only(context.compare), rounded);
    out = judge_comparison(std::move(comparison), std::move(part), std::move(expected));
    if (out.verdict != Judgement::Verdict::holds) return out;
  }
  return out;
}

}  // namespace assay::verify
