#include "verify/guards/solve.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <random>

#include "verify/guards/solver.h"

namespace assay::verify::guards {
namespace {

using Op = Term::Op;

/// What the solver may take for one question: time, and steps of its own counting, at which it
/// stops where it does not look at the clock.
constexpr unsigned solver_milliseconds = 500, solver_steps = 1000000;
constexpr int most_points = 2000;
/// A space with no more sizes than these is looked through instead.
constexpr int64_t most_enumerated = 20000;

/// Terms and the spec's ranges as a program in SMT-LIB.
class Question {
 public:
  void declare(const Spec& spec) {
    for (const Dim* dim : dims_in_order(spec)) {
      std::string size = quoted(dim->letter), in_range;
      program_ += fmt::format("(declare-const {} Int)", size);
      for (const Interval& interval : dim->domain) {
        std::string low = integer(*term_of(interval.low)), high = integer(*term_of(interval.high));
        in_range += fmt::format("(and (<= {1} {0} {2}) (= 0 (mod (- {0} {1}) {3})))", size, low,
                                high, std::max<int64_t>(interval.step, 1));
      }
      demand(fmt::format("(and (<= 0 {}) (or false {}))", size, in_range));
    }
  }

  void demand(const Term& condition) { demand(truth(condition)); }

  Solution answer(const Spec& spec) const {
    std::string program =
        fmt::format("(set-option :timeout {})(set-option :rlimit {}){}(check-sat)",
                    solver_milliseconds, solver_steps, program_);
    for (const Dim& dim : spec.dims) program += fmt::format("(get-value ({}))", quoted(dim.letter));
    std::string said = ask_solver(program);
    if (said.starts_with("unsat")) return {Solution::Kind::none, {}};
    if (!said.starts_with("sat")) return {};
    // "sat", then "((n 12))" for each letter.
    Solution out{Solution::Kind::found, {}};
    size_t end = 0;
    for (const Dim& dim : spec.dims) {
      end = said.find("))", end + 1);
      if (end == std::string::npos) return {};
      size_t begin = said.find_last_of(' ', end) + 1;
      int64_t value = 0;
      auto [past, error] = std::from_chars(&said[begin], &said[end], value);
      if (error != std::errc() || past != &said[end]) return {};
      out.sizes[dim.letter] = value;
    }
    return out;
  }

 private:
  void demand(const std::string& condition) { program_ += fmt::format("(assert {})", condition); }

  static std::string quoted(const std::string& letter) { return fmt::format("|{}|", letter); }

  std::string truth(const Term& term) {
    if (!is_condition(term)) return fmt::format("(distinct {} 0)", integer(term));
    std::string a = side(term, 0);
    if (term.op == Op::opposite) return fmt::format("(not {})", a);
    return fmt::format("({} {} {})", words.at(term.op), a, side(term, 1));
  }

  /// What a condition is made of: conditions, or numbers that it compares.
  std::string side(const Term& condition, size_t i) {
    bool of_conditions =
        condition.op == Op::opposite || condition.op == Op::both || condition.op == Op::either;
    return of_conditions ? truth(*condition.items[i]) : integer(*condition.items[i]);
  }

  std::string integer(const Term& term) {
    if (term.op == Op::number) return number_text(term.value);
    if (term.op == Op::letter) return quoted(term.letter);
    if (is_condition(term)) return fmt::format("(ite {} 1 0)", truth(term));
    std::string out = integer(*term.items[0]);
    if (term.op == Op::negate) return fmt::format("(- {})", out);
    for (size_t i = 1; i < term.items.size(); ++i) {
      out = combined(term.op, out, integer(*term.items[i]));
    }
    return out;
  }

  static std::string number_text(int64_t value) {
    std::string digits = std::to_string(value);
    return value < 0 ? fmt::format("(- {})", digits.substr(1)) : digits;
  }

  std::string combined(Op op, const std::string& a, const std::string& b) {
    if (op == Op::least || op == Op::greatest) {
      return fmt::format("(let ((a {}) (b {})) (ite ({} a b) a b))", a, b, words.at(op));
    }
    if (op != Op::floor_divide && op != Op::remainder) {
      return fmt::format("({} {} {})", words.at(op), a, b);
    }
    demand(fmt::format("(distinct {} 0)", b));
    // The solver's quotient rounds down for positive divisors, as Python's does for all.
    return fmt::format(
        "(let ((a {}) (b {})) (let ((q (ite (> b 0) (div a b) (div (- a) (- b))))) {}))", a, b,
        op == Op::remainder ? "(- a (* b q))" : "q");
  }

  static const std::map<Op, const char*> words;
  std::string program_;
};

const std::map<Op, const char*> Question::words = {
    {Op::add, "+"},      {Op::subtract, "-"}, {Op::multiply, "*"},       {Op::least, "<"},
    {Op::greatest, ">"}, {Op::equal, "="},    {Op::unequal, "distinct"}, {Op::less, "<"},
    {Op::at_most, "<="}, {Op::greater, ">"},  {Op::at_least, ">="},      {Op::both, "and"},
    {Op::either, "or"},
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
  Question question;
  question.declare(spec);
  for (const TermPtr& condition : conditions) question.demand(*condition);
  Solution found = question.answer(spec);
  bool sure = found.kind == Solution::Kind::none ||
              (found.kind == Solution::Kind::found && meets(conditions, found.sizes));
  return sure ? found : search(spec, conditions, base);
}

TermPtr term_of(const SizeExpr& size) {
  return parse(size.text(), [](const Looked& looked) { return letter(looked.name); });
}

}  // namespace assay::verify::guards
