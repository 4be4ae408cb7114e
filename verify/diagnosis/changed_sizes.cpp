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

}  // namespace

std::vector<ChangedSize> changed_sizes(const Program& program) {
  std::vector<ChangedSize> out;
  for (size_t made = 0; made < program.steps.size(); ++made) {
    if (program.steps[made].op != "prim::NumToTensor") continue;
    std::set<size_t> same{made};  // Steps that give this very tensor.
    ChangedSize size{made, 0, {}};
    Reads reads;
    for (size_t s = made + 1; s < program.steps.size(); ++s) {
      const Step& step = program.steps[s];
      for (size_t o = 0; o < step.operands.size(); ++o) {
        const Operand& operand = step.operands[o];
        bool here = operand.kind == Operand::Kind::result && same.count(operand.step) > 0;
        if (here && writes_operand(step, o)) {
          if (same.size() == 1) size.changed = s;
          same.insert(s);
        } else if (here && same.size() > 1 && step.node) {
          reads.emplace_back(s, o);
        }
      }
    }
    size.trials = choices_of(reads);
    if (same.size() > 1) out.push_back(std::move(size));
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
             size.trials.size() == group[0].trials.size();
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
    ir::Node* made = copy.steps[size.made].node;
    ir::Builder builder(*copy.graph);
    builder.set_point(made->next());
    ir::Value* as_it_was = builder.call(made->kind(), {made->input()})->output();
    for (const auto& [step, operand] : size.trials[trial]) {
      copy.steps[step].node->replace_input(operand, as_it_was);
    }
  }
  return copy.graph;
}

}  // namespace assay::verify::diagnosis
