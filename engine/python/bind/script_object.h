#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "engine/api/module.h"
#include "engine/python/bind/traced_classes.h"

namespace assay::python {

/// An object of a compiled class (a module, most often) with the program that its methods are in:
/// `_engine.ScriptObject`. Objects that come out of it belong to the same program.
class ScriptObject {
 public:
  explicit ScriptObject(api::Module module, std::shared_ptr<TracedClasses> traced = nullptr)
      : module_(std::move(module)), traced_(std::move(traced)) {}

  api::Module& module() { return module_; }
  const core::ObjectRef& object() const { return module_.object(); }
  const core::ClassType& type() const { return *object()->type; }
  /// The object for others to refer to, by itself or by the name of its class.
  const core::ObjectRef& lent() const;
  /// Null where its class is no trace's.
  TracedClasses* traced() const { return traced_.get(); }

  /// Another object of the same program.
  ScriptObject with(const core::ObjectRef& object) const;
  pybind11::object get(const std::string& name) const;
  void set(const std::string& name, pybind11::handle value);
  pybind11::object call(const std::string& method, const pybind11::tuple& args,
                        const pybind11::dict& kwargs, bool hooks_too = true);
  /// A module whose methods have its state as constants, where they do not change it. `preserved`
  /// are further methods, or attributes, that stay.
  ScriptObject freeze(const std::vector<std::string>& preserved);
  /// With copies of everything that it holds if `deep`.
  ScriptObject copy(bool deep) const;

 private:
  api::Module module_;
  std::shared_ptr<TracedClasses> traced_;
};

/// Python classes whose compiled forms have these names: what enums and named tuples come back as.
void remember_python_class(const std::string& name, pybind11::object python_class);

void add_script_objects(pybind11::module_& module);

}  // namespace assay::python
