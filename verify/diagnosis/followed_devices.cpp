#include "verify/diagnosis/followed_devices.h"

#include <algorithm>

namespace assay::verify::diagnosis {
namespace {

bool same_line(const Step& a, const Step& b) {
  return a.line == b.line && a.file_name() == b.file_name();
}

bool has_device(const Step& step, size_t operand, const core::Device& device) {
  if (operand >= step.operands.size()) return false;
  const Operand& o = step.operands[operand];
  return o.kind == Operand::Kind::literal && o.literal.is_device() &&
         o.literal.to_device() == device;
}

/// Whether the program has steps of this one's line, and none that names this device as it does.
bool names_it_otherwise(const Program& program, const Step& step, size_t operand) {
  const core::Device device = step.operands[operand].literal.to_device();
  auto at_line = [&](const Step& other) { return same_line(other, step); };
  auto alike = [&](const Step& other) {
    return at_line(other) && other.op == step.op && has_device(other, operand, device);
  };
  return std::ranges::any_of(program.steps, at_line) && std::ranges::none_of(program.steps, alike);
}

}  // namespace

std::vector<Substitution> devices_that_follow(const Program& subject, const Program& elsewhere,
                                              core::Device device) {
  std::vector<Substitution> out;
  for (size_t s = 0; s < subject.steps.size(); ++s) {
    const Step& step = subject.steps[s];
    if (step.line == 0) continue;
    for (size_t i = 0; i < step.operands.size(); ++i) {
      const Operand& o = step.operands[i];
      bool named = o.kind == Operand::Kind::literal && o.literal.is_device();
      if (!named || !names_it_otherwise(elsewhere, step, i)) continue;
      Substitution& follows = out.emplace_back();
      follows.step = s;
      follows.operand = i;
      follows.replacement = core::Value(device);
    }
  }
  return out;
}

}  // namespace assay::verify::diagnosis
