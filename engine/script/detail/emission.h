#pragma once

#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/ir/builder.h"
#include "engine/ir/constant.h"
#include "engine/ir/function.h"
#include "engine/ir/kinds.h"
#include "engine/ir/unit.h"
#include "engine/script/resolver.h"

namespace assay::script::detail {

using base::SourceRange;
using core::TypeKind;
using core::TypePtr;

/// A graph under construction and the place where the next node goes. Which nodes carry a source
/// range, and in which order values are made, is visible in a graph's text; both are as PyTorch has
/// them.
class Emission {
 public:
  Emission(ir::Graph& into, ir::Unit& names, ir::Function& made)
      : graph(into), unit(names), function(made), builder(into) {}

  ir::Graph& graph;
  ir::Unit& unit;
  ir::Function& function;  ///< What is being compiled.
  ir::Builder builder;

  ir::Node* insert(base::Symbol kind, const std::vector<ir::Value*>& inputs,
                   const std::vector<TypePtr>& types, const SourceRange& range = {}) {
    return place(graph.create(kind, inputs, types), range);
  }
  ir::Value* insert_one(base::Symbol kind, const std::vector<ir::Value*>& inputs, TypePtr type,
                        const SourceRange& range = {}) {
    return insert(kind, inputs, {std::move(type)}, range)->output();
  }
  ir::Node* place(ir::Node* node, const SourceRange& range) {
    if (range) node->set_range(range);
    return builder.insert(node);
  }

  ir::Value* constant(const core::Value& value, const SourceRange& range = {}) {
    return place(graph.create_constant(value), range)->output();
  }
  /// None with the type of what it could have been.
  ir::Value* none_of(TypePtr type) { return constant({})->set_type(std::move(type)); }
  ir::Value* uninitialized(TypePtr type) {
    return insert_one(ir::kinds().uninitialized, {}, std::move(type));
  }
  ir::Value* unchecked_cast(ir::Value* value, TypePtr type) {
    return insert_one(ir::kinds().unchecked_cast, {value}, std::move(type));
  }
  ir::Value* list(TypePtr element, const std::vector<ir::Value*>& items) {
    return insert_one(ir::kinds().list, items, core::list_of(std::move(element)));
  }
  ir::Value* tuple(const std::vector<ir::Value*>& items, TypePtr named = nullptr,
                   const SourceRange& range = {}) {
    std::vector<TypePtr> types;
    for (ir::Value* item : items) types.push_back(item->type());
    TypePtr type = named ? std::move(named) : core::tuple_of(std::move(types));
    return insert_one(ir::kinds().tuple, items, std::move(type), range);
  }
  /// The members of a tuple; no node is needed where the tuple was just built.
  std::vector<ir::Value*> members(ir::Value* tuple) {
    if (tuple->node()->is(ir::kinds().tuple)) return tuple->node()->inputs();
    return insert(ir::kinds().tuple_unpack, {tuple}, tuple->type()->contained())->outputs();
  }
  ir::Value* tuple_index(ir::Value* tuple, ir::Value* index, TypePtr type) {
    return insert_one(ir::kinds().tuple_index, {tuple, index}, std::move(type));
  }
};

/// An argument of a call: a value of the graph, or a constant that becomes one when it is needed.
struct Actual {
  ir::Value* value = nullptr;
  std::string name = {};
  core::Value constant = {};

  ir::Value* get(Emission& emission) const { return value ? value : emission.constant(constant); }
};

using Actuals = std::vector<Actual>;

inline bool is_tensor(const ir::Value* value) { return value->type()->is(TypeKind::tensor); }

}  // namespace assay::script::detail
