#pragma once

#include <memory>
#include <string>

#include "engine/core/value.h"
#include "engine/interp/interpreter.h"
#include "engine/ir/parser.h"
#include "engine/ir/verify.h"
#include "engine/kernels/reference/register.h"
#include "engine/ops/kernel_table.h"

namespace assay::interp {

/// A unit with functions read from graph text, and an interpreter over it.
struct Program {
  Program() {
    kernels::reference::register_kernels(table);
    context.kernels = &table;
  }

  ir::Function& add(const std::string& name, const std::string& text) {
    ir::ParseOptions options;
    options.resolve_type = [this](const std::string& type) { return unit.find_type(type); };
    auto graph = ir::parse(text, options);
    ir::ensure_valid(*graph, "in a test");
    return unit.define_function(name, graph);
  }

  core::Value run(const std::string& text, core::Values args) {
    return interpreter.run(add(unit.unique_name("f"), text), std::move(args));
  }

  ops::KernelTable table;
  ops::Context context;
  ir::Unit unit;
  Interpreter interpreter{unit, context};
};

}  // namespace assay::interp
