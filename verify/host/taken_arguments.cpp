#include "verify/host/taken_arguments.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "verify/host/fields.h"

namespace assay::verify::host {

using core::Value;
using nlohmann::json;
using Keywords = std::vector<std::pair<std::string, Value>>;

namespace {

const Value* item_at(const core::Values& items, int64_t index) {
  bool inside = index >= 0 && index < std::ssize(items);
  return inside ? &items[static_cast<size_t>(index)] : nullptr;
}

/// The argument in which a path begins; null where the call has none there.
const Value* root_of(const ArgumentPath& path, const core::Values& args, const Keywords& kwargs) {
  if (const auto* position = std::get_if<int64_t>(&path[0])) return item_at(args, *position);
  auto found = std::find_if(kwargs.begin(), kwargs.end(), [&](const auto& keyword) {
    return keyword.first == std::get<std::string>(path[0]);
  });
  return found == kwargs.end() ? nullptr : &found->second;
}

const Value* field_of(const core::TupleObject& tuple, const std::string& name) {
  const core::TupleType* named = core::as_tuple(tuple.named);
  if (!named) return nullptr;
  auto found = std::find(named->fields.begin(), named->fields.end(), name);
  return found == named->fields.end() ? nullptr : &tuple.items[found - named->fields.begin()];
}

const Value* inside(const Value& value, const std::variant<int64_t, std::string>& step) {
  if (const auto* index = std::get_if<int64_t>(&step)) {
    if (value.is_list()) return item_at(value.list().items, *index);
    return value.is_tuple() ? item_at(value.tuple().items, *index) : nullptr;
  }
  const std::string& key = std::get<std::string>(step);
  if (value.is_dict()) return value.dict().find(key);
  return value.is_tuple() ? field_of(value.tuple(), key) : nullptr;
}

const Value* value_at(const ArgumentPath& path, const core::Values& args, const Keywords& kwargs) {
  const Value* value = root_of(path, args, kwargs);
  for (size_t i = 1; value && i < path.size(); ++i) value = inside(*value, path[i]);
  return value;
}

std::string text_of(const ArgumentPath& path) {
  std::vector<std::string> steps;
  for (const auto& step : path) {
    const auto* index = std::get_if<int64_t>(&step);
    steps.push_back(index ? std::to_string(*index) : std::get<std::string>(step));
  }
  return base::join(steps, ".");
}

json paths_tree(const std::vector<ArgumentPath>& paths) {
  json out = json::array();
  for (const ArgumentPath& path : paths) {
    json steps = json::array();
    for (const auto& step : path) std::visit([&](const auto& s) { steps.push_back(s); }, step);
    out.push_back(std::move(steps));
  }
  return out;
}

std::vector<ArgumentPath> read_paths(const json& list) {
  std::vector<ArgumentPath> out;
  for (const json& steps : list) {
    base::check(steps.is_array() && !steps.empty(), "a path to an argument is not a list of steps");
    ArgumentPath path;
    for (const json& step : steps) {
      if (step.is_string()) {
        path.emplace_back(step.get<std::string>());
      } else {
        path.emplace_back(detail::as_size(step, "a step to an argument"));
      }
    }
    out.push_back(std::move(path));
  }
  return out;
}

}  // namespace

TakenArguments TakenArguments::without_last_none(const core::Values& args) {
  auto last =
      std::find_if_not(args.rbegin(), args.rend(), [](const Value& v) { return v.is_none(); });
  auto kept = static_cast<int64_t>(args.rend() - last);
  TakenArguments taken;
  for (int64_t i = 0; i < std::ssize(args); ++i) {
    (i < kept ? taken.inputs : taken.absent).push_back({i});
  }
  return taken;
}

core::Values TakenArguments::chosen(const core::Values& args, const Keywords& kwargs) const {
  core::Values out;
  for (const ArgumentPath& path : inputs) {
    const Value* value = value_at(path, args, kwargs);
    base::check(value != nullptr, "the export has an input for ", text_of(path),
                ", and the call has nothing there");
    out.push_back(*value);
  }
  for (const ArgumentPath& path : absent) {
    const Value* value = value_at(path, args, kwargs);
    if (value && !value->is_none()) out.push_back(*value);
  }
  return out;
}

json taken_tree(const TakenArguments& taken) {
  return {{"inputs", paths_tree(taken.inputs)}, {"absent", paths_tree(taken.absent)}};
}

TakenArguments read_taken(const json& tree) {
  return {read_paths(detail::list_field(tree, "inputs")),
          read_paths(detail::list_field(tree, "absent"))};
}

}  // namespace assay::verify::host
