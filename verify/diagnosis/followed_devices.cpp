#include "verify/diagnosis/followed_devices.h"

#include <algorithm>

namespace assay::verify::diagnosis {
namespace {

const core::Value* device_at(const Step& step, size_t operand) {
  if (operand >= step.operands.size()) return nullptr;
  const Operand& o = step.operands[operand];
  bool is_device = o.kind == Operand::Kind::literal && o.literal.is_device();
  return is_device ? &o.literal : nullptr;
}

}  // namespace

std::vector<Substitution> devices_that_follow(const Program& subject, const Program& elsewhere,
                                              core::Device device) {
  std::vector<Substitution> out;
  for (size_t s = 0; s < subject.steps.size(); ++s) {
    const Step& step = subject.steps[s];
    if (step.line == 0) continue;
    for (size_t i = 0; i < step.operands.size(); ++i) {
      const core::Value* own = device_at(step, i);
      auto is_its_like = [&](const Step& other) {
        const core::Value* there = device_at(other, i);
        return there && other.op == step.op && other.line == step.line &&
               other.file_name() == step.file_name() && !(there->to_device() == own->to_device());
      };
      if (own && std::ranges::any_of(elsewhere.steps, is_its_like)) {
        out.push_back({s, i, core::Value(device)});
      }
    }
  }
  return out;
}

}  // namespace assay::verify::diagnosis
