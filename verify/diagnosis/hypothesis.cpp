#include "verify/diagnosis/hypothesis.h"

#include <algorithm>
#include <map>

namespace assay::verify::diagnosis {

std::vector<std::vector<Substitution>> size_trials(const Program& program,
                                                   const std::string& letter, int64_t size) {
  std::vector<Substitution> all;
  for (size_t s = 0; s < program.steps.size(); ++s) {
    const auto& operands = program.steps[s].operands;
    for (size_t o = 0; o < operands.size(); ++o) {
      if (operands[o].kind != Operand::Kind::literal) continue;
      auto number = number_of(operands[o].literal);
      bool equal = number && !number->is_bool() &&
                   number->to_complex() == core::Complex128(static_cast<double>(size), 0);
      if (equal) all.push_back({s, o, SizeFit{{{letter, 0, 1}}, 1, 0}});
    }
  }
  std::vector<std::vector<Substitution>> trials;
  for (const Substitution& one : all) trials.push_back({one});
  if (all.size() > 1) trials.push_back(std::move(all));
  return trials;
}

std::vector<size_t> repeated_selects(const Program& program) {
  std::map<std::string, std::vector<size_t>> at;
  for (size_t i = 0; i < program.steps.size(); ++i) {
    if (program.steps[i].op == "aten::select") at[program.steps[i].key()].push_back(i);
  }
  auto several = [](const auto& steps) { return steps.second.size() > 1; };
  auto found = std::find_if(at.begin(), at.end(), several);
  return found == at.end() ? std::vector<size_t>() : found->second;
}

}  // namespace assay::verify::diagnosis
