#include "engine/ops/size_tracker.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/size_fit.h"

namespace assay::ops {
namespace {

using Id = SizeExpressions::Id;
using Assignment = SizeExpressions::Assignment;
using core::Value;

/// What is known of a tensor object, kept with it.
struct Identities final : base::RefCounted {
  base::Ref<SizeExpressions> of;  // Others know nothing of it.
  std::vector<Id> sizes;
  Id element = 0;
  uint64_t version = 0;  // Of the storage when the element was known.
};

Identities* identities_of(const core::Tensor& tensor, const SizeExpressions* expressions) {
  if (!tensor.defined()) return nullptr;
  auto* found =
      static_cast<Identities*>(tensor.impl()->extensions.find(core::TensorExtension::sizes));
  return found && found->of.get() == expressions ? found : nullptr;
}

Identities& make_identities(const core::Tensor& tensor, const base::Ref<SizeExpressions>& of) {
  if (Identities* there = identities_of(tensor, of.get())) return *there;
  auto made = base::make_ref<Identities>();
  made->of = of;
  made->sizes.resize(tensor.sizes().size());
  Identities& all = *made;
  tensor.impl()->extensions.set(core::TensorExtension::sizes, std::move(made));
  return all;
}

/// Whether host code may read the one element of the tensor as an integer.
bool is_readable_integer(const core::Tensor& t) {
  return t.defined() && t.dim() == 0 && t.device().type == core::DeviceType::cpu &&
         (t.dtype() == core::DType::int64 || t.dtype() == core::DType::boolean);
}

int64_t element_of(const core::Tensor& t) {
  return t.dtype() == core::DType::boolean ? int64_t{*t.device_data<core::Bool>()}
                                           : *t.device_data<int64_t>();
}

/// Calls `visit(number, name)` for every integer that the values hold: numbers, items of lists,
/// sizes of tensors. `name(id)` gives it an identity.
template <typename Visit>
void visit_integers(std::span<Value> values, const base::Ref<SizeExpressions>& of, Visit visit) {
  for (Value& value : values) {
    if (value.is_int() || value.is_bool()) {
      int64_t number = value.is_int() ? value.to_int() : value.to_bool();
      visit(number, value.identity(), [&](Id id) { value = value.with_identity(id); });
    } else if (value.is_list()) {
      visit_integers(std::span<Value>(value.list().items), of, visit);
    } else if (value.is_tensor()) {
      core::Tensor tensor = value.to_tensor();
      for (size_t d = 0; d < tensor.sizes().size(); ++d) {
        Identities* known = identities_of(tensor, of.get());
        visit(tensor.size(d), known ? known->sizes[d] : 0,
              [&](Id id) { make_identities(tensor, of).sizes[d] = id; });
      }
    }
  }
}

std::vector<int64_t> integers_of(Results& results, const base::Ref<SizeExpressions>& of) {
  std::vector<int64_t> all;
  visit_integers({results.begin(), results.end()}, of,
                 [&](int64_t number, Id, const auto&) { all.push_back(number); });
  return all;
}

bool any_known(std::span<const Value> args, const SizeExpressions* expressions) {
  return std::any_of(args.begin(), args.end(), [&](const Value& arg) {
    if (arg.identity() != 0) return true;
    if (arg.is_tensor()) return identities_of(arg.to_tensor(), expressions) != nullptr;
    return arg.is_list() && any_known(arg.list().items, expressions);
  });
}

/// Strides of these sizes that keep the order of dimensions, and what is expanded.
core::Dims strides_like(const core::Tensor& tensor, const core::Dims& sizes) {
  std::vector<size_t> order(sizes.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return tensor.stride(a) > tensor.stride(b); });
  core::Dims strides = sizes;
  int64_t step = 1;
  for (size_t i = order.size(); i-- > 0;) {
    size_t d = order[i];
    bool expanded = tensor.stride(d) == 0 && tensor.size(d) > 1;
    strides[d] = expanded ? 0 : step;
    if (!expanded) step *= std::max<int64_t>(sizes[d], 1);
  }
  return strides;
}

/// Other sizes to ask at: those that are there with something added, times something, all at once
/// and, in `alone`, one by one.
std::vector<Assignment> other_sizes(const Assignment& now, const std::vector<size_t>& symbols,
                                    bool alone) {
  constexpr std::array<int64_t, 8> steps{1, 3, 5, 7, 11, 2, 9, 4};
  constexpr std::array<int64_t, 4> factors{2, 3, 5, 7};
  constexpr int64_t sums =
      13;  // A prime, so that every size gets each of 1 to 12 in its own order.
  std::vector<Assignment> all;
  auto add = [&](auto change) {
    Assignment other = now;
    for (size_t i = 0; i < symbols.size(); ++i) {
      if (alone) other = now;
      other[symbols[i]] = change(now[symbols[i]], i);
      if (alone) all.push_back(other);
    }
    if (!alone) all.push_back(other);
  };
  for (int64_t k = 1; k < sums; ++k) {
    add([&](int64_t size, size_t i) { return size + k * steps[i % steps.size()] % sums; });
  }
  for (size_t k = 0; k < factors.size(); ++k) {
    add([&](int64_t size, size_t i) { return size * factors[(k + i) % factors.size()]; });
  }
  return all;
}

}  // namespace

SizeTracker::SizeTracker(const Context& context) {
  asking_.kernels = context.kernels;
  asking_.default_dtype = context.default_dtype;
}

void SizeTracker::follow(const std::string& name, const core::Tensor& input) {
  Identities& identities = make_identities(input, expressions_);
  for (size_t d = 0; d < input.sizes().size(); ++d) {
    identities.sizes[d] = expressions_->symbol(fmt::format("{}.size({})", name, d), input.size(d));
  }
}

Value SizeTracker::follow(const std::string& name, int64_t input) {
  return Value(input).with_identity(expressions_->symbol(name, input));
}

Id SizeTracker::size(const core::Tensor& tensor, size_t dim) const {
  const Identities* known = identities_of(tensor, expressions_.get());
  return known ? known->sizes[dim] : 0;
}

Id SizeTracker::element(const core::Tensor& tensor) const {
  const Identities* known = identities_of(tensor, expressions_.get());
  bool current = known && known->version == tensor.version() && !tensor.storage()->exposed();
  return current ? known->element : 0;
}

std::optional<Value> SizeTracker::evaluate(Id id, const Assignment& values) {
  return expressions_->evaluate(asking_, id, values);
}

/// The argument as it would be at other sizes; tensors without memory.
Value SizeTracker::elsewhere(const Value& arg, const Assignment& values) {
  auto number = [&](Id id) {
    std::optional<Value> found = evaluate(id, values);
    base::check(found.has_value(), "a size has no value there");
    return *found;
  };
  if (arg.identity() != 0) return number(arg.identity());
  if (arg.is_list()) {
    core::Values items;
    for (const Value& item : arg.list().items) items.push_back(elsewhere(item, values));
    return Value(base::make_ref<core::ListObject>(arg.list().element, std::move(items)));
  }
  if (!arg.is_tensor()) return arg;
  core::Tensor tensor = arg.to_tensor();
  const Identities* known = identities_of(tensor, expressions_.get());
  core::Dims sizes = tensor.sizes();
  for (size_t d = 0; known && d < sizes.size(); ++d) {
    if (known->sizes[d] != 0) sizes[d] = number(known->sizes[d]).to_int();
  }
  core::Tensor other = core::Tensor::empty_strided(sizes, strides_like(tensor, sizes),
                                                   tensor.dtype(), {core::DeviceType::meta});
  other.impl()->wrapped_number = tensor.is_wrapped_number();
  return Value(other);
}

/// An operand that the expression equals wherever it is asked, in place of it: conversions, `x *
/// 1`.
Id SizeTracker::simplest(Id id) {
  const auto& symbols = expressions_->symbols_of(id);
  auto all = other_sizes(expressions_->values(), symbols, false);
  for (Id operand : expressions_->operands_of(id)) {
    bool same = std::all_of(all.begin(), all.end(), [&](const Assignment& values) {
      auto a = evaluate(id, values), b = evaluate(operand, values);
      return a && b && a->tag() == b->tag() && a->equals(*b);
    });
    if (same) return operand;
  }
  return id;
}

void SizeTracker::name_number(const Operator& op, std::vector<SizeExpressions::Operand> operands,
                              Value& result) {
  bool is_tensor = result.is_tensor();
  if (is_tensor && !is_readable_integer(result.to_tensor())) return;
  if (!is_tensor && (!result.is_number() || result.identity() != 0)) return;
  int64_t now = is_tensor ? element_of(result.to_tensor()) : result.is_int() ? result.to_int() : 0;
  Id id = expressions_->apply(op, std::move(operands), now);
  if (id == 0) return;
  id = simplest(id);
  if (is_tensor) {
    Identities& identities = make_identities(result.to_tensor(), expressions_);
    identities.element = id;
    identities.version = result.to_tensor().version();
  } else {
    result = result.with_identity(id);
  }
}

/// The arguments as operands of an expression; nothing unless all are plain numbers.
std::optional<std::vector<SizeExpressions::Operand>> SizeTracker::operands_of(
    std::span<const Value> args) const {
  std::vector<SizeExpressions::Operand> operands;
  for (const Value& arg : args) {
    SizeExpressions::Operand operand;
    if (arg.is_tensor()) {
      core::Tensor tensor = arg.to_tensor();
      if (!is_readable_integer(tensor)) return std::nullopt;
      operand.as_tensor = true;
      operand.id = element(tensor);
      operand.constant = Value(element_of(tensor));
    } else if (arg.is_list() || arg.tag() > Value::Tag::list) {
      return std::nullopt;
    } else {
      operand.id = arg.identity();
      operand.constant = arg.with_identity(0);
    }
    operands.push_back(std::move(operand));
  }
  return operands;
}

/// What an operator answers at the sizes that there are and at others, and what they depend on.
class SizeTracker::Question {
 public:
  Question(SizeTracker& tracker, const Operator& op, std::span<const Value> args)
      : tracker_(tracker), op_(op) {
    for (const Value& arg : args) gather(arg);
    std::vector<size_t> changed(symbols_.begin(), symbols_.end());
    for (bool alone : {false, true}) {
      if (answers_.size() >= enough_answers || (alone && changed.size() < 2)) break;
      const auto& now = tracker.expressions_->values();
      for (const Assignment& there : other_sizes(now, changed, alone)) ask(args, there);
    }
  }

  /// Gives the integers in the results their identities.
  void name(Results& results) {
    std::vector<int64_t> now = integers_of(results, tracker_.expressions_);
    std::erase_if(answers_, [&](const Answer& a) { return a.integers.size() != now.size(); });
    bool asked = !answers_.empty();
    if (asked) add(tracker_.expressions_->values(), now);
    size_t i = 0;
    visit_integers({results.begin(), results.end()}, tracker_.expressions_,
                   [&](int64_t number, Id known, const auto& set) {
                     Id id = known != 0 ? known : asked ? fitting(i, number) : unknown(number);
                     if (id != known) set(id);
                     ++i;
                   });
  }

 private:
  struct Answer {
    std::vector<int64_t> variables;  // Of ids_.
    std::vector<int64_t> integers;
  };
  /// With fewer, sizes are changed one by one, too.
  static constexpr size_t enough_answers = 4;

  void gather(const Value& arg) {
    if (arg.identity() != 0) change_with(arg.identity());
    if (arg.identity() != 0 && !arg.is_float()) position(arg.identity());
    if (arg.is_list()) {
      for (const Value& item : arg.list().items) gather(item);
    }
    if (!arg.is_tensor()) return;
    const Identities* known = identities_of(arg.to_tensor(), tracker_.expressions_.get());
    if (!known) return;
    std::vector<size_t> group;
    for (Id id : known->sizes) {
      if (id == 0) continue;
      change_with(id);
      group.push_back(position(id));
    }
    groups_.push_back(std::move(group));
  }

  void change_with(Id id) {
    const auto& symbols = tracker_.expressions_->symbols_of(id);
    symbols_.insert(symbols.begin(), symbols.end());
  }

  size_t position(Id id) {
    auto found = std::find(ids_.begin(), ids_.end(), id);
    if (found == ids_.end()) found = ids_.insert(found, id);
    return static_cast<size_t>(found - ids_.begin());
  }

  void ask(std::span<const Value> args, const Assignment& there) {
    try {
      core::Values others;
      for (const Value& arg : args) others.push_back(tracker_.elsewhere(arg, there));
      Results results = ops::call(tracker_.asking_, op_, others);
      add(there, integers_of(results, tracker_.expressions_));
    } catch (const base::Error&) {  // No call at these sizes.
    }
  }

  void add(const Assignment& there, std::vector<int64_t> integers) {
    Answer answer;
    for (Id id : ids_) {
      std::optional<Value> value = tracker_.evaluate(id, there);
      if (!value || !(value->is_int() || value->is_bool())) return;
      answer.variables.push_back(value->is_int() ? value->to_int() : value->to_bool());
    }
    answer.integers = std::move(integers);
    answers_.push_back(std::move(answer));
  }

  Id fitting(size_t integer, int64_t now) {
    std::vector<int64_t> answers;
    std::vector<std::vector<int64_t>> variables(ids_.size());
    for (const Answer& a : answers_) {
      answers.push_back(a.integers[integer]);
      for (size_t v = 0; v < ids_.size(); ++v) variables[v].push_back(a.variables[v]);
    }
    std::optional<SizeFit> fit = fit_size(answers, variables, groups_);
    return fit ? expression(*fit, now) : unknown(now);
  }

  Id unknown(int64_t now) {
    return tracker_.expressions_->symbol(fmt::format("a size from {}", op_.qualified_name), now);
  }

  Id expression(const SizeFit& fit, int64_t now) {
    if (fit.terms.empty()) return 0;
    auto apply = [&](const char* op, Id a, SizeExpressions::Operand b) {
      return tracker_.expressions_->apply(get_operator(op), {{a, {}, false}, std::move(b)}, now);
    };
    auto constant = [](int64_t number) { return SizeExpressions::Operand{0, number, false}; };
    Id id = ids_[fit.terms[0]];
    for (size_t t = 1; t < fit.terms.size(); ++t) {
      id = apply(fit.is_sum ? "aten::add.int" : "aten::mul.int", id,
                 {ids_[fit.terms[t]], {}, false});
    }
    if (fit.scale != 1) id = apply("aten::mul.int", id, constant(fit.scale));
    if (fit.offset != 0) id = apply("aten::add.int", id, constant(fit.offset));
    if (fit.divisor != 1) id = apply("aten::floordiv.int", id, constant(fit.divisor));
    return id;
  }

  SizeTracker& tracker_;
  const Operator& op_;
  std::set<size_t> symbols_;                 // That arguments depend on.
  std::vector<Id> ids_;                      // Of integers among the arguments.
  std::vector<std::vector<size_t>> groups_;  // For each tensor, positions in ids_.
  std::vector<Answer> answers_;
};

Results SizeTracker::call(const Operator& op, std::span<const Value> args, const Next& next) {
  if (!any_known(args, expressions_.get())) return next(op, args);
  if (auto operands = operands_of(args)) {
    Results results = next(op, args);
    if (results.size() == 1) name_number(op, std::move(*operands), results[0]);
    return results;
  }
  Question question(*this, op, args);  // Before the call, which may write to its arguments.
  Results results = next(op, args);
  question.name(results);
  return results;
}

}  // namespace assay::ops
