#include "engine/interp/code.h"

#include "engine/base/text.h"

namespace assay::interp {

namespace {

std::string register_text(uint32_t operand) {
  std::string out = "r" + std::to_string(operand & ~last_bit);
  return (operand & last_bit) ? out + "!" : out;
}

std::string site_text(const Site& site) {
  std::string out;
  if (site.op) out += site.op->qualified_name;
  if (!site.name.empty()) out += "'" + site.name + "'";
  out += "(";
  for (size_t i = 0; i < site.inputs.size(); ++i)
    out += (i ? ", " : "") + register_text(site.inputs[i]);
  return out + ")";
}

}  // namespace

void Code::forget_lookups() const {
  for (const Site& site : sites) {
    site.cache = {};
    if (site.code) site.code->forget_lookups();
  }
}

std::string Code::str() const {
  std::string out;
  for (size_t i = 0; i < instructions.size(); ++i) {
    const Instruction& instruction = instructions[i];
    const InstructionInfo& row = info(instruction.opcode);
    out += std::to_string(i) + " " + std::string(row.name);
    const uint32_t operands[] = {instruction.a, instruction.b, instruction.c};
    for (int k = 0; k < 3; ++k) {
      if (row.operands[k] == OperandKind::none) continue;
      out += " ";
      if (row.operands[k] == OperandKind::target)
        out += "->" + std::to_string(operands[k]);
      else if (row.operands[k] == OperandKind::site)
        out += site_text(sites[operands[k]]);
      else
        out += register_text(operands[k]);
      if (row.operands[k] == OperandKind::out) out += " =";
    }
    out += "\n";
  }
  return out;
}

}  // namespace assay::interp
