#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/base/symbol.h"
#include "engine/core/type.h"

namespace assay::interp {

enum class Opcode : uint16_t {
#define INSTRUCTION(name, a, b, c, meaning) name,
#define UNARY(name, kind, type, result, expression) name,
#define BINARY(name, kind, left, right, result, expression) name,
#include "engine/interp/instruction.def"
#undef INSTRUCTION
#undef UNARY
#undef BINARY
};

enum class OperandKind : uint8_t { none, out, in, both, target, site };

/// In the operand of kind `in`: the register is not read again and is emptied.
constexpr uint32_t last_bit = uint32_t{1} << 31;

struct Instruction {
  Opcode opcode;
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t c = 0;
};

/// A row of instruction.def.
struct InstructionInfo {
  std::string_view name;
  OperandKind operands[3];
  std::string_view meaning;
};
const InstructionInfo& info(Opcode opcode);

/// The instruction that computes a node of this kind on scalars of these static types, if there is
/// one.
std::optional<Opcode> scalar_opcode(base::Symbol kind, core::TypeKind operand);
std::optional<Opcode> scalar_opcode(base::Symbol kind, core::TypeKind left, core::TypeKind right);

}  // namespace assay::interp
