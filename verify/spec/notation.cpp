#include "verify/spec/detail/notation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "engine/base/text.h"

namespace assay::verify::detail {

namespace {

constexpr size_t max_text = 16384;
constexpr int max_depth = 24;
constexpr size_t max_parts = 256;
constexpr std::string_view see_help = " (assay help spec shows how it is written)";

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Counts nesting while it lives.
struct Deeper {
  Deeper(int& depth, const Notation& notation) : depth_(depth) {
    if (++depth_ > max_depth) notation.fail("this nests too deeply");
  }
  ~Deeper() { --depth_; }
  int& depth_;
};

}  // namespace

Notation::Notation(std::string_view text, std::string name) {
  base::Source source;
  source.name = std::move(name);
  source.text = std::string(text.substr(0, max_text));
  source_ = std::make_shared<const base::Source>(std::move(source));
  text_ = source_->text;
  if (text.size() > max_text) fail("this text is longer than 16384 characters");
}

base::SourceRange Notation::range_of(size_t begin, size_t end) const {
  return {source_, begin, end};
}

void Notation::fail(std::string_view message) const { fail_from(at_, message); }

void Notation::fail_from(size_t begin, std::string_view message) const {
  base::fail_at(range_of(begin, std::max(begin + 1, at_)), message);
}

char Notation::peek() {
  while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool Notation::at_end() {
  peek();
  return at_ >= text_.size();
}

size_t Notation::position() {
  peek();
  return at_;
}

bool Notation::take(std::string_view wanted) {
  peek();
  if (text_.substr(at_, wanted.size()) != wanted) return false;
  bool word = in_name(wanted.back());
  size_t after = at_ + wanted.size();
  if (word && after < text_.size() && in_name(text_[after])) return false;
  at_ = after;
  return true;
}

void Notation::expect(std::string_view wanted, std::string_view why) {
  if (!take(wanted)) fail(fmt::format("expected '{}' {}{}", wanted, why, see_help));
}

void Notation::expect_end() {
  if (!at_end()) fail(fmt::format("nothing more was expected here{}", see_help));
}

std::string Notation::name(std::string_view what) {
  if (!starts_name(peek())) fail(fmt::format("expected {}{}", what, see_help));
  size_t begin = at_;
  while (at_ < text_.size() && in_name(text_[at_])) ++at_;
  return std::string(text_.substr(begin, at_ - begin));
}

std::string Notation::path() {
  if (take("*")) return "*";
  if (!starts_name(peek())) fail("expected the name of an input");
  size_t begin = at_;
  while (at_ < text_.size() && (in_name(text_[at_]) || text_[at_] == '.')) ++at_;
  return std::string(text_.substr(begin, at_ - begin));
}

std::string Notation::word(std::string_view what) {
  if (!in_name(peek())) fail(fmt::format("expected {}", what));
  size_t begin = at_;
  auto inside = [](char c) { return in_name(c) || c == ':' || c == '-' || c == '.'; };
  while (at_ < text_.size() && inside(text_[at_])) ++at_;
  return std::string(text_.substr(begin, at_ - begin));
}

std::string Notation::quoted() {
  char quote = peek();
  if (quote != '"' && quote != '\'') fail("expected a string in quotes");
  size_t begin = ++at_;
  while (at_ < text_.size() && text_[at_] != quote) ++at_;
  if (at_ >= text_.size()) fail_from(begin - 1, "this string has no end");
  return std::string(text_.substr(begin, at_++ - begin));
}

int64_t Notation::integer(std::string_view what) {
  peek();
  size_t begin = at_;
  if (at_ < text_.size() && text_[at_] == '-') ++at_;
  while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  int64_t value = 0;
  if (at_ == begin) fail(fmt::format("expected {}", what));
  if (!base::parse_int(text_.substr(begin, at_ - begin), value)) {
    fail_from(begin, "this is no number that fits 64 bits");
  }
  return value;
}

double Notation::number(std::string_view what) {
  peek();
  size_t begin = at_;
  auto digits = [&] {
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  };
  if (at_ < text_.size() && text_[at_] == '-') ++at_;
  digits();
  // A second dot belongs to the `..` of a range.
  if (at_ + 1 < text_.size() && text_[at_] == '.' && is_digit(text_[at_ + 1])) {
    ++at_;
    digits();
  }
  if (at_ > begin && at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
    size_t back = at_++;
    if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) ++at_;
    if (at_ < text_.size() && is_digit(text_[at_])) {
      digits();
    } else {
      at_ = back;
    }
  }
  double value = 0;
  if (at_ == begin || !base::parse_double(text_.substr(begin, at_ - begin), value)) {
    at_ = begin;
    fail(fmt::format("expected {}", what));
  }
  return value;
}

SizeExpr Notation::atom() {
  Deeper deeper(depth_, *this);
  char next = peek();
  if (take("(")) {
    SizeExpr inner = size();
    expect(")", "to close '('");
    return inner;
  }
  if (next == '-') {
    ++at_;
    if (is_digit(peek())) return SizeExpr(-integer("a number"));
    return SizeExpr::binary('-', SizeExpr(0), atom());
  }
  if (is_digit(next)) return SizeExpr(integer("a number"));
  if (!starts_name(next)) {
    fail(fmt::format("expected a size: a number, a letter, or arithmetic over both{}", see_help));
  }
  size_t begin = at_;
  std::string letter = name("a letter");
  letters_.emplace(letter, range_of(begin, at_));
  return SizeExpr::letter(std::move(letter));
}

SizeExpr Notation::product() {
  SizeExpr left = atom();
  for (size_t parts = 0; parts < max_parts; ++parts) {
    if (take("//")) {
      left = SizeExpr::binary('/', left, atom());
    } else if (take("*")) {
      left = SizeExpr::binary('*', left, atom());
    } else if (peek() == '/') {
      fail("sizes divide with '//', which rounds down");
    } else {
      return left;
    }
  }
  fail("this size has too many parts");
}

SizeExpr Notation::size() {
  SizeExpr left = product();
  for (size_t parts = 0; parts < max_parts; ++parts) {
    if (take("+")) {
      left = SizeExpr::binary('+', left, product());
    } else if (take("-")) {
      left = SizeExpr::binary('-', left, product());
    } else {
      return left;
    }
  }
  fail("this size has too many parts");
}

Interval Notation::interval() {
  size_t begin = position();
  Interval out;
  out.low = out.high = size();
  if (take("..")) out.high = size();
  if (out.low.is_number() && out.high.is_number()) {
    int64_t low = out.low.evaluate({}), high = out.high.evaluate({});
    if (low < 0) fail_from(begin, "a size cannot be negative");
    if (low > high) fail_from(begin, fmt::format("this range is empty: {} is above {}", low, high));
  }
  if (take(":")) {
    bool range = !(out.low == out.high);
    if (!range) fail_from(begin, "a step belongs to a range, as in 32..256:32");
    size_t step = position();
    out.step = integer("a step");
    if (out.step < 1) fail_from(step, "a step must be at least 1");
  }
  return out;
}

std::vector<Interval> Notation::domain() {
  std::vector<Interval> out{interval()};
  while (take(",")) {
    if (out.size() >= max_parts) fail("too many ranges");
    out.push_back(interval());
  }
  return out;
}

ValueBound Notation::bound() {
  size_t begin = position();
  size_t digit = begin + (peek() == '-' ? 1 : 0);
  if (digit < text_.size() && is_digit(text_[digit])) {
    double value = number("a number");
    if (text_.substr(begin, at_ - begin).find_first_of(".eE") != std::string_view::npos) {
      bool whole = std::fabs(value) < 9e15 && value == std::floor(value);
      return whole ? ValueBound(SizeExpr(static_cast<int64_t>(value))) : ValueBound(value);
    }
    at_ = begin;  // An integer: perhaps the start of a size such as 2*n.
  }
  return size();
}

ValueRange Notation::range() {
  size_t begin = position();
  ValueRange out;
  out.low = bound();
  expect("..", "between the ends of a range of values");
  out.high = bound();
  auto value = [](const ValueBound& b) -> std::optional<double> {
    if (auto* number = std::get_if<double>(&b)) return *number;
    const SizeExpr& expr = std::get<SizeExpr>(b);
    if (!expr.is_number()) return std::nullopt;
    return static_cast<double>(expr.evaluate({}));
  };
  std::optional<double> low = value(out.low), high = value(out.high);
  if (low && high && *low > *high) fail_from(begin, "this range of values is empty");
  return out;
}

ShapeItem Notation::shape_item() {
  ShapeItem item;
  if (take("?")) {
    item.kind = ShapeItem::Kind::any;
  } else if (take("*")) {
    item.kind = ShapeItem::Kind::pack;
    item.name = name("the name of a pack after '*'");
  } else {
    size_t begin = position();
    item.size = size();
    if (item.size.is_number() && item.size.evaluate({}) < 0) {
      fail_from(begin, "a size cannot be negative");
    }
  }
  return item;
}

InputTree Notation::tensor(core::DType dtype) {
  InputTree tree;
  tree.kind = InputTree::Kind::tensor;
  tree.dtype = dtype;
  expect("[", "and the sizes of a tensor after its element type");
  while (!take("]")) {
    if (!tree.shape.empty()) expect(",", "or ']' between sizes");
    if (tree.shape.size() >= 16) fail("a tensor has at most 16 dimensions");
    tree.shape.push_back(shape_item());
  }
  return tree;
}

void Notation::text_choices(InputTree& tree) {
  if (!take("in")) fail("expected 'in' and the strings it may be: str in \"a\" | \"b\"");
  do {
    if (tree.texts.size() >= max_parts) fail("too many strings");
    tree.texts.push_back(quoted());
  } while (take("|"));
}

std::optional<InputTree> Notation::given() {
  InputTree out;
  char next = peek();
  size_t begin = at_;
  if (next == '"' || next == '\'') {
    out.kind = InputTree::Kind::text;
    out.texts.push_back(quoted());
  } else if (next == '-' || is_digit(next)) {
    number("a number");
    bool whole = text_.substr(begin, at_ - begin).find_first_of(".eE") == std::string_view::npos;
    out.kind = whole ? InputTree::Kind::integer : InputTree::Kind::floating;
    at_ = begin;
    ValueBound only = whole ? ValueBound(SizeExpr(integer("a number"))) : bound();
    out.range = ValueRange{only, only};
  } else {
    bool yes = take("True") || take("true");
    if (!yes && !take("False") && !take("false")) return std::nullopt;
    out.kind = InputTree::Kind::boolean;
    SizeExpr only(yes ? 1 : 0);
    out.range = ValueRange{only, only};
  }
  return out;
}

InputTree Notation::leaf() {
  if (auto value = given()) return *std::move(value);
  size_t begin = position();
  take("torch.");  // As Python writes it.
  std::string type = name("an element type, 'int', 'float', 'bool', 'str', '{', '[' or '('");
  if (peek() == '(') {
    if (parse_dtype(type)) fail(fmt::format("sizes stand in brackets: {}[2, 3]", type));
    return record(std::move(type));
  }
  InputTree tree;
  bool shaped = peek() == '[';
  if (!shaped && type == "int") {
    tree.kind = InputTree::Kind::integer;
  } else if (!shaped && type == "float") {
    tree.kind = InputTree::Kind::floating;
  } else if (!shaped && type == "bool") {
    tree.kind = InputTree::Kind::boolean;
  } else if (!shaped && type == "str") {
    tree.kind = InputTree::Kind::text;
  } else if (std::optional<core::DType> dtype = parse_dtype(type)) {
    tree = tensor(*dtype);
  } else {
    fail_from(begin, no_dtype(type));
  }
  tree.optional = take("?");
  if (tree.kind == InputTree::Kind::text) {
    text_choices(tree);
  } else if (take("in")) {
    if (tree.kind == InputTree::Kind::boolean) fail("a bool has no range of values");
    tree.range = range();
  }
  if (!tree.optional) tree.optional = take("?");
  return tree;
}

std::string Notation::key() {
  bool in_quotes = peek() == '"' || peek() == '\'';
  return in_quotes ? quoted() : name("a key");
}

InputTree Notation::dict() {
  InputTree out;
  out.kind = InputTree::Kind::dict;
  while (!take("}")) {
    if (!out.children.empty()) expect(",", "or '}' between entries");
    if (out.children.size() >= max_parts) fail("too many entries");
    size_t begin = position();
    std::string next = key();
    if (std::find(out.keys.begin(), out.keys.end(), next) != out.keys.end()) {
      fail_from(begin, fmt::format("key '{}' is given twice", next));
    }
    out.key_optional.push_back(take("?"));
    out.keys.push_back(std::move(next));
    expect(":", "after a key");
    out.children.push_back(tree());
  }
  return out;
}

InputTree Notation::record(std::string class_name) {
  Deeper deeper(depth_, *this);
  InputTree out;
  out.kind = InputTree::Kind::record;
  out.class_name = std::move(class_name);
  expect("(", "and the fields of a named tuple or a dataclass");
  while (!take(")")) {
    if (!out.children.empty()) expect(",", "or ')' between fields");
    if (out.children.size() >= max_parts) fail("too many fields");
    size_t begin = position();
    std::string field = name("the name of a field");
    if (std::find(out.keys.begin(), out.keys.end(), field) != out.keys.end()) {
      fail_from(begin, fmt::format("field '{}' is given twice", field));
    }
    out.keys.push_back(std::move(field));
    expect(":", "after the name of a field");
    out.children.push_back(tree());
  }
  out.optional = take("?");
  return out;
}

InputTree Notation::list() {
  InputTree out;
  out.kind = InputTree::Kind::list;
  while (!take("]")) {
    if (!out.children.empty()) expect(",", "or ']' between elements");
    if (out.children.size() >= max_parts) fail("too many elements");
    out.children.push_back(tree());
  }
  if (peek() != '*') return out;
  if (out.children.size() != 1) fail("a repeated list has one element: [f32[3]]*n");
  take("*");
  out.kind = InputTree::Kind::repeated;
  out.count = atom();
  return out;
}

InputTree Notation::tuple() {
  InputTree out;
  out.kind = InputTree::Kind::tuple;
  while (!take(")")) {
    if (out.children.size() >= max_parts) fail("too many members");
    out.children.push_back(tree());
    if (take(")")) break;
    expect(",", "or ')' between members");
  }
  return out;
}

InputTree Notation::tree() {
  Deeper deeper(depth_, *this);
  InputTree out;
  if (take("{")) {
    out = dict();
  } else if (take("[")) {
    out = list();
  } else if (take("(")) {
    out = tuple();
  } else {
    return leaf();
  }
  out.optional = take("?");
  return out;
}

}  // namespace assay::verify::detail
