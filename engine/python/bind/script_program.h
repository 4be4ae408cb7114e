#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/api/module.h"
#include "engine/script/detail/definer.h"

namespace assay::python {

class PythonModule;
class PythonNames;

/// A piece of a Python file.
struct PythonText {
  std::string text;
  std::string file;
  int first_line = 1;
};

/// Everything that was compiled from Python in this process: one unit, whose functions know the
/// names of the Python functions that they were made of.
class ScriptProgram {
 public:
  ScriptProgram();

  const std::shared_ptr<api::Program>& program() const { return program_; }
  ir::Unit& unit() const { return program_->unit; }

  /// Compiles a function and gives back the name that it got: the wanted one unless that is taken.
  /// `declaration`, if any, has the signature: of an overload.
  std::string define_function(const std::string& name, const PythonText& source,
                              pybind11::object names, pybind11::dict defaults,
                              const std::optional<PythonText>& declaration = std::nullopt);
  /// Compiles all functions of a source text; they may call each other. `names` is told the name
  /// that each got, by its method `defined`, before any of them is compiled.
  void define_source(const PythonText& source, pybind11::object names);
  /// Adds a method (or hook) that is compiled when it is first needed, under the source's name or,
  /// if not empty, `name`. Gives back the name.
  std::string define_method(const core::ClassTypePtr& owner, const PythonText& source,
                            pybind11::object names, pybind11::dict defaults,
                            std::shared_ptr<PythonModule> module, const std::string& name,
                            script::detail::Definer::Role role,
                            const std::optional<PythonText>& declaration);
  /// A class of the language's own, or an interface, of these methods; `base` says which.
  struct Method {
    PythonText source;
    pybind11::dict defaults;
    std::string name;       ///< In place of the one that the text has, if it is not empty.
    bool of_class = false;  ///< Its first parameter is the class, which its names know.
  };
  void define_class(const std::string& name, const std::string& base,
                    const std::vector<Method>& methods, pybind11::object names);

  /// Forgets classes with their methods, which nothing refers to any more.
  void forget_classes(const std::vector<std::string>& names);
  /// The type that a text names: "List[int]", "__torch__.Net".
  core::TypePtr type_of(const std::string& text) const;
  /// Keeps a Python function that compiled code calls; gives back the key that the code has.
  std::string keep_outside(const std::string& name, pybind11::object function);

 private:
  struct Definition;
  Definition& add(pybind11::object names, pybind11::dict defaults);
  core::Value call_outside(const std::string& key, const core::Values& args,
                           const core::TypePtr& result);

  std::shared_ptr<api::Program> program_;
  std::vector<std::unique_ptr<Definition>> definitions_;
  std::unordered_map<std::string, pybind11::object> outside_;
};

/// The one of this process, which is never destroyed: it holds Python objects.
ScriptProgram& script_program();

/// A function's source, and the constants that it names CONSTANTS.c0, CONSTANTS.c1 ... A method's
/// (`of_class`) stands as in a class.
pybind11::tuple code_with_constants(ir::Function& function, ir::Unit& unit, bool of_class);

/// What programs print and warn of goes where Python's prints and warnings go.
void show_in_python(interp::Interpreter& interpreter);

}  // namespace assay::python
