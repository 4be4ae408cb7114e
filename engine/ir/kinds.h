#pragma once

#include "engine/base/symbol.h"
#include "engine/ops/facts.h"

namespace assay::ir {

/// What the outputs of a structural node may share storage with.
enum class Sharing : uint8_t {
  apart,    ///< Nothing.
  inputs,   ///< The node's inputs.
  outside,  ///< Anything that lives outside of the graph: attributes, what a function gives.
};

/// The facts of a kind of node that is no operator. Rows live in kinds.def, nowhere else.
struct Structure {
  base::Symbol kind;
  ops::Effect effect;  ///< Of the node itself; what its blocks do comes on top.
  Sharing sharing;
};

/// Null for operators and unknown kinds.
const Structure* structure_of(base::Symbol kind);

/// The structural kinds. Making a symbol from text is a look-up; these are made once.
struct Kinds {
#define KIND(identifier, name, effect, sharing) base::Symbol identifier{name};
#include "engine/ir/kinds.def"
#undef KIND
};

/// Of the whole process: kinds() keeps them at hand.
const Kinds& make_kinds();
inline const Kinds& kinds() {
  static const Kinds& all = make_kinds();
  return all;
}

/// The attribute `name` of nodes that read, write or call something by its name.
const base::Symbol& name_attribute();
/// Of a call of an unknown operator: the names of its last inputs, which are keyword arguments.
const base::Symbol& keywords_attribute();

}  // namespace assay::ir
