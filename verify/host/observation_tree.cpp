#include "verify/host/observation_tree.h"

#include <fmt/core.h>

#include <array>

#include "engine/base/error.h"
#include "engine/core/host_access.h"
#include "verify/host/fields.h"
#include "verify/observation/aliases.h"

namespace assay::verify::host {

using core::Value;
using nlohmann::json;

namespace {

constexpr std::array kEndings = {
    std::pair{Ending::returned, "returned"},   std::pair{Ending::raised, "raised"},
    std::pair{Ending::died, "died"},           std::pair{Ending::timed_out, "timed_out"},
    std::pair{Ending::exhausted, "exhausted"}, std::pair{Ending::invalid_reply, "invalid_reply"},
    std::pair{Ending::not_run, "not_run"},
};
constexpr std::array kStateKinds = {
    std::pair{StateChange::Kind::parameter, "parameter"},
    std::pair{StateChange::Kind::buffer, "buffer"},
    std::pair{StateChange::Kind::attribute, "attribute"},
    std::pair{StateChange::Kind::global, "global"},
};

template <typename Table, typename Kind>
const char* name_in(const Table& table, Kind kind) {
  for (const auto& [value, name] : table)
    if (value == kind) return name;
  base::unreachable("a kind without a name");
}

template <typename Table>
auto kind_in(const Table& table, std::string_view name, std::string_view what) {
  for (const auto& [value, known] : table)
    if (name == known) return value;
  base::fail("unknown ", what, " \"", name.substr(0, 40), "\"");
}

json place_tree(const SourceLocation& place) {
  return {{"file", place.file}, {"line", place.line}, {"function", place.function}};
}

SourceLocation read_place(const json& tree) {
  SourceLocation place;
  place.file = detail::text_field(tree, "file", "");
  if (const json* line = detail::optional_field(tree, "line"))
    place.line = static_cast<int>(std::min<int64_t>(detail::as_size(*line, "line"), INT32_MAX));
  place.function = detail::text_field(tree, "function", "");
  return place;
}

json failure_tree(const Failure& failure) {
  json frames = json::array();
  for (const SourceLocation& frame : failure.frames) frames.push_back(place_tree(frame));
  return {{"type", failure.type},
          {"message", failure.message},
          {"phase", failure.phase},
          {"place", failure.place.file.empty() ? json() : place_tree(failure.place)},
          {"frames", frames}};
}

json touched_tree(const DeviceUsage& touched) {
  return {{"ops", touched.operators},
          {"devices", touched.devices},
          {"copies", touched.copies},
          {"syncs", touched.syncs}};
}

base::FlatMap<int64_t> read_counts(const json& tree, std::string_view name) {
  base::FlatMap<int64_t> counts;
  const json& held = detail::field(tree, name);
  base::check(held.is_object(), "\"", name, "\" is not an object");
  for (const auto& [key, value] : held.items()) counts[key] = detail::as_size(value, name);
  return counts;
}

DeviceUsage read_touched(const json& tree) {
  DeviceUsage touched;
  touched.operators = read_counts(tree, "ops");
  touched.devices = read_counts(tree, "devices");
  touched.copies = detail::as_size(detail::field(tree, "copies"), "copies");
  touched.syncs = detail::as_size(detail::field(tree, "syncs"), "syncs");
  return touched;
}

std::vector<std::vector<std::string>> read_groups(const json& tree) {
  base::check(tree.is_array(), "\"aliases\" is not a list");
  std::vector<std::vector<std::string>> groups;
  for (const json& group : tree) {
    base::check(group.is_array(), "an alias group is not a list");
    groups.emplace_back();
    for (const json& path : group) groups.back().push_back(detail::as_text(path, "aliases"));
  }
  return groups;
}

/// From the storages of what was just read, and of state that lies in one of them.
std::vector<std::vector<std::string>> find_groups(const Observation& seen, const json& tree,
                                                  TreeReader& reader) {
  std::vector<AliasRoot> roots = {{"output", seen.outputs}};
  for (size_t i = 0; i < seen.args_after.size(); ++i)
    roots.emplace_back(fmt::format("args[{}]", i), seen.args_after[i]);
  for (const auto& [name, value] : seen.kwargs_after)
    roots.emplace_back(fmt::format("kwargs[{}]", base::python_repr(name)), value);
  for (const StateChange& change : seen.state)
    roots.emplace_back("state:" + change.path, change.value);
  const json* state = detail::optional_field(tree, "state");
  const json* storages = state ? detail::optional_field(*state, "storages") : nullptr;
  if (storages && storages->is_object()) {
    for (const auto& [path, number] : storages->items()) {
      core::StorageRef memory = reader.storage(detail::as_size(number, "storages"));
      if (!memory || memory->nbytes() == 0) continue;
      std::array<int64_t, 1> one = {1};
      auto stand_in = core::Tensor::view_of(memory, 0, one, one, core::DType::uint8);
      roots.emplace_back("state:" + path, stand_in);
    }
  }
  return alias_groups(roots);
}

json number_tree(const core::Scalar& v) {
  if (v.is_bool()) return v.to_bool();
  return v.is_int() ? json(v.to_int()) : json(v.to_double());
}

std::optional<core::Scalar> read_number(const json& tree) {
  if (tree.is_boolean()) return tree.get<bool>();
  if (tree.is_number_integer()) return detail::as_int(tree, "value");
  if (tree.is_number_float()) return tree.get<double>();
  return std::nullopt;
}

std::vector<core::Scalar> read_numbers(const json& list) {
  base::check(list.is_array(), "\"numbers\" is not a list");
  std::vector<core::Scalar> out;
  for (const json& item : list) {
    auto number = read_number(item);
    base::check(number.has_value(), "\"numbers\" holds what is no number");
    out.push_back(*number);
  }
  return out;
}

/// The elements of a gradient; none where there is no gradient.
std::vector<double> read_elements(const json& told, TreeReader& reader) {
  if (told.is_null()) return {};
  core::Value value = reader.value(told);
  base::check(value.is_tensor(), "a gradient is no tensor");
  core::Tensor gradient = value.to_tensor();
  bool plain = gradient.dtype() == core::DType::float64 && gradient.is_contiguous() &&
               core::has_bytes(gradient);
  base::check(plain, "a gradient is no row of numbers");
  const double* first = gradient.device_data<double>();
  return {first, first + gradient.numel()};
}

}  // namespace

std::string_view ending_name(Ending ending) { return name_in(kEndings, ending); }
Ending ending_from_name(std::string_view name) { return kind_in(kEndings, name, "ending"); }

json named_trees(const std::vector<std::pair<std::string, Value>>& values, TreeWriter& writer) {
  json pairs = json::array();
  for (const auto& [name, value] : values) pairs.push_back(json::array({name, writer.tree(value)}));
  return pairs;
}

std::vector<std::pair<std::string, Value>> read_named_values(const json& pairs,
                                                             TreeReader& reader) {
  base::check(pairs.is_array(), "expected a list of names and values");
  std::vector<std::pair<std::string, Value>> out;
  for (const json& pair : pairs) {
    base::check(pair.is_array() && pair.size() == 2, "expected a name and a value");
    out.emplace_back(detail::as_text(pair[0], "name"), reader.value(pair[1]));
  }
  return out;
}

std::vector<Warning> read_warnings(const json& list) {
  base::check(list.is_array(), "\"warnings\" is not a list");
  std::vector<Warning> out;
  for (const json& item : list)
    out.push_back({detail::text_field(item, "category"), detail::text_field(item, "message"),
                   read_place(item)});
  return out;
}

json escapes_tree(const std::vector<Escape>& escapes) {
  json out = json::array();
  for (const Escape& escape : escapes) {
    json item = place_tree(escape.place);
    item["kind"] = escape.kind;
    item["value"] = escape.value ? number_tree(*escape.value) : json();
    for (const core::Scalar& number : escape.numbers) {
      item["numbers"].push_back(number_tree(number));
    }
    out.push_back(std::move(item));
  }
  return out;
}

std::vector<Escape> read_escapes(const json& list) {
  base::check(list.is_array(), "\"escapes\" is not a list");
  std::vector<Escape> out;
  for (const json& item : list) {
    Escape escape{detail::text_field(item, "kind"), read_number(detail::field(item, "value")),
                  read_place(item)};
    if (const json* numbers = detail::optional_field(item, "numbers")) {
      escape.numbers = read_numbers(*numbers);
    }
    out.push_back(std::move(escape));
  }
  return out;
}

Failure read_failure(const json& error) {
  Failure failure;
  failure.type = detail::text_field(error, "type");
  failure.message = detail::text_field(error, "message");
  failure.phase = detail::text_field(error, "phase", "");
  const json* place = detail::optional_field(error, "place");
  if (place && !place->is_null()) failure.place = read_place(*place);
  if (const json* frames = detail::optional_field(error, "frames"); frames && frames->is_array())
    for (const json& frame : *frames) failure.frames.push_back(read_place(frame));
  return failure;
}

std::vector<StateChange> read_state(const json& state, TreeReader& reader) {
  std::vector<StateChange> out;
  for (const json& item : detail::list_field(state, "changed")) {
    StateChange change;
    change.path = detail::text_field(item, "path");
    change.kind = kind_in(kStateKinds, detail::text_field(item, "kind"), "kind of state");
    const json& value = detail::field(item, "value");
    change.removed = detail::text_field(value, "t") == "removed";
    if (!change.removed) change.value = reader.value(value);
    out.push_back(std::move(change));
  }
  return out;
}

json observation_tree(const Observation& seen, TreeWriter& writer) {
  json changed = json::array();
  for (const StateChange& change : seen.state)
    changed.push_back(
        {{"path", change.path},
         {"kind", name_in(kStateKinds, change.kind)},
         {"value", change.removed ? json{{"t", "removed"}} : writer.tree(change.value)}});
  json warnings = json::array();
  for (const Warning& warning : seen.warnings) {
    json item = place_tree(warning.place);
    item["category"] = warning.category;
    item["message"] = warning.message;
    warnings.push_back(std::move(item));
  }
  json out = {{"ending", ending_name(seen.ending)},
              {"error", seen.failure ? failure_tree(*seen.failure) : json()},
              {"outputs", writer.tree(seen.outputs)},
              {"args_after", writer.trees(seen.args_after)},
              {"kwargs_after", named_trees(seen.kwargs_after, writer)},
              {"inputs_changed", seen.inputs_changed},
              {"state", {{"changed", changed}}},
              {"aliases", seen.aliases},
              {"warnings", warnings},
              {"printed", seen.printed},
              {"wall_s", seen.wall_seconds}};
  if (seen.device_usage) out["touched"] = touched_tree(*seen.device_usage);
  return out;
}

GradientFlow read_gradient_flow(const json& tree, TreeReader& reader) {
  GradientFlow flow;
  std::string kind = detail::text_field(tree, "kind");
  const json& failed = detail::field(tree, "failed");
  if (!failed.is_null()) flow.failed = detail::as_text(failed, "failed");
  if (kind == "unknown") {
    flow.reason = detail::text_field(tree, "reason");
    return flow;
  }
  bool values = kind == "values";
  base::check(values || kind == "cuts", "gradients of an unknown kind");
  flow.kind = values ? GradientFlow::Kind::values : GradientFlow::Kind::cuts;
  flow.precision = detail::as_float(detail::field(tree, "precision"), "precision");
  for (const json& place : detail::list_field(tree, "switches"))
    flow.switches.push_back(read_place(place));
  const json& of = detail::field(tree, "of");
  base::check(of.is_object(), "\"of\" is not an object");
  for (const auto& [name, told] : of.items()) flow.values[name] = read_elements(told, reader);
  if (values) return flow;
  for (const json& name : detail::list_field(tree, "own_derivatives"))
    flow.own_derivatives.push_back(detail::as_text(name, "own derivative"));
  const json& cuts = detail::field(tree, "cuts");
  base::check(cuts.is_object(), "\"cuts\" is not an object");
  for (const auto& [name, told] : cuts.items()) {
    base::check(told.is_array(), "cuts are not a list");
    for (const json& cut : told) flow.cuts[name].push_back(detail::as_text(cut, "cut"));
    flow.cuts[name];  // Also where there are none.
  }
  return flow;
}

Observation read_observation(const json& tree, TreeReader& reader) {
  Observation seen;
  const json* error = detail::optional_field(tree, "error");
  bool failed = error && !error->is_null();
  if (failed) seen.failure = read_failure(*error);
  bool prepared = !failed || seen.failure->phase != "prepare";
  std::string ending = !failed ? "returned" : prepared ? "raised" : "not_run";
  seen.ending = ending_from_name(detail::text_field(tree, "ending", ending));
  base::check((seen.ending == Ending::returned) != failed, "an ending that its error contradicts");

  const json* outputs = detail::optional_field(tree, "outputs");
  if (outputs && !outputs->is_null()) seen.outputs = reader.value(*outputs);
  if (const json* args = detail::optional_field(tree, "args_after"))
    seen.args_after = reader.values(*args);
  if (const json* kwargs = detail::optional_field(tree, "kwargs_after"))
    seen.kwargs_after = read_named_values(*kwargs, reader);
  if (const json* changed = detail::optional_field(tree, "inputs_changed"))
    seen.inputs_changed = detail::as_bool(*changed, "inputs_changed");
  if (const json* state = detail::optional_field(tree, "state"))
    seen.state = read_state(*state, reader);
  const json* groups = detail::optional_field(tree, "aliases");
  seen.aliases = groups ? read_groups(*groups) : find_groups(seen, tree, reader);
  if (const json* warnings = detail::optional_field(tree, "warnings"))
    seen.warnings = read_warnings(*warnings);
  seen.printed = detail::text_field(tree, "printed", "");
  if (const json* wall = detail::optional_field(tree, "wall_s"))
    seen.wall_seconds = detail::as_float(*wall, "wall_s");
  if (const json* touched = detail::optional_field(tree, "touched"))
    seen.device_usage = read_touched(*touched);
  return seen;
}

}  // namespace assay::verify::host
