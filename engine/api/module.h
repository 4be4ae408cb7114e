#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/api/engine.h"
#include "engine/archive/importer.h"
#include "engine/core/value.h"
#include "engine/interp/interpreter.h"
#include "engine/ir/unit.h"
#include "engine/optimize/specialized_method.h"

namespace assay::api {

using interp::Keywords;

/// What the modules of one file share.
struct Program {
  explicit Program(ops::Context& context) : interpreter(unit, context) {}

  /// Parses code when it is first needed, so it lives as long as the unit.
  std::unique_ptr<archive::Importer> importer;
  ir::Unit unit;
  interp::Interpreter interpreter;
  /// Made anew when the object or the function has changed.
  struct Prepared {
    uint64_t version = 0;
    /// By the arguments' ranks.
    std::map<optimize::SpecializedMethod::Ranks, std::unique_ptr<optimize::SpecializedMethod>>
        by_ranks;
  };
  std::map<std::pair<const core::Object*, const ir::Function*>, Prepared> prepared;
};

/// A module: an object with its state, and the unit that holds its code. Copies are handles to the
/// same module.
class Module {
 public:
  Module(Engine engine, std::shared_ptr<Program> program, core::ObjectRef object);

  /// Another object of the same program.
  Module with(core::ObjectRef object) const { return Module(engine_, program_, std::move(object)); }

  Engine& engine() { return engine_; }
  const core::ObjectRef& object() const { return object_; }
  ir::Unit& unit() const { return program_->unit; }
  interp::Interpreter& interpreter() const { return program_->interpreter; }
  /// The file that the module was loaded from; null if it was not.
  const archive::Importer* importer() const { return program_->importer.get(); }
  /// "__torch__.Net"
  const std::string& class_name() const { return object_->type->name(); }

  /// Names of the methods that can be called, in order of definition.
  std::vector<std::string> methods() const;
  bool has_method(const std::string& method) const;
  /// Whether hooks run around forward.
  bool is_hooked() const {
    return !object_->type->pre_hooks.empty() || !object_->type->hooks.empty();
  }
  /// Signature, with `self` first. Input error if there is no such method.
  const ops::Schema& schema(const std::string& method) const;
  /// The method's graph. May be edited in place; call `function(method).touch()` after that.
  ir::Graph& graph(const std::string& method) const;
  ir::Function& function(const std::string& method) const;
  /// Source of the method in PyTorch's form (its `.code`), printed from the graph.
  std::string code(const std::string& method) const;

  /// Calls a method; its hooks run around it, as in PyTorch. Arguments are fitted to the signature
  /// as those of a Python caller (interp/arguments.h). Errors: input (the program raises, shapes do
  /// not fit), unsupported (an operator is missing); internal, if the optimized form fails where
  /// the method does not.
  core::Value call(const std::string& method, const core::Values& arguments,
                   const Keywords& keywords = {});
  core::Value forward(const core::Values& arguments, const Keywords& keywords = {}) {
    return call("forward", arguments, keywords);
  }

  /// Where a parameter, a buffer or another attribute lies.
  struct Slot {
    std::string path;  ///< "layer1.0.weight"
    core::ClassType::Role role;
    core::ObjectRef object;
    size_t index;  ///< Among the object's slots.

    const core::Value& value() const { return object->slots[index]; }
  };
  /// Of this module and its submodules, which are none themselves: each once, parents first.
  std::vector<Slot> slots() const;

  using Named = std::vector<std::pair<std::string, core::Value>>;
  /// Of this module and its submodules, by path ("layer1.0.weight"). None values are left out.
  Named parameters() const;
  Named buffers() const;
  /// Everything else but submodules: numbers, texts, lists, plain tensors.
  Named attributes() const;
  /// Submodules at any depth, by path; the module itself first, as "".
  std::vector<std::pair<std::string, core::ObjectRef>> modules() const;

  /// Moves every parameter, buffer and tensor attribute to the device, as PyTorch's Module.to.
  void to(core::Device device);
  /// Converts every floating-point one of them, as Module.to with an element type does.
  void to(core::DType dtype);
  /// Sets `training` of the module and all submodules that have it.
  void train(bool on = true);
  void eval() { train(false); }

  /// The result of the optimized form of the method (engine/optimize); nothing where there is none
  /// for such arguments, or while calls of operators are observed. Raises where the method does, in
  /// words of its own.
  std::optional<core::Value> call_optimized(const std::string& method,
                                            const core::Values& arguments);

 private:
  /// forward with the hooks before and behind it.
  core::Value call_hooked(core::Values arguments, const Keywords& keywords);
  /// Puts other bytes in place of the tensors' that are wanted.
  void convert(const std::function<bool(const core::Tensor&)>& wanted,
               std::optional<core::Device> device, std::optional<core::DType> dtype);
  /// The optimized form of the method for such arguments; null where there is none, or while calls
  /// of operators are observed. Input error for calls that cannot be inlined.
  optimize::SpecializedMethod* optimized_form(const std::string& method,
                                              const core::Values& arguments);
  core::Value run_optimized(optimize::SpecializedMethod& form, const core::Values& arguments);
  /// The optimized form of the method for arguments of these ranks; null where there is none.
  optimize::SpecializedMethod* prepare(const ir::Function& method,
                                       const optimize::SpecializedMethod::Ranks& ranks);

  Engine engine_;
  std::shared_ptr<Program> program_;
  core::ObjectRef object_;
};

}  // namespace assay::api
