#include "verify/observation/aliases.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/base/text.h"

namespace assay::verify {

namespace {

using core::Value;
using Groups = std::map<const core::Storage*, std::set<std::string>>;

std::string key_text(const Value& key) {
  if (key.is_string()) return base::python_repr(key.to_string());
  if (key.is_int()) return std::to_string(key.to_int());
  return key.kind_name();
}

void collect(const std::string& path, const Value& value, Groups& groups) {
  if (value.is_tensor()) {
    core::Tensor tensor = value.to_tensor();
    if (tensor.defined() && tensor.numel() > 0) groups[tensor.storage().get()].insert(path);
  } else if (value.is_list() || value.is_tuple()) {
    const core::Values& items = value.is_list() ? value.list().items : value.tuple().items;
    for (size_t i = 0; i < items.size(); ++i)
      collect(fmt::format("{}[{}]", path, i), items[i], groups);
  } else if (value.is_dict()) {
    for (const auto& entry : value.dict().entries())
      collect(fmt::format("{}[{}]", path, key_text(entry.key)), entry.value, groups);
  } else if (value.is_object() && !value.object().type->is_module()) {
    const core::Object& object = value.object();
    for (size_t i = 0; i < object.slots.size(); ++i)
      collect(fmt::format("{}.{}", path, object.type->attributes()[i].name), object.slots[i],
              groups);
  }
}

}  // namespace

std::vector<std::vector<std::string>> alias_groups(const std::vector<AliasRoot>& roots) {
  Groups groups;
  for (const auto& [path, value] : roots) collect(path, value, groups);
  std::vector<std::vector<std::string>> out;
  for (const auto& [storage, paths] : groups)
    if (paths.size() > 1) out.emplace_back(paths.begin(), paths.end());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace assay::verify
