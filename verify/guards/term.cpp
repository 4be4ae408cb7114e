#include "verify/guards/term.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace assay::verify::guards {
namespace {

using Op = Term::Op;

struct Sign {
  Op op;
  const char* text;
  int precedence;  ///< Higher binds tighter.
};
constexpr Sign signs[] = {
    {Op::either, " or ", 1},  {Op::both, " and ", 2},    {Op::equal, " == ", 4},
    {Op::unequal, " != ", 4}, {Op::less, " < ", 4},      {Op::at_most, " <= ", 4},
    {Op::greater, " > ", 4},  {Op::at_least, " >= ", 4}, {Op::add, " + ", 5},
    {Op::subtract, " - ", 5}, {Op::multiply, "*", 6},    {Op::floor_divide, "//", 6},
    {Op::remainder, "%", 6},
};

const Sign* sign_of(Op op) {
  for (const Sign& sign : signs) {
    if (sign.op == op) return &sign;
  }
  return nullptr;
}

std::optional<int64_t> floor_divide(int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return std::nullopt;
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

std::optional<int64_t> compute(Op op, int64_t a, int64_t b) {
  int64_t out = 0;
  bool overflow = false;
  switch (op) {
    case Op::add:
      overflow = __builtin_add_overflow(a, b, &out);
      break;
    case Op::subtract:
      overflow = __builtin_sub_overflow(a, b, &out);
      break;
    case Op::multiply:
      overflow = __builtin_mul_overflow(a, b, &out);
      break;
    case Op::floor_divide:
      return floor_divide(a, b);
    case Op::remainder:
      if (auto quotient = floor_divide(a, b)) return a - b * *quotient;
      return std::nullopt;
    case Op::least:
      return std::min(a, b);
    case Op::greatest:
      return std::max(a, b);
    case Op::equal:
      return a == b;
    case Op::unequal:
      return a != b;
    case Op::less:
      return a < b;
    case Op::at_most:
      return a <= b;
    case Op::greater:
      return a > b;
    case Op::at_least:
      return a >= b;
    default:
      return std::nullopt;
  }
  return overflow ? std::nullopt : std::optional(out);
}

void print(const Term& term, int outer, std::string& out) {
  auto list = [&](const char* name) {
    out += name;
    for (size_t i = 0; i < term.items.size(); ++i) {
      out += i == 0 ? "(" : ", ";
      print(*term.items[i], 0, out);
    }
    out += ")";
  };
  if (term.op == Op::number) {
    out += std::to_string(term.value);
  } else if (term.op == Op::letter) {
    out += term.letter;
  } else if (term.op == Op::least || term.op == Op::greatest) {
    list(term.op == Op::least ? "min" : "max");
  } else if (const Sign* sign = sign_of(term.op)) {
    if (sign->precedence < outer) out += "(";
    print(*term.items[0], sign->precedence, out);
    out += sign->text;
    print(*term.items[1], sign->precedence + 1, out);
    if (sign->precedence < outer) out += ")";
  } else {
    constexpr int tightest = 7;
    out += term.op == Op::negate ? "-" : "not ";
    print(*term.items[0], tightest, out);
  }
}

/// Recursive descent over Python's precedences.
class Parser {
 public:
  Parser(std::string_view text, const Lookup& lookup) : text_(text), lookup_(lookup) {}

  TermPtr all() {
    TermPtr term = disjunction();
    space();
    return at_ == text_.size() ? term : nullptr;
  }

 private:
  void space() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(std::string_view sign) {
    space();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  static bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
  bool take_word(std::string_view word) {
    space();
    size_t end = at_ + word.size();
    bool whole = end >= text_.size() || !in_name(text_[end]);
    return whole && take(word);
  }
  std::string name() {
    space();
    size_t start = at_;
    while (at_ < text_.size() && in_name(text_[at_])) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }
  static TermPtr join(Op op, TermPtr a, TermPtr b) {
    return a && b ? make(op, {std::move(a), std::move(b)}) : nullptr;
  }

  TermPtr disjunction() {
    TermPtr left = conjunction();
    while (left && take_word("or")) left = join(Op::either, left, conjunction());
    return left;
  }
  TermPtr conjunction() {
    TermPtr left = inversion();
    while (left && take_word("and")) left = join(Op::both, left, inversion());
    return left;
  }
  TermPtr inversion() {
    if (!take_word("not")) return comparison();
    TermPtr inner = inversion();
    return inner ? negated(inner) : nullptr;
  }
  TermPtr comparison() {
    TermPtr left = sum();
    static constexpr std::pair<std::string_view, Op> all_signs[] = {
        {"==", Op::equal},    {"!=", Op::unequal}, {"<=", Op::at_most},
        {">=", Op::at_least}, {"<", Op::less},     {">", Op::greater}};
    for (const auto& [sign, op] : all_signs) {
      if (left && take(sign)) return join(op, left, sum());
    }
    return left;
  }
  using Part = TermPtr (Parser::*)();
  using Joint = std::pair<std::string_view, Op>;
  /// Parts joined by any of these signs, from left to right.
  TermPtr chain(Part part, std::initializer_list<Joint> joints) {
    TermPtr left = (this->*part)();
    auto taken = [&](const Joint& joint) { return take(joint.first); };
    while (left) {
      const Joint* joint = std::find_if(joints.begin(), joints.end(), taken);
      if (joint == joints.end()) break;
      left = join(joint->second, left, (this->*part)());
    }
    return left;
  }
  TermPtr sum() { return chain(&Parser::product, {{"+", Op::add}, {"-", Op::subtract}}); }
  TermPtr product() {
    return chain(&Parser::unary,
                 {{"*", Op::multiply}, {"//", Op::floor_divide}, {"%", Op::remainder}});
  }
  TermPtr unary() {
    if (++depth_ > most_depth) return nullptr;
    TermPtr out;
    if (take("-")) {
      TermPtr inner = unary();
      out = inner ? make(Op::negate, {inner}) : nullptr;
    } else {
      out = atom();
    }
    --depth_;
    return out;
  }

  TermPtr atom() {
    space();
    if (take("(")) {
      TermPtr inner = disjunction();
      return inner && take(")") ? inner : nullptr;
    }
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) {
      auto read = digits();
      return read ? number(*read) : nullptr;
    }
    std::string word = name();
    if (word.empty()) return nullptr;
    if (word == "True" || word == "False") return number(word == "True");
    if (word == "math" && take(".")) return rounded(name());
    if (take("(")) return call(word);
    return looked_up(std::move(word));
  }

  std::optional<int64_t> digits() {
    space();
    int64_t out = 0;
    size_t start = at_;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
      if (__builtin_mul_overflow(out, 10, &out)) return std::nullopt;
      if (__builtin_add_overflow(out, text_[at_] - '0', &out)) return std::nullopt;
    }
    bool whole = at_ == text_.size() || (text_[at_] != '.' && !in_name(text_[at_]));
    return at_ > start && whole ? std::optional(out) : std::nullopt;
  }

  /// math.floor(a / b), math.ceil(a / b)
  TermPtr rounded(const std::string& function) {
    bool down = function == "floor";
    if ((!down && function != "ceil") || !take("(")) return nullptr;
    TermPtr a = unary();
    if (!a || !take("/") || take("/")) return nullptr;
    TermPtr b = unary();
    if (!b || !take(")")) return nullptr;
    if (down) return make(Op::floor_divide, {a, b});
    return make(Op::negate, {make(Op::floor_divide, {make(Op::negate, {a}), b})});
  }

  TermPtr call(const std::string& function) {
    std::vector<TermPtr> items;
    do {
      items.push_back(disjunction());
      if (!items.back()) return nullptr;
    } while (take(","));
    if (!take(")")) return nullptr;
    bool one = items.size() == 1;
    if (one && function == "int") return items[0];
    if (one && function == "bool") {
      return is_condition(*items[0]) ? items[0] : make(Op::unequal, {items[0], number(0)});
    }
    if (one && function == "abs") {
      return make(Op::greatest, {items[0], make(Op::negate, {items[0]})});
    }
    if (!one && function == "min") return make(Op::least, items);
    if (!one && function == "max") return make(Op::greatest, items);
    return nullptr;
  }

  TermPtr looked_up(std::string word) {
    Looked looked{std::move(word), {}, {}, {}};
    while (take("[")) {
      auto index = digits();
      if (!index || !take("]")) return nullptr;
      looked.indices.push_back(*index);
    }
    if (take(".")) {
      looked.member = name();
      if (!take("(")) return nullptr;
      if (!take(")")) {
        looked.argument = digits();
        if (!looked.argument || !take(")")) return nullptr;
      }
    }
    return lookup_(looked);
  }

  static constexpr int most_depth = 100;
  std::string_view text_;
  const Lookup& lookup_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

TermPtr number(int64_t value) {
  auto term = std::make_shared<Term>();
  term->value = value;
  return term;
}

TermPtr letter(std::string name) {
  auto term = std::make_shared<Term>();
  term->op = Op::letter;
  term->letter = std::move(name);
  return term;
}

TermPtr make(Op op, std::vector<TermPtr> items) {
  auto term = std::make_shared<Term>();
  term->op = op;
  term->items = std::move(items);
  std::set<std::string> letters;
  collect_letters(*term, letters);
  if (!letters.empty() || is_condition(*term)) return term;
  auto value = evaluate(*term, {});
  return value ? number(*value) : term;
}

bool is_condition(const Term& term) {
  switch (term.op) {
    case Op::equal:
    case Op::unequal:
    case Op::less:
    case Op::at_most:
    case Op::greater:
    case Op::at_least:
    case Op::both:
    case Op::either:
    case Op::opposite:
      return true;
    default:
      return false;
  }
}

std::optional<int64_t> evaluate(const Term& term, const Bindings& sizes) {
  if (term.op == Op::number) return term.value;
  if (term.op == Op::letter) {
    auto found = sizes.find(term.letter);
    return found == sizes.end() ? std::nullopt : std::optional(found->second);
  }
  auto first = evaluate(*term.items[0], sizes);
  if (!first) return std::nullopt;
  if (term.op == Op::negate) return compute(Op::subtract, 0, *first);
  if (term.op == Op::opposite) return *first == 0;
  if (term.op == Op::both && *first == 0) return 0;
  if (term.op == Op::either && *first != 0) return 1;
  int64_t value = *first;
  for (size_t i = 1; i < term.items.size(); ++i) {
    auto next = evaluate(*term.items[i], sizes);
    if (!next) return std::nullopt;
    if (term.op == Op::both || term.op == Op::either) return *next != 0;
    auto computed = compute(term.op, value, *next);
    if (!computed) return std::nullopt;
    value = *computed;
  }
  return value;
}

std::string text(const Term& term) {
  std::string out;
  print(term, 0, out);
  return out;
}

TermPtr negated(const TermPtr& condition) {
  static constexpr std::pair<Op, Op> opposites[] = {
      {Op::equal, Op::unequal}, {Op::less, Op::at_least}, {Op::greater, Op::at_most}};
  for (const auto& [one, other] : opposites) {
    if (condition->op == one) return make(other, condition->items);
    if (condition->op == other) return make(one, condition->items);
  }
  if (condition->op == Op::opposite) return condition->items[0];
  if (condition->op == Op::both || condition->op == Op::either) {
    return make(condition->op == Op::both ? Op::either : Op::both,
                {negated(condition->items[0]), negated(condition->items[1])});
  }
  if (is_condition(*condition)) return make(Op::opposite, {condition});
  return make(Op::equal, {condition, number(0)});
}

TermPtr parse(std::string_view expression, const Lookup& lookup) {
  return Parser(expression, lookup).all();
}

void collect_letters(const Term& term, std::set<std::string>& into) {
  if (term.op == Op::letter) into.insert(term.letter);
  for (const TermPtr& item : term.items) collect_letters(*item, into);
}

}  // namespace assay::verify::guards
