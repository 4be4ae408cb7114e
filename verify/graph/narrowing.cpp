#include "verify/graph/narrowing.h"

#include <algorithm>

#include "engine/core/dtype.h"
#include "engine/ops/catalog.h"

namespace assay::verify {

namespace {

bool is_narrow(core::DType dtype) {
  return dtype == core::DType::float16 || dtype == core::DType::bfloat16;
}

bool casts(const Step& s) {
  if (!s.node || !s.node->op()) return false;
  const auto& arguments = s.node->op()->schema.arguments;
  for (size_t i = 0; i < std::min(arguments.size(), s.operands.size()); ++i) {
    const Operand& o = s.operands[i];
    bool type = o.kind == Operand::Kind::literal && o.literal.is_int() &&
                arguments[i].int_kind == "ScalarType";
    auto dtype = type ? core::dtype_from_number(o.literal.to_int()) : std::nullopt;
    if (dtype && is_narrow(*dtype)) return true;
  }
  return false;
}

bool reads_narrow_constant(const Step& s) {
  return std::ranges::any_of(s.operands, [](const Operand& o) {
    return o.kind == Operand::Kind::literal && o.literal.is_tensor() &&
           is_narrow(o.literal.tensor_impl()->dtype);
  });
}

}  // namespace

bool narrows(const Program& program) {
  return std::ranges::any_of(program.steps,
                             [](const Step& s) { return casts(s) || reads_narrow_constant(s); });
}

}  // namespace assay::verify
