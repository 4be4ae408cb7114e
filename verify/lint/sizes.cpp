// Numbers that stand where sizes are wanted: pinned_size.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "engine/base/text.h"
#include "engine/ops/argument_names.h"
#include "verify/lint/checks.h"

namespace assay::verify::lint {
namespace {

/// An argument that takes sizes, by its name in the schemas, and how much a number there can say.
struct SizeArgument {
  std::string_view name;
  Strength at_most;
};

constexpr SizeArgument size_arguments[] = {
    // What a tensor is made or viewed as.
    {"size", Strength::likely},
    {"shape", Strength::likely},
    {"end", Strength::likely},
    {"n", Strength::likely},
    {"m", Strength::likely},
    {"row", Strength::likely},
    {"col", Strength::likely},
    {"steps", Strength::likely},
    {"window_length", Strength::likely},
    {"repeats", Strength::possible},
    // What is cut from one, put around it, or made of it.
    {"sizes", Strength::possible},
    {"split_size", Strength::possible},
    {"split_sizes", Strength::possible},
    {"indices", Strength::possible},
    {"length", Strength::possible},
    {"total_length", Strength::possible},
    {"output_size", Strength::possible},
    {"kernel_size", Strength::possible},
    {"pad", Strength::possible},
    // Which of its parts.
    {"start", Strength::note},
    {"index", Strength::note},
    {"k", Strength::note},
};

const SizeArgument* find_size_argument(std::string_view name) {
  auto found = std::ranges::find(size_arguments, name, &SizeArgument::name);
  return found == std::end(size_arguments) ? nullptr : found;
}

constexpr const char* no_weight = "no weight near it has such a dimension";

/// Numbers below are often written by hand: halves, colours, the gates of a cell.
constexpr int64_t smallest_telling = 5;
/// Beyond the size of any tensor: the open end of a slice.
constexpr int64_t largest_size = int64_t{1} << 40;

/// The numbers that an argument is given: nothing for one that the graph works out.
using Numbers = std::vector<std::optional<int64_t>>;

std::optional<int64_t> whole_number(const core::Value& literal) {
  auto number = number_of(literal);
  if (!number || number->is_bool() || number->is_complex()) return std::nullopt;
  double value = number->to_double();
  bool whole = value == std::floor(value) && std::fabs(value) < static_cast<double>(largest_size);
  return whole ? std::optional(static_cast<int64_t>(value)) : std::nullopt;
}

/// One argument of a step that takes sizes.
struct SizeUse {
  size_t step;
  const ops::Argument* argument;
  const SizeArgument* kind;
  Numbers numbers;
  bool is_list = false;

  bool is_mixed() const {
    return std::ranges::any_of(numbers, [](const auto& n) { return !n; });
  }
};

Numbers numbers_of(const View& view, const Operand& operand, bool& is_list) {
  Numbers numbers;
  if (operand.kind == Operand::Kind::literal) {
    if (operand.literal.is_list()) {
      is_list = true;
      for (const auto& item : operand.literal.list().items) numbers.push_back(whole_number(item));
    } else if (auto n = whole_number(operand.literal)) {
      numbers.push_back(n);
    }
    return numbers;
  }
  bool list = operand.kind == Operand::Kind::result && gathers(view.step(operand.step));
  if (!list) return numbers;
  is_list = true;
  for (const Operand& o : view.step(operand.step).operands) {
    bool literal = o.kind == Operand::Kind::literal;
    numbers.push_back(literal ? whole_number(o.literal) : std::nullopt);
  }
  return numbers;
}

bool divides_any(int64_t number, const std::set<int64_t>& dims) {
  return std::ranges::any_of(dims, [number](int64_t d) { return d % number == 0; });
}

/// Whether weights explain the numbers from `begin` to before `end`: their product is a dimension
/// (heads * width of a head), or divides one and a size beside them is the rest.
bool explain(const Numbers& numbers, size_t begin, size_t end, int64_t product,
             const std::set<int64_t>& dims) {
  if (product < 2 || dims.count(product) > 0) return product >= 2;
  bool has_rest = (begin > 0 && !numbers[begin - 1]) || (end < numbers.size() && !numbers[end]);
  return end - begin >= 2 && has_rest && divides_any(product, dims);
}

/// Which numbers weights explain: one by itself, or neighbours in a list together.
std::vector<bool> explained(const SizeUse& use, const std::set<int64_t>& dims) {
  const Numbers& numbers = use.numbers;
  std::vector<bool> out(numbers.size(), false);
  for (size_t begin = 0; begin < numbers.size(); ++begin) {
    int64_t product = 1;
    for (size_t end = begin; end < numbers.size(); ++end) {
      if (!numbers[end] || *numbers[end] < 1 || product > largest_size / *numbers[end]) break;
      product *= *numbers[end];
      if (!explain(numbers, begin, end + 1, product, dims)) continue;
      std::fill(out.begin() + static_cast<long>(begin), out.begin() + static_cast<long>(end) + 1,
                true);
    }
  }
  // What is cut off is often one of equal parts.
  bool part = !use.is_list && numbers[0] && *numbers[0] > 1 && divides_any(*numbers[0], dims);
  if (part) out[0] = true;
  return out;
}

struct Judgement {
  Strength strength;
  std::string why;
};

/// Whether the list says what a tensor of the inputs is viewed or expanded as, batch first.
bool reshapes_input(const View& view, const SizeUse& use) {
  const auto& operands = view.step(use.step).operands;
  bool places = use.is_list && use.kind->at_most == Strength::likely;
  return places && takes_tensors(*operator_of(view.step(use.step))) && !operands.empty() &&
         view.flow.follows_input(operands[0]);
}

/// The first size is a number, and no other one is there to take what a batch has more.
std::optional<Judgement> judge_batch(const View& view, const SizeUse& use) {
  const Numbers& numbers = use.numbers;
  bool first = reshapes_input(view, use) && numbers.size() > 1 && numbers[0] && *numbers[0] >= 1;
  if (!first) return std::nullopt;
  if (*numbers[0] == 1) {
    if (use.is_mixed()) return std::nullopt;
    return Judgement{Strength::possible, "a batch of one may have been the example's"};
  }
  return Judgement{Strength::likely,
                   "the first size is a number: another batch fails or folds into the other sizes"};
}

/// Padding that differs at the two ends fills up to some size more often than even padding.
Strength strength_of_padding(const Numbers& numbers) {
  for (size_t i = 0; i + 1 < numbers.size(); i += 2) {
    if (numbers[i] != numbers[i + 1]) return Strength::possible;
  }
  return Strength::note;
}

/// Parts that are all numbers add up to one size, and to no other.
std::optional<Judgement> judge_split(const View& view, const SizeUse& use) {
  if (use.is_mixed()) return std::nullopt;
  int64_t sum = 0;
  for (const auto& n : use.numbers) sum += *n;
  if (view.flow.dims_near(use.step).count(sum) > 0) return std::nullopt;
  return Judgement{Strength::possible, fmt::format("the parts add up to {}; {}", sum, no_weight)};
}

/// Where parts are cut (tensor_split). Tensors that are called indices, too, choose elements.
std::optional<Judgement> judge_cuts(const View& view, const SizeUse& use) {
  const core::TypePtr& type = use.argument->type;
  bool places = type->is(core::TypeKind::list) && type->element()->is(core::TypeKind::integer);
  if (!places || use.is_mixed() || use.numbers.empty()) return std::nullopt;
  std::set<int64_t> dims = view.flow.dims_near(use.step);
  bool of_weights = std::ranges::all_of(
      use.numbers, [&](const auto& n) { return *n > 0 && divides_any(*n, dims); });
  if (of_weights) return std::nullopt;
  return Judgement{Strength::possible,
                   std::string("every input is cut at these places, and ") + no_weight};
}

Judgement judge_number(const View& view, const SizeUse& use, int64_t number,
                       const std::set<int64_t>& dims) {
  bool large = number >= smallest_telling;
  Strength strength = large && !divides_any(number, dims) ? Strength::likely : Strength::possible;
  if (makes_tensors(view.step(use.step))) {
    // Layers and directions, of a recurrent layer's first state.
    if (view.step(use.step).in_layer && !large) strength = Strength::note;
    return {strength,
            std::string("a tensor of this size is made for every input, and ") + no_weight};
  }
  if (use.is_list && use.is_mixed()) {
    return {strength,
            std::string("it stands among sizes that are read from the input, and ") + no_weight};
  }
  return {large ? Strength::possible : Strength::note, no_weight};
}

std::optional<Judgement> judge(const View& view, const SizeUse& use) {
  const Numbers& numbers = use.numbers;
  if (use.kind->name == "pad") {
    bool pads = std::ranges::any_of(numbers, [](const auto& n) { return n && *n != 0; });
    if (!pads) return std::nullopt;
    return Judgement{strength_of_padding(numbers), "padding that was worked out from a size stays"};
  }
  if (use.kind->name == "split_sizes") return judge_split(view, use);
  if (use.kind->name == "indices") return judge_cuts(view, use);
  std::set<int64_t> dims = view.flow.dims_near(use.step);
  std::vector<bool> known = explained(use, dims);
  std::optional<Judgement> strongest;
  auto take = [&](Judgement j) {
    j.strength = std::min(j.strength, use.kind->at_most);
    if (!strongest || j.strength > strongest->strength) strongest = std::move(j);
  };
  auto batch = judge_batch(view, use);
  if (batch && !known[0]) take(*batch);
  for (size_t i = 0; i < numbers.size(); ++i) {
    bool open = numbers[i] && *numbers[i] > 1 && !known[i];
    if (open) take(judge_number(view, use, *numbers[i], dims));
  }
  return strongest;
}

/// "7", "[_, 7, -1]"
std::string numbers_text(const SizeUse& use) {
  std::vector<std::string> parts;
  for (const auto& n : use.numbers) parts.push_back(n ? std::to_string(*n) : "_");
  std::string text = base::join(parts, ", ");
  return use.is_list ? "[" + text + "]" : text;
}

/// What an operand is before it went from a number to a tensor or back.
const Operand& before_conversions(const View& view, const Operand& operand) {
  const Operand* at = &operand;
  while (at->kind == Operand::Kind::result) {
    const Step& step = view.step(at->step);
    const ops::Operator* op = operator_of(step);
    if (!op || !op->keeps_values() || step.operands.empty()) break;
    at = step.operands.data();
  }
  return *at;
}

/// `x[top:top + 6]`: how much is cut out, where that is a number and the start is worked out.
std::optional<int64_t> number_cut_out(const View& view, const ops::Operator& op, const Step& slice,
                                      const Operand& end) {
  static const base::Symbol slicing("aten::slice"), add("aten::add");
  if (!slice.is(slicing)) return std::nullopt;
  const Operand& to = before_conversions(view, end);
  if (to.kind != Operand::Kind::result) return std::nullopt;
  const Step& sum = view.step(to.step);
  if (!sum.is(add) || sum.operands.size() < 2) return std::nullopt;
  const Operand& from = before_conversions(view, slice.operands[op.position(ops::arg::start)]);
  const Operand& base = before_conversions(view, sum.operands[0]);
  bool same = from.kind == Operand::Kind::result && base.kind == from.kind &&
              base.step == from.step && base.output == from.output;
  bool number = sum.operands[1].kind == Operand::Kind::literal;
  return same && number ? whole_number(sum.operands[1].literal) : std::nullopt;
}

void look_at(const View& view, size_t s, size_t i, std::vector<Sign>& signs) {
  const ops::Operator& op = *operator_of(view.step(s));
  const ops::Argument& argument = op.schema.arguments[i];
  SizeUse use{s, &argument, find_size_argument(argument.name), {}};
  if (!use.kind) return;
  const Operand& operand = view.step(s).operands[i];
  if (argument.default_value && operand.kind == Operand::Kind::literal &&
      same_literal(operand.literal, *argument.default_value)) {
    return;
  }
  use.numbers = numbers_of(view, operand, use.is_list);
  if (use.numbers.empty() && argument.name == "end") {
    if (auto cut = number_cut_out(view, op, view.step(s), operand)) {
      use.numbers = {cut};
      use.kind = find_size_argument("length");
    }
  }
  auto found = use.numbers.empty() ? std::nullopt : judge(view, use);
  if (!found) return;
  Sign sign = view.sign_at(s, RuleId::pinned_size, found->strength, found->why);
  sign.role = argument.name;
  sign.literal = numbers_text(use);
  signs.push_back(std::move(sign));
}

/// Whether there is a size of an input that a number could stand for: the step works on something
/// of the inputs, or makes something new.
bool has_sizes(const View& view, size_t s) {
  return view.flow.follows_input(s) || makes_tensors(view.step(s));
}

}  // namespace

void find_pinned_sizes(const View& view, std::vector<Sign>& signs) {
  for (size_t s = 0; s < view.program.steps.size(); ++s) {
    const ops::Operator* op = operator_of(view.step(s));
    // What a layer makes anew has sizes that are no settings of it: the first state of a recurrent
    // layer is as large as the batch.
    bool may = view.may_capture(s) || (view.traced(s) && makes_tensors(view.step(s)));
    if (!op || !may || !has_sizes(view, s) || view.flow.is_size(s)) continue;
    size_t count = std::min(op->schema.arguments.size(), view.step(s).operands.size());
    for (size_t i = 0; i < count; ++i) look_at(view, s, i, signs);
  }
}

}  // namespace assay::verify::lint
