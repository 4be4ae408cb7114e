#include "engine/ops/native_class.h"

#include <map>
#include <mutex>

#include "engine/base/error.h"

namespace assay::ops {
namespace {

constexpr std::string_view prefix = "__torch__.torch.classes.";

struct Registry {
  std::mutex mutex;
  std::map<std::string_view, const NativeClass*> classes;
};

Registry& registry() {
  static Registry instance;
  return instance;
}

}  // namespace

void register_native_class(const NativeClass& native) {
  base::invariant(is_native_name(native.name), native.name, " is no name of a C++ class");
  std::lock_guard lock(registry().mutex);
  bool fresh = registry().classes.emplace(native.name, &native).second;
  base::invariant(fresh, "class ", native.name, " is registered twice");
}

const NativeClass* find_native_class(std::string_view name) {
  std::lock_guard lock(registry().mutex);
  auto found = registry().classes.find(name);
  return found == registry().classes.end() ? nullptr : found->second;
}

const NativeMethod* find_native_method(std::string_view qualified_name) {
  if (!is_native_name(qualified_name)) return nullptr;
  std::string class_name = native_class_of(qualified_name);
  const NativeClass* native = find_native_class(class_name);
  if (!native || qualified_name.size() <= class_name.size()) return nullptr;
  std::string_view name = qualified_name.substr(class_name.size() + 1);
  for (const NativeMethod& method : native->methods) {
    if (method.schema.substr(0, method.schema.find('(')) == name) return &method;
  }
  return nullptr;
}

bool is_native_name(std::string_view qualified_name) {
  if (!qualified_name.starts_with(prefix)) return false;
  size_t dot = qualified_name.find('.', prefix.size());
  return dot != std::string_view::npos && dot + 1 < qualified_name.size();
}

std::string native_class_of(std::string_view qualified_name) {
  size_t space = qualified_name.find('.', prefix.size());
  return std::string(qualified_name.substr(0, qualified_name.find('.', space + 1)));
}

void refuse_native_class(std::string_view name) {
  base::unsupported("class ", name.substr(prefix.find('.') + 1),
                    " is implemented in a C++ library that assay does not have");
}

}  // namespace assay::ops
