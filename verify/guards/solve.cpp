#include "verify/guards/solve.h"

#include <z3++.h>

#include <algorithm>
#include <random>

namespace assay::verify::guards {
namespace {

using Op = Term::Op;

/// What the solver may take for one question: time, and steps of its own counting, at which it
/// stops where it does not look at the clock.
constexpr unsigned solver_milliseconds = 500, solver_steps = 1000000;
constexpr int most_points = 2000;
/// A space with no more sizes than these is looked through instead.
constexpr int64_t most_enumerated = 20000;

/// Terms and the spec's ranges in the solver's words.
class Question {
 public:
  Question() : solver_(context_) {
    z3::params limits(context_);
    limits.set("timeout", solver_milliseconds);
    limits.set("rlimit", solver_steps);
    solver_.set(limits);
  }

  void declare(const Spec& spec) {
    for (const Dim* dim : dims_in_order(spec)) {
      z3::expr size = context_.int_const(dim->letter.c_str());
      z3::expr in_range = context_.bool_val(false);
      for (const Interval& interval : dim->domain) {
        z3::expr low = integer(*term_of(interval.low)), high = integer(*term_of(interval.high));
        z3::expr inside = size >= low && size <= high;
        if (interval.step > 1) {
          inside = inside && z3::mod(size - low, context_.int_val(interval.step)) == 0;
        }
        in_range = in_range || inside;
      }
      solver_.add(in_range && size >= 0);
    }
  }

  void demand(const Term& condition) { solver_.add(truth(condition)); }

  Solution answer(const Spec& spec) {
    z3::check_result result = solver_.check();
    if (result == z3::unsat) return {Solution::Kind::none, {}};
    if (result == z3::unknown) return {};
    z3::model model = solver_.get_model();
    Solution out{Solution::Kind::found, {}};
    for (const Dim& dim : spec.dims) {
      z3::expr size = model.eval(context_.int_const(dim.letter.c_str()), true);
      int64_t value = 0;
      if (!size.is_numeral_i64(value)) return {};
      out.sizes[dim.letter] = value;
    }
    return out;
  }

 private:
  z3::expr floor_divide(const z3::expr& a, const z3::expr& b) {
    solver_.add(b != 0);
    // The solver's quotient rounds down for positive divisors, as Python's does for all.
    return z3::ite(b > 0, a / b, (-a) / (-b));
  }

  z3::expr truth(const Term& term) {
    if (!is_condition(term)) return integer(term) != 0;
    if (term.op == Op::opposite) return !truth(*term.items[0]);
    if (term.op == Op::both) return truth(*term.items[0]) && truth(*term.items[1]);
    if (term.op == Op::either) return truth(*term.items[0]) || truth(*term.items[1]);
    z3::expr a = integer(*term.items[0]), b = integer(*term.items[1]);
    return compared<z3::expr>(term.op, a, b);
  }

  z3::expr integer(const Term& term) {
    if (term.op == Op::number) return context_.int_val(term.value);
    if (term.op == Op::letter) return context_.int_const(term.letter.c_str());
    if (is_condition(term)) {
      return z3::ite(truth(term), context_.int_val(1), context_.int_val(0));
    }
    z3::expr out = integer(*term.items[0]);
    if (term.op == Op::negate) return -out;
    for (size_t i = 1; i < term.items.size(); ++i) {
      z3::expr next = integer(*term.items[i]);
      out = combined(term.op, out, next);
    }
    return out;
  }

  z3::expr combined(Op op, const z3::expr& a, const z3::expr& b) {
    switch (op) {
      case Op::add:
        return a + b;
      case Op::subtract:
        return a - b;
      case Op::multiply:
        return a * b;
      case Op::floor_divide:
        return floor_divide(a, b);
      case Op::remainder:
        return a - b * floor_divide(a, b);
      case Op::least:
        return z3::ite(a < b, a, b);
      default:
        return z3::ite(a > b, a, b);
    }
  }

  z3::context context_;
  z3::solver solver_;
};

bool meets(const std::vector<TermPtr>& conditions, const Bindings& sizes) {
  return std::all_of(conditions.begin(), conditions.end(), [&](const TermPtr& condition) {
    auto value = evaluate(*condition, sizes);
    return value && *value != 0;
  });
}

/// Each letter alone through its range's beginning, then points drawn.
Solution search(const Spec& spec, const std::vector<TermPtr>& conditions, const Point& base) {
  std::mt19937_64 random(1);
  std::vector<std::string> letters;
  for (const Dim* dim : dims_in_order(spec)) letters.push_back(dim->letter);
  if (letters.empty()) return {};
  for (int k = 0; k < most_points; ++k) {
    Point wanted = base;
    int alone = static_cast<int>(k / letters.size());
    if (k < most_points / 2) {
      wanted.sizes[letters[static_cast<size_t>(k) % letters.size()]] = alone;
    } else {
      for (const std::string& name : letters) {
        wanted.sizes[name] = static_cast<int64_t>(random() >> (32 + random() % 32));
      }
    }
    auto point = nearest_point(spec, wanted);
    if (point && meets(conditions, point->sizes)) return {Solution::Kind::found, point->sizes};
  }
  return {};
}

/// Goes through all sizes of the letters that conditions and ranges need, as long as they are few.
class Enumeration {
 public:
  Enumeration(const Spec& spec, const std::vector<TermPtr>& conditions)
      : dims_(dims_in_order(spec)), conditions_(conditions) {}

  /// Unknown where there are too many.
  Solution run() {
    if (from(0)) return {Solution::Kind::found, sizes_};
    return {tried_ > most_enumerated ? Solution::Kind::unknown : Solution::Kind::none, {}};
  }

 private:
  /// Whether some sizes of the letters from this one on meet the conditions; they are set then.
  bool from(size_t at) {
    if (at == dims_.size()) return ++tried_ <= most_enumerated && meets(conditions_, sizes_);
    const Dim& dim = *dims_[at];
    for (const Interval& interval : dim.domain) {
      int64_t low = interval.low.evaluate(sizes_), high = interval.high.evaluate(sizes_);
      if (low < 0) low = (low % interval.step + interval.step) % interval.step;
      for (int64_t size = low; size <= high; size += interval.step) {
        if (++tried_ > most_enumerated) return false;
        sizes_[dim.letter] = size;
        if (from(at + 1)) return true;
      }
    }
    return false;
  }

  std::vector<const Dim*> dims_;
  const std::vector<TermPtr>& conditions_;
  Bindings sizes_;
  int64_t tried_ = 0;
};

}  // namespace

Solution solve(const Spec& spec, const std::vector<TermPtr>& conditions, const Point& base) {
  if (meets(conditions, base.sizes)) return {Solution::Kind::found, base.sizes};
  Solution all = Enumeration(spec, conditions).run();
  if (all.kind != Solution::Kind::unknown) return all;
  try {
    Question question;
    question.declare(spec);
    for (const TermPtr& condition : conditions) question.demand(*condition);
    Solution found = question.answer(spec);
    bool sure = found.kind == Solution::Kind::none ||
                (found.kind == Solution::Kind::found && meets(conditions, found.sizes));
    if (sure) return found;
  } catch (const z3::exception&) {  // It gave up in its own way.
  }
  return search(spec, conditions, base);
}

TermPtr term_of(const SizeExpr& size) {
  return parse(size.text(), [](const Looked& looked) { return letter(looked.name); });
}

}  // namespace assay::verify::guards
