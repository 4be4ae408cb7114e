#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/core/value.h"

namespace assay::ops {

struct Context;

/// A method of a class that is implemented in C++.
struct NativeMethod {
  /// Its signature without `self`: "push(str item) -> int"; `-> ()` returns None. `__init__` makes
  /// an object, `__getstate__() -> T` and `__setstate__(T state) -> ()` save and restore it.
  std::string_view schema;
  /// `args[0]` is the object; the others are complete and of the schema's types.
  core::Value (*run)(Context& context, std::span<const core::Value> args);
};

/// A class that is implemented in C++ (`torch.classes.ns.Name`). What its objects keep is
/// core::Object::native.
struct NativeClass {
  std::string_view name;  ///< "__torch__.torch.classes.ns.Name"
  std::span<const NativeMethod> methods;
};

/// The method of a registered class by its qualified name; null if there is none.
const NativeMethod* find_native_method(std::string_view qualified_name);

/// Makes a class known, once per process and before programs use it. It must live as long as the
/// process. An internal error if the name is taken.
void register_native_class(const NativeClass& native);
/// Null if unknown.
const NativeClass* find_native_class(std::string_view name);

/// Whether a name is one of C++ classes, known or not, or of a method of one; and the class part of
/// such a name.
bool is_native_name(std::string_view qualified_name);
std::string native_class_of(std::string_view qualified_name);

/// Raises the error for what only a C++ library that is not there could do.
[[noreturn]] void refuse_native_class(std::string_view name);

}  // namespace assay::ops
