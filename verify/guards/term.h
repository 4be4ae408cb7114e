#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "verify/spec/spec.h"

namespace assay::verify::guards {

struct Term;
using TermPtr = std::shared_ptr<const Term>;

/// A whole number or a condition over the letters of a spec. Immutable.
struct Term {
  enum class Op {
    number,
    letter,
    add,
    subtract,
    multiply,
    floor_divide,
    remainder,
    negate,
    least,     ///< min(...)
    greatest,  ///< max(...)
    equal,
    unequal,
    less,
    at_most,
    greater,
    at_least,
    both,
    either,
    opposite,
  };
  Op op = Op::number;
  int64_t value = 0;           ///< of `number`
  std::string letter;          ///< of `letter`
  std::vector<TermPtr> items;  ///< of all others
};

TermPtr number(int64_t value);
TermPtr letter(std::string name);
TermPtr make(Term::Op op, std::vector<TermPtr> items);
bool is_condition(const Term& term);

/// Its value; a condition is 0 or 1. Nothing for a division by zero, for what does not fit 64 bits,
/// and for a letter without a binding.
std::optional<int64_t> evaluate(const Term& term, const Bindings& sizes);
/// "h*w > 64": only the parentheses that are needed.
std::string text(const Term& term);
/// The opposite of a condition: "h*w <= 64".
TermPtr negated(const TermPtr& condition);
void collect_letters(const Term& term, std::set<std::string>& into);

/// Gives what stands for a name with what follows it: "x", ".size", {2}. Nothing: it is unknown.
struct Looked {
  std::string name;              ///< "x"
  std::vector<int64_t> indices;  ///< Of `x[0][1]`.
  std::string member;            ///< "size", "numel", "dim"; empty for the name alone
  std::optional<int64_t> argument;
};
using Lookup = std::function<TermPtr(const Looked&)>;

/// Reads an expression of Python over whole numbers: arithmetic, comparisons, `and`, `or`, `not`,
/// min, max, abs, int, bool, math.floor and math.ceil of a quotient. Null where it is none: it
/// speaks of values, of fractions, or of what the lookup does not know.
TermPtr parse(std::string_view expression, const Lookup& lookup);

}  // namespace assay::verify::guards
