#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <unordered_map>

#include "engine/script/module_value.h"

namespace assay::python {

/// What names of Python mean to the compiler. Python decides: `torch/jit/_names.py` describes an
/// object as a tuple of a tag and what belongs to it; these classes make the compiler's values of
/// such descriptions.
///
///   ("constant", value, type text or None)   ("builtin", "aten::add")   ("form", "prim::annotate")
///   ("function", qualified name)             ("namedtuple" | "enum", qualified name)
///   ("class", qualified name, function: static method -> description or None)
///   ("member", qualified name of an enum, name)  ("library", name of a library of operators)
///   ("exception", qualified name)            ("namespace", name, function: member -> description)
///   ("overloads", name, [description])       ("tuple", [description])
///   ("switch", name, parameter, position, default, if true, if false)
///   ("outside" | "dropped", name, function, [(parameter, type)], result, bound to the module?)
///   ("method" | "property", name)            ("operators", name)           ("opaque", what it is)
///   ("tensor of", name, dtype)
script::StaticValuePtr from_description(pybind11::handle description,
                                        script::detail::Emission& emission,
                                        const base::SourceRange& range,
                                        ir::Value* module_self = nullptr);

/// A module of Python while methods of its class are compiled.
class PythonModule final : public script::OutsideModule {
 public:
  /// `shape` is torch.jit._recursive's ModuleShape: it knows everything that is no attribute.
  PythonModule(core::ClassTypePtr class_type, Kind kind, pybind11::object shape)
      : type(std::move(class_type)), kind_(kind), shape_(std::move(shape)) {}

  const core::ClassTypePtr type;
  void add(std::string name, std::shared_ptr<OutsideModule> module) {
    submodules_.emplace_back(std::move(name), std::move(module));
  }

  Kind kind() const override { return kind_; }
  const Submodules& submodules() const override { return submodules_; }
  script::StaticValuePtr member(Emission& emission, const base::SourceRange& range, ir::Value* self,
                                const std::string& name) override;
  std::string why_missing(const std::string& name) const override;

 private:
  Kind kind_;
  Submodules submodules_;
  pybind11::object shape_;
};

/// The names that one Python function sees.
class PythonNames final : public script::Resolver {
 public:
  /// `names` has the methods value(name) -> description, or None, and type(name) -> qualified name,
  /// or None.
  PythonNames(ir::Unit& unit, pybind11::object names) : unit_(unit), names_(std::move(names)) {}

  /// The function whose default values and `self` these are.
  const script::FunctionDef* def = nullptr;
  /// It is the body of a declared overload: defaults that are not of the declared types do not
  /// count.
  bool is_overload = false;
  pybind11::dict defaults;
  std::shared_ptr<PythonModule> module;

  script::StaticValuePtr resolve_value(const std::string& name, script::detail::Emission& emission,
                                       const base::SourceRange& range) override;
  core::TypePtr resolve_type(const std::string& name, const base::SourceRange& range) override;
  script::StaticValuePtr self_value(ir::Value* self) override;
  std::optional<core::Value> default_value(const script::FunctionDef& of,
                                           const script::Param& parameter,
                                           const core::TypePtr& type) override;

 private:
  ir::Unit& unit_;
  pybind11::object names_;
};

/// Runs what calls Python, with a Python error as an input error of the engine.
template <typename Body>
auto asking_python(const Body& body) -> decltype(body()) {
  try {
    return body();
  } catch (pybind11::error_already_set& error) {
    if (error.matches(PyExc_OSError)) throw;  // No source: it says so itself.
    throw base::Error(base::ErrorKind::input, pybind11::str(error.value()).cast<std::string>());
  }
}

}  // namespace assay::python
