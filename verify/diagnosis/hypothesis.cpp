#include "verify/diagnosis/hypothesis.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "verify/diagnosis/causes.h"
#include "verify/diagnosis/traced_origins.h"

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

namespace {

void describe(const Program& program, const Substitution& place, const std::string& how,
              Finding& finding) {
  finding.class_id = "AS102";
  set_cause(program, place.step, finding);
  finding.cause.role = role_of(program, place.step, place.operand);
  finding.cause.literal = literal_text(program.steps[place.step].operands[place.operand].literal);
  finding.cause.proof = Proof::proven;
  finding.cause.proof_text = how;
}

}  // namespace

void describe_size(const Program& program, const Substitution& place, const std::string& letter,
                   int64_t size, Finding& finding) {
  describe(program, place, "by substitution of the size itself", finding);
  finding.cause.literal = std::to_string(size);
  finding.evidence.fit = fmt::format("{} = {} (the size it had in the example)", size, letter);
  finding.evidence.fix = fmt::format("{} -> {}", size, letter);
}

void describe_origins(const Origins* origins, const Program& program,
                      const std::vector<Substitution>& places, Finding& finding) {
  describe(program, places[0], "by substitution of what it was in the trace", finding);
  auto origin = *traced_origin(origins, program, places[0].step, places[0].operand);
  if (!finding.axis.is_size() && !is_over_sizes(origin.expression)) {
    name_kind(captured_value, finding);
  }
  finding.evidence.fix = finding.cause.literal + " -> " + origin.expression.text;
  finding.evidence.fit = origin_sentence(finding.cause.literal, origin);
  for (size_t i = 1; i < places.size(); ++i) {
    const auto& [step, operand, replacement] = places[i];
    finding.evidence.notes.push_back(
        "also changed for the proof: " +
        origin_sentence(literal_text(program.steps[step].operands[operand].literal),
                        *traced_origin(origins, program, step, operand)));
  }
  name_escape(origin.place, finding);
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
