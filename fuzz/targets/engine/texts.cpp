#include "engine/ir/parser.h"
#include "engine/ir/printer.h"
#include "engine/ir/verify.h"
#include "engine/ops/schema_parser.h"
#include "engine/script/compiler.h"
#include "fuzz/targets/engine/targets.h"

namespace assay::fuzz {

void parse_script(std::string_view bytes) {
  ir::Unit unit;
  script::compile_source(unit, std::string(bytes));
  for (const auto& function : unit.functions()) ir::verify(function->graph());
}

void parse_graph(std::string_view bytes) {
  auto graph = ir::parse(bytes);
  ir::verify(*graph);
  ir::parse(graph->str());
}

void parse_schema(std::string_view bytes) { ops::parse_schema(ops::parse_schema(bytes).str()); }

}  // namespace assay::fuzz
