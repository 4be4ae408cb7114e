#include "verify/diagnosis/changed_sizes.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "engine/ir/builder.h"
#include "verify/diagnosis/steps.h"

namespace assay::verify::diagnosis {
namespace {

using Reads = ChangedSize::Reads;

/// Of so many reads every choice is tried; of more, each alone and all together.
constexpr size_t most_combined = 4;

std::vector<Reads> choices_of(const Reads& reads) {
  std::vector<Reads> out;
  for (const auto& one : reads) out.push_back({one});
  if (reads.size() > most_combined) {
    out.push_back(reads);
    return out;
  }
  for (size_t chosen = 1; chosen < size_t{1} << reads.size(); ++chosen) {
    Reads some;
    for (size_t i = 0; i < reads.size(); ++i) {
      if (chosen >> i & 1) some.push_back(reads[i]);
    }
    if (some.size() > 1) out.push_back(std::move(some));
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Reads& a, const Reads& b) { return a.size() < b.size(); });
  return out;
}

/// The steps that give tensors of sizes, or of numbers that are computed from sizes alone.
std::set<size_t> steps_of_sizes(const Program& program) {
  std::set<size_t> out;
  for (size_t s = 0; s < program.steps.size(); ++s) {
    const Step& step = program.steps[s];
    size_t of_sizes = 0;
    bool others = false;
    for (const Operand& operand : step.operands) {
      bool size = operand.kind == Operand::Kind::result && out.count(operand.step) > 0;
      of_sizes += size;
      others = others || !(size || operand.kind == Operand::Kind::literal);
    }
    bool computed = of_sizes > 0 && !others && step.node && step.node->outputs().size() == 1 &&
                    step.node->output()->type()->is(core::TypeKind::tensor);
    if (computed || step.op == "prim::NumToTensor") out.insert(s);
  }
  return out;
}

/// What becomes of one tensor of a size.
struct Life {
  Reads writes, reads;
};

Life life_of(const Program& program, size_t made) {
  Life life;
  std::set<size_t> same{made};  // Steps that give this very tensor.
  for (size_t s = made + 1; s < program.steps.size(); ++s) {
    const Step& step = program.steps[s];
    for (size_t o = 0; o < step.operands.size(); ++o) {
      const Operand& operand = step.operands[o];
      bool here = operand.kind == Operand::Kind::result && same.count(operand.step) > 0;
      if (here && writes_operand(step, o)) {
        life.writes.emplace_back(s, o);
        same.insert(s);
      } else if (here && !life.writes.empty() && step.node) {
        life.reads.emplace_back(s, o);
      }
    }
  }
  return life;
}

/// The reads after one step and before another.
Reads reads_between(const Life& life, size_t after, size_t before) {
  Reads out;
  std::ranges::copy_if(life.reads, std::back_inserter(out),
                       [&](const auto& read) { return read.first > after && read.first < before; });
  return out;
}

}  // namespace

std::vector<ChangedSize> changed_sizes(const Program& program) {
  std::vector<ChangedSize> out;
  std::set<size_t> written;  // Steps that give what another one has made.
  for (size_t made : steps_of_sizes(program)) {
    if (written.count(made)) continue;
    Life life = life_of(program, made);
    for (const auto& [step, operand] : life.writes) written.insert(step);
    if (life.writes.empty()) continue;
    const auto& first = life.writes[0];
    out.push_back({first.first, first.second, choices_of(life.reads), {}});
    for (size_t w = 0; life.writes.size() > 1 && w < life.writes.size(); ++w) {
      size_t next = w + 1 < life.writes.size() ? life.writes[w + 1].first : program.steps.size();
      Reads between = reads_between(life, life.writes[w].first, next);
      if (between.empty()) continue;
      out.push_back({life.writes[w].first, life.writes[w].second, choices_of(between), {}});
    }
    // One line changes one name.
    auto line = [&](size_t write) { return program.steps[life.writes[write].first].line; };
    if (life.writes.size() != 2 || line(0) == line(1)) continue;
    Reads after = reads_between(life, life.writes[1].first, program.steps.size());
    if (after.size() < 2) continue;  // One name of each.
    out.push_back({first.first, first.second, choices_of(after), life.writes[1]});
  }
  return out;
}

std::vector<SizeGroup> size_groups(const Program& program) {
  std::vector<SizeGroup> alone, together;
  for (const ChangedSize& size : changed_sizes(program)) {
    auto goes_with = [&](const SizeGroup& group) {
      const Step& step = program.steps[size.changed];
      const Step& other = program.steps[group[0].changed];
      return step.line != 0 && step.line == other.line && step.file == other.file &&
             size.trials.size() == group[0].trials.size() &&
             size.apart.has_value() == group[0].apart.has_value();
    };
    auto group = std::ranges::find_if(together, goes_with);
    if (group == together.end()) group = together.insert(group, SizeGroup{});
    group->push_back(size);
    alone.push_back({size});
  }
  std::ranges::copy_if(together, std::back_inserter(alone),
                       [](const SizeGroup& group) { return group.size() > 1; });
  return alone;
}

std::shared_ptr<ir::Graph> read_unchanged(const Program& program, const SizeGroup& sizes,
                                          size_t trial) {
  Program copy = copy_program(program);
  for (const ChangedSize& size : sizes) {
    ir::Node* write = copy.steps[size.changed].node;
    ir::Builder builder(*copy.graph);
    builder.set_point(write);
    ir::Value* as_it_was = builder.call("aten::clone", {write->input(size.operand)})->output();
    if (size.apart)
      copy.steps[size.apart->first].node->replace_input(size.apart->second, as_it_was);
    ir::Value* meant = size.apart ? write->output() : as_it_was;
    for (const auto& [step, operand] : size.trials[trial]) {
      copy.steps[step].node->replace_input(operand, meant);
    }
  }
  return copy.graph;
}

}  // namespace assay::verify::diagnosis
