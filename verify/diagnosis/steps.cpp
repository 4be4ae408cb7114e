#include "verify/diagnosis/steps.h"

#include "engine/ir/kinds.h"
#include "engine/ops/catalog.h"

namespace assay::verify::diagnosis {

bool is_glue(const Step& s) {
  return s.op == "aten::Int" || s.op == "aten::size" || s.op == "prim::NumToTensor" ||
         s.is(ir::kinds().list) || s.is(ir::kinds().tuple) || s.op == "}" || takes_entry(s);
}

bool writes_operand(const Step& step, size_t operand) {
  const ops::Operator* op = step.node ? step.node->op() : nullptr;
  if (!op || operand >= op->schema.arguments.size()) return false;
  const auto& alias = op->schema.arguments[operand].alias;
  return alias && alias->writes;
}

size_t first_that_does(const Program& program, size_t begin, size_t end) {
  for (size_t s = begin; s < end; ++s) {
    if (!is_glue(program.steps[s])) return s;
  }
  return begin;
}

std::vector<size_t> all_of(const ExportDiff& view, const std::set<size_t>& owners) {
  std::vector<size_t> all;
  for (size_t i = 0; i < view.alignment->differences.size(); ++i) {
    bool literal = view.alignment->differences[i].kind == GraphDifference::Kind::literal;
    if (!literal && owners.count(view.owners[i])) all.push_back(i);
  }
  return all;
}

}  // namespace assay::verify::diagnosis
