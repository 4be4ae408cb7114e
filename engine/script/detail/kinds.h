#pragma once

#include "engine/base/symbol.h"

namespace assay::script::detail {

/// Node kinds that the compiler asks for often. Making a symbol from text is a look-up; these are
/// made once.
struct Kinds {
  base::Symbol if_{"prim::If"};
  base::Symbol loop{"prim::Loop"};
  base::Symbol load{"prim::Load"};
  base::Symbol store{"prim::Store"};
  base::Symbol constant{"prim::Constant"};
  base::Symbol closure{"prim::Closure"};
  base::Symbol fork_closure{"prim::forkClosure"};
  base::Symbol comprehension{"prim::ComprehensionScope"};
  base::Symbol tuple{"prim::TupleConstruct"};
  base::Symbol tuple_unpack{"prim::TupleUnpack"};
  base::Symbol tuple_index{"prim::TupleIndex"};
  base::Symbol list{"prim::ListConstruct"};
  base::Symbol empty_list{"prim::EmptyListLiteral"};
  base::Symbol unchecked_cast{"prim::unchecked_cast"};
  base::Symbol uninitialized{"prim::Uninitialized"};
  base::Symbol break_{"prim::BreakStmt"};
  base::Symbol continue_{"prim::ContinueStmt"};
  base::Symbol return_{"prim::ReturnStmt"};
  base::Symbol loop_continuation{"prim::LoopContinuation"};
  base::Symbol raise{"prim::RaiseException"};
  base::Symbol with{"prim::With"};
  base::Symbol enter{"prim::Enter"};
  base::Symbol exit{"prim::Exit"};
  base::Symbol name{"name"};
};

inline const Kinds& kinds() {
  static const Kinds all;
  return all;
}

}  // namespace assay::script::detail
