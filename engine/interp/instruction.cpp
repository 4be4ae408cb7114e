#include "engine/interp/instruction.h"

#include <map>
#include <tuple>

namespace assay::interp {

namespace {

using core::TypeKind;

constexpr InstructionInfo table[] = {
#define INSTRUCTION(name, a, b, c, meaning) \
  {#name, {OperandKind::a, OperandKind::b, OperandKind::c}, meaning},
#define UNARY(name, kind, type, result, expression) \
  {#name, {OperandKind::out, OperandKind::in, OperandKind::none}, #expression},
#define BINARY(name, kind, left, right, result, expression) \
  {#name, {OperandKind::out, OperandKind::in, OperandKind::in}, #expression},
#include "engine/interp/instruction.def"
#undef INSTRUCTION
#undef UNARY
#undef BINARY
};

// Node kind and operand types; a unary one has `none` on the right, which no scalar is.
using Key = std::tuple<uint32_t, TypeKind, TypeKind>;

const std::map<Key, Opcode>& scalars() {
  static const auto made = [] {
    std::map<Key, Opcode> all;
#define INSTRUCTION(name, a, b, c, meaning)
#define UNARY(name, kind, type, result, expression) \
  all[{base::Symbol(kind).id(), TypeKind::type, TypeKind::none}] = Opcode::name;
#define BINARY(name, kind, left, right, result, expression) \
  all[{base::Symbol(kind).id(), TypeKind::left, TypeKind::right}] = Opcode::name;
#include "engine/interp/instruction.def"
#undef INSTRUCTION
#undef UNARY
#undef BINARY
    return all;
  }();
  return made;
}

}  // namespace

const InstructionInfo& info(Opcode opcode) { return table[static_cast<size_t>(opcode)]; }

std::optional<Opcode> scalar_opcode(base::Symbol kind, TypeKind left, TypeKind right) {
  auto found = scalars().find({kind.id(), left, right});
  if (found == scalars().end()) return std::nullopt;
  return found->second;
}

std::optional<Opcode> scalar_opcode(base::Symbol kind, TypeKind operand) {
  return scalar_opcode(kind, operand, TypeKind::none);
}

}  // namespace assay::interp
