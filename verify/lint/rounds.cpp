#include "verify/lint/rounds.h"

#include <algorithm>
#include <set>
#include <string>

namespace assay::verify::lint {
namespace {

/// So many readers are looked at: they tell rounds apart as well as all of them.
constexpr size_t most_readers = 8;

std::optional<int64_t> number_at(const Step& step, size_t operand) {
  if (operand >= step.operands.size()) return std::nullopt;
  const Operand& o = step.operands[operand];
  bool counts = o.kind == Operand::Kind::literal && o.literal.is_int() && o.literal.to_int() >= 0 &&
                o.literal.to_int() <= INT32_MAX;
  return counts ? std::optional(o.literal.to_int()) : std::nullopt;
}

/// The first run of steps, each so many after the one before, whose number rises by the same.
std::optional<Counter> run_of(const View& view, const Starts& steps, size_t begin, size_t period,
                              size_t operand) {
  Counter run{operand, {}, 0, 0};
  int64_t stride = 0;
  for (size_t i = begin; i < steps.size(); i += period) {
    auto n = number_at(view.step(steps[i]), operand);
    bool rises = n && !run.steps.empty() && *n > run.last;
    bool goes_on = rises && (run.steps.size() == 1 || *n - run.last == stride);
    if (goes_on) {
      stride = *n - run.last;
    } else {
      if (run.steps.size() >= fewest_rounds) break;
      run.steps.clear();
      if (!n) continue;
      run.first = *n;
    }
    run.steps.push_back(steps[i]);
    run.last = *n;
  }
  return run.steps.size() >= fewest_rounds ? std::optional(std::move(run)) : std::nullopt;
}

using Forms = std::set<std::string>;

/// A reading step with its numbers: what has to be equal in all rounds.
std::string form_of(const View& view, const Flow::Place& place) {
  const Step& step = view.step(place.step);
  if (gathers(step) || step.op == "}") return step.op;
  std::string text = step.key() + "#" + std::to_string(place.operand);
  for (const Operand& o : step.operands) {
    if (o.kind == Operand::Kind::literal) text += "," + literal_text(o.literal);
  }
  return text;
}

void add_forms(const View& view, const std::vector<Flow::Place>& readers, Forms& forms) {
  for (size_t i = 0; i < std::min(readers.size(), most_readers); ++i) {
    forms.insert(form_of(view, readers[i]));
  }
}

struct RoundForms {
  Forms readers, behind;
};

RoundForms forms_of(const View& view, const std::vector<Flow::Place>& readers) {
  RoundForms forms;
  add_forms(view, readers, forms.readers);
  for (size_t i = 0; i < std::min(readers.size(), most_readers); ++i) {
    add_forms(view, view.flow.readers(readers[i].step), forms.behind);
  }
  return forms;
}

uintptr_t constant_id(const core::Tensor& t) { return reinterpret_cast<uintptr_t>(t.impl()); }

/// The weights and inputs that the steps behind `begin` up to `end` read directly.
std::set<std::string> sources_of(const View& view, size_t begin, size_t end) {
  std::set<std::string> sources;
  for (size_t s = begin + 1; s <= end; ++s) {
    for (const Operand& o : view.step(s).operands) {
      if (o.kind == Operand::Kind::parameter) sources.insert(o.path);
      if (o.kind == Operand::Kind::input) sources.insert("#" + std::to_string(o.step));
      // Freezing makes constants of weights.
      core::Tensor t = o.literal.is_tensor() ? o.literal.to_tensor() : core::Tensor();
      if (t && t.dim() > 0) sources.insert("@" + std::to_string(constant_id(t)));
    }
  }
  return sources;
}

}  // namespace

std::optional<Counter> counter_in(const View& view, const Starts& steps) {
  constexpr size_t longest_period = 8;
  size_t operands = view.step(steps[0]).operands.size();
  for (size_t period = 1; period <= longest_period; ++period) {
    if (steps.size() < period * fewest_rounds) break;
    for (size_t begin = 0; begin < period; ++begin) {
      for (size_t operand = 0; operand < operands; ++operand) {
        if (auto run = run_of(view, steps, begin, period, operand)) return run;
      }
    }
  }
  return std::nullopt;
}

bool is_chain(const View& view, const Starts& steps) {
  for (size_t i = 0; i + 1 < steps.size(); ++i) {
    size_t begin = steps[i], end = steps[i + 1];
    std::vector<bool> reached(end - begin + 1, false);
    reached[0] = true;
    for (size_t s = begin + 1; s <= end; ++s) {
      reached[s - begin] = std::ranges::any_of(view.step(s).operands, [&](const Operand& o) {
        return o.kind == Operand::Kind::result && o.step >= begin && reached[o.step - begin];
      });
    }
    if (!reached[end - begin]) return false;
  }
  return true;
}

bool have_equal_readers(const View& view, const std::vector<std::vector<Flow::Place>>& rounds) {
  if (rounds.size() < 2 || rounds[0].empty()) return false;
  RoundForms first = forms_of(view, rounds[0]);
  for (size_t i = 1; i < rounds.size(); ++i) {
    RoundForms forms = forms_of(view, rounds[i]);
    bool last = i + 1 == rounds.size();
    if (forms.readers != first.readers || (!last && forms.behind != first.behind)) return false;
  }
  return true;
}

bool have_own_sources(const View& view, const Starts& steps) {
  // What leads to the first step may lie before any loop.
  if (steps.size() < 3) return false;
  return sources_of(view, steps[0], steps[1]) != sources_of(view, steps[1], steps[2]);
}

}  // namespace assay::verify::lint
