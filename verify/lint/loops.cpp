// Steps that repeat as the example asked for: unrolled_loop, fixed_arity.

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/ir/kinds.h"
#include "verify/lint/checks.h"
#include "verify/lint/rounds.h"

namespace assay::verify::lint {
namespace {

/// The signs of repetitions, each stretch of steps told once: what is repeated inside of it is the
/// same loop.
class Repetitions {
 public:
  explicit Repetitions(const View& view) : view_(view) {}

  std::vector<Sign> find() {
    for (size_t s = 0; s < view_.program.steps.size(); ++s) look_at_unpacking(s);
    std::vector<Starts> lines = repeated_lines();
    for (const Starts& line : lines) look_for_counter(line);
    for (const Starts& line : lines) look_for_chain(line);
    return std::move(signs_);
  }

 private:
  void look_at_unpacking(size_t s);
  void look_for_counter(const Starts& line);
  void look_for_chain(const Starts& line);
  std::vector<Starts> repeated_lines() const;
  Sign sign_of_parts(size_t s, bool equal) const;

  bool is_told(size_t s) const {
    auto behind = told_.upper_bound(s);
    return behind != told_.begin() && std::prev(behind)->second >= s;
  }
  void tell(size_t begin, size_t end, Sign sign) {
    told_[begin] = std::max(told_[begin], end);
    signs_.push_back(std::move(sign));
  }

  const View& view_;
  std::map<size_t, size_t> told_;  ///< Stretches of steps: first to last.
  std::vector<Sign> signs_;
};

/// Whether the operator that gives a list was told of how many parts: then the model, too, asks for
/// so many, and fails where there are fewer.
bool is_told_how_many(const View& view, const Step& source, size_t parts) {
  const ops::Operator* op = operator_of(source);
  if (!op) return false;
  for (size_t i = 0; i < std::min(op->schema.arguments.size(), source.operands.size()); ++i) {
    const Operand& o = source.operands[i];
    bool number = o.kind == Operand::Kind::literal && o.literal.is_int();
    if (number && o.literal.to_int() == static_cast<int64_t>(parts)) return true;
    bool list = o.kind == Operand::Kind::result && gathers(view.step(o.step));
    size_t length = list ? view.step(o.step).operands.size() : 0;
    // So many sizes or tensors; or the places to cut at, one fewer.
    if (length == parts || length + 1 == parts) return true;
  }
  return false;
}

/// Whether iterating a tensor gave the list, rather than an operator that cuts into parts.
bool is_iteration(const Step& source) {
  static const base::Symbol unbind("aten::unbind");
  return source.is(unbind);
}

/// Whether all parts go into lists alone: they are put together again, not worked on one by one.
bool are_gathered(const View& view, size_t s) {
  return std::ranges::all_of(view.flow.readers(s),
                             [&](const Flow::Place& p) { return gathers(view.step(p.step)); });
}

Sign Repetitions::sign_of_parts(size_t s, bool equal) const {
  const Operand& list = view_.step(s).operands[0];
  size_t parts = view_.step(s).node->outputs().size();
  const Step* source = list.kind == Operand::Kind::result ? &view_.step(list.step) : nullptr;
  bool iterates = source && is_iteration(*source);
  bool loops = equal && iterates && !are_gathered(view_, s);
  Strength strength = Strength::possible;
  std::string why = "another size may give another number of parts";
  if (equal && parts >= fewest_rounds) {
    strength = Strength::likely;
    why = "the same happens to each part, as in a loop over them";
  } else if (!source) {
    why = "the caller's list has to be as long as the example's";
  } else if (is_told_how_many(view_, *source, parts)) {
    strength = Strength::note;
    why = "the model itself asks for so many parts";
  } else if (iterates && parts <= fewest_rounds) {
    strength = Strength::note;
    why = "so few parts are often unpacked by hand";
  }
  Sign sign = view_.sign_at(s, loops ? RuleId::unrolled_loop : RuleId::fixed_arity, strength,
                            std::move(why));
  sign.op = source ? source->op : view_.step(s).op;
  sign.role = "parts";
  sign.literal = std::to_string(parts);
  return sign;
}

void Repetitions::look_at_unpacking(size_t s) {
  const Step& step = view_.step(s);
  bool unpacks = step.is(ir::kinds().list_unpack) && !step.operands.empty() &&
                 !step.node->outputs().empty() && holds_tensors(step.node->output(0)->type());
  if (!unpacks) return;
  // An unpacking has no line of its own.
  const Step& place = located(view_.program, s);
  if (!view_.untold && (!place.traced || place.in_layer)) return;
  std::vector<std::vector<Flow::Place>> rounds(step.node->outputs().size());
  std::set<size_t> reading;
  for (const Flow::Place& p : view_.flow.readers(s)) {
    rounds[view_.step(p.step).operands[p.operand].output].push_back(p);
    reading.insert(p.step);
  }
  size_t last = s;
  for (size_t reader : reading) {
    for (const Flow::Place& behind : view_.flow.readers(reader)) {
      if (view_.step(behind.step).op != "}") last = std::max(last, behind.step);
    }
  }
  bool equal = have_equal_readers(view_, rounds);
  tell(s, equal ? last : s, sign_of_parts(s, equal));
}

/// The steps of equal operators at equal lines, by first appearance.
std::vector<Starts> Repetitions::repeated_lines() const {
  std::map<std::string, size_t> known;
  std::vector<Starts> lines;
  for (size_t s = 0; s < view_.program.steps.size(); ++s) {
    const Step& step = view_.step(s);
    const ops::Operator* op = operator_of(step);
    // Without lines nothing tells rounds from steps that were written one by one.
    if (!op || !step.traced || step.in_layer || view_.flow.is_size(s)) continue;
    if (!view_.flow.follows_input(s) || step.operands.size() > op->schema.arguments.size())
      continue;
    auto [line, fresh] = known.try_emplace(step.key(), lines.size());
    if (fresh) lines.emplace_back();
    lines[line->second].push_back(s);
  }
  std::erase_if(lines, [](const Starts& line) { return line.size() < 2; });
  return lines;
}

void Repetitions::look_for_counter(const Starts& line) {
  auto counter = counter_in(view_, line);
  if (!counter || is_told(counter->steps[0]) || have_own_sources(view_, counter->steps)) return;
  std::vector<std::vector<Flow::Place>> rounds;
  for (size_t s : counter->steps) rounds.push_back(view_.flow.readers(s));
  bool equal = have_equal_readers(view_, rounds);
  Sign sign = view_.sign_at(counter->steps[0], RuleId::unrolled_loop,
                            equal ? Strength::likely : Strength::possible,
                            equal ? "the same steps follow each of these numbers"
                                  : "this line was run for each of these numbers");
  const ops::Operator* op = operator_of(view_.step(counter->steps[0]));
  sign.role = op->schema.arguments[counter->operand].name;
  sign.literal = fmt::format("{}..{}", counter->first, counter->last);
  sign.count = static_cast<int64_t>(counter->steps.size());
  tell(counter->steps.front(), counter->steps.back(), std::move(sign));
}

void Repetitions::look_for_chain(const Starts& line) {
  if (is_told(line[0]) || have_own_sources(view_, line) || !is_chain(view_, line)) return;
  bool many = line.size() >= fewest_rounds;
  Sign sign =
      view_.sign_at(line[0], RuleId::unrolled_loop, many ? Strength::possible : Strength::note,
                    many ? "each works on what the one before gave, as in a loop"
                         : "one works on what the other gave, as in a loop of two rounds");
  sign.count = static_cast<int64_t>(line.size());
  tell(line.front(), line.back(), std::move(sign));
}

}  // namespace

void find_repetitions(const View& view, std::vector<Sign>& signs) {
  std::ranges::move(Repetitions(view).find(), std::back_inserter(signs));
}

}  // namespace assay::verify::lint
