#include "engine/interp/instruction.h"

#include <gtest/gtest.h>

#include "tests/engine/interp/program.h"

namespace assay::interp {
namespace {

// Every scalar row of the table computes what the catalog's operator of the same kind computes.
TEST(Instruction, ScalarRowsAgreeWithTheCatalog) {
  using core::TypeKind;
  Program program;
  const TypeKind kinds[] = {TypeKind::integer, TypeKind::floating, TypeKind::boolean};
  const core::Values samples[] = {{-7, 2}, {-7.5, 2.0}, {true, false}};
  auto type = [](TypeKind k) { return core::simple_type(k)->str(); };
  int compared = 0;
  for (const char* name : {"add", "sub", "mul", "div", "floordiv", "remainder", "lt", "le", "gt",
                           "ge", "eq", "ne", "__and__", "__or__", "__xor__"}) {
    for (int l = 0; l < 3; ++l) {
      for (int r = 0; r < 3; ++r) {
        base::Symbol kind(std::string("aten::") + name);
        if (!scalar_opcode(kind, kinds[l], kinds[r])) continue;
        auto text = [&](const std::string& result) {
          return "graph(%x : " + type(kinds[l]) + ", %y : " + type(kinds[r]) +
                 "):\n  %z : " + result + " = " + kind.text() + "(%x, %y)\n  return (%z)\n";
        };
        const ops::Operator* op = ir::parse(text("Any"))->find_all(kind).at(0)->op();
        if (!op || !program.table.has(*op->functional, ops::Backend::reference)) continue;
        std::string program_text = text(op->schema.returns[0].type->str());
        program.interpreter.set_options({.scalar_instructions = true});
        core::Value fast = program.run(program_text, {samples[l][0], samples[r][1]});
        program.interpreter.set_options({.scalar_instructions = false});
        core::Value slow = program.run(program_text, {samples[l][0], samples[r][1]});
        EXPECT_TRUE(fast.same(slow)) << program_text;
        ++compared;
      }
    }
  }
  RecordProperty("compared", compared);
}

}  // namespace
}  // namespace assay::interp
