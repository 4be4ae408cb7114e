#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/script/emitter.h"
#include "engine/script/type_parser.h"

namespace assay::script::detail {

/// Puts the definitions of a source into a unit: what an archive's code and a source text have in
/// common. Functions and methods compile on first use. Must outlive the unit's functions.
class Definer {
 public:
  Definer(ir::Unit& unit, Resolver& resolver)
      : unit_(unit),
        resolver_(resolver),
        types_(
            [&resolver](const std::string& name, const base::SourceRange& range) {
              return resolver.resolve_type(name, range);
            },
            [this](const Expr& expr, const core::TypePtr& type) {
              return compute_constant(expr, type, resolver_, unit_);
            }) {}

  const TypeParser& types() const { return types_; }
  /// Called with each function right after it was compiled.
  void set_revise(std::function<void(ir::Function&)> revise) { revise_ = std::move(revise); }

  /// Names are qualified: `__torch__.a.f`.
  void define_function(const std::string& name, std::shared_ptr<const FunctionDef> def);
  /// A class, module, named tuple, enum or interface, as its base class says.
  void define_class(const std::string& name, const std::shared_ptr<const ClassDef>& def);
  /// A method; `role` tells hooks from other methods.
  enum class Role { method, pre_hook, hook };
  void define_method(const core::ClassTypePtr& owner, std::shared_ptr<const FunctionDef> def,
                     Role role = Role::method);

 private:
  ops::Schema signature(const FunctionDef& def, const core::TypePtr& self);
  void define_object(const std::string& name, const ClassDef& def, bool is_module);
  void define_named_tuple(const std::string& name, const ClassDef& def);
  void define_enum(const std::string& name, const ClassDef& def);
  void define_interface(const std::string& name, const ClassDef& def, bool is_module);

  ir::Unit& unit_;
  Resolver& resolver_;
  std::function<void(ir::Function&)> revise_;
  TypeParser types_;
};

}  // namespace assay::script::detail
