#include "engine/script/type_parser.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/core/print.h"
#include "engine/script/lexer.h"
#include "engine/script/parser.h"

namespace assay::script {
namespace {

using core::TypeKind;
using core::TypePtr;

const std::unordered_map<std::string, TypeKind>& simple_names() {
  static const std::unordered_map<std::string, TypeKind> names{
      {"Tensor", TypeKind::tensor},
      {"int", TypeKind::integer},
      {"float", TypeKind::floating},
      {"bool", TypeKind::boolean},
      {"complex", TypeKind::complex},
      {"str", TypeKind::string},
      {"number", TypeKind::number},
      {"Device", TypeKind::device},
      {"Stream", TypeKind::stream},
      {"Storage", TypeKind::storage},
      {"Generator", TypeKind::generator},
      {"Capsule", TypeKind::capsule},
      {"Any", TypeKind::any},
      {"None", TypeKind::none},
      {"NoneType", TypeKind::none},
      {"list", TypeKind::any_list},
      {"tuple", TypeKind::any_tuple},
      {"AnyClassType", TypeKind::any_class},
      {"AnyEnumType", TypeKind::any_enum},
      // ScalarType, Layout and the like are ints.
      {"torch.dtype", TypeKind::integer},
      {"torch.layout", TypeKind::integer},
      {"torch.memory_format", TypeKind::integer},
      {"torch.qscheme", TypeKind::integer},
      {"torch.Tensor", TypeKind::tensor},
      {"torch.device", TypeKind::device},
      {"torch.Generator", TypeKind::generator},
      {"torch.Stream", TypeKind::stream},
      {"typing.Any", TypeKind::any},
  };
  return names;
}

// "List" of "typing.List", "Future" of "torch.jit.Future".
std::string generic_name(const Expr& expr) {
  std::string name = dotted_name(expr).value_or("");
  for (std::string prefix :
       {"typing.", "torch.jit.", "jit.", "torch.futures.", "torch.distributed.rpc."}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

core::Value as_type(core::Value value, const TypePtr& type) {
  if (!type) return value;
  if (type->is(TypeKind::optional))
    return value.is_none() ? value : as_type(value, type->element());
  if (type->is(TypeKind::floating) && value.is_int()) {
    return static_cast<double>(value.to_int());
  }
  return value;
}

/// `padding: BroadcastingList2[int] = 0` has the default [0, 0]: what archives write, and all that
/// PyTorch reads in them.
void spread_default(ops::Argument& argument) {
  if (!argument.list_size || !argument.default_value) return;
  const core::Value one = *argument.default_value;
  if (!one.is_int() && !one.is_float()) return;
  const TypePtr& list =
      argument.type->is(core::TypeKind::optional) ? argument.type->element() : argument.type;
  argument.default_value = core::make_list(
      list->element(),
      core::Values(static_cast<size_t>(*argument.list_size), as_type(one, list->element())));
}

/// Whether what lists and dicts of the value hold is of the types that they name.
bool is_consistent(const core::Value& value) {
  auto holds = [](const core::Value& item, const TypePtr& type) {
    return core::is_instance(item, type) && is_consistent(item);
  };
  if (value.is_list()) {
    const auto& list = value.list();
    return std::all_of(list.items.begin(), list.items.end(),
                       [&](const core::Value& item) { return holds(item, list.element); });
  }
  if (value.is_dict()) {
    const auto& dict = value.dict();
    return std::all_of(dict.entries().begin(), dict.entries().end(), [&](const auto& entry) {
      return holds(entry.key, dict.key) && holds(entry.value, dict.value);
    });
  }
  if (value.is_tuple()) {
    const auto& items = value.tuple().items;
    return std::all_of(items.begin(), items.end(), is_consistent);
  }
  return true;
}

/// Programs are compiled by what the types say: a value of another one would be read as something
/// that it is not.
void check_of_type(const core::Value& value, const TypePtr& type, const base::SourceRange& range) {
  bool undefined = type && type->is(TypeKind::tensor) && value.is_none();
  if (is_consistent(value) && (!type || undefined || core::is_instance(value, type))) return;
  base::fail_at(
      range, "the default value or constant ", core::display(value), " is of type ",
      value.type()->annotation(),
      type ? ", where " + type->annotation() + " was declared" : ", but what it holds is not");
}

}  // namespace

int64_t parse_integer(const std::string& text, const base::SourceRange& range) {
  bool negative = text[0] == '-';
  std::string digits = text.substr(negative ? 1 : 0);
  uint64_t base = 10;
  if (digits.size() > 1 && digits[0] == '0' &&
      !std::isdigit(static_cast<unsigned char>(digits[1]))) {
    char letter = static_cast<char>(std::tolower(static_cast<unsigned char>(digits[1])));
    base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
    digits = digits.substr(2);
  }
  constexpr uint64_t top = uint64_t{1} << 63;
  const uint64_t most = negative ? top : top - 1;
  uint64_t value = 0;
  for (char c : digits) {
    char lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    uint64_t digit = static_cast<uint64_t>(lower >= 'a' ? lower - 'a' + 10 : lower - '0');
    if (digit >= base) base::fail_at(range, "'", text, "' is no number");
    if (value > (most - digit) / base) {
      base::fail_at(range, text, " is out of range: it does not fit a 64-bit int");
    }
    value = value * base + digit;
  }
  return negative ? static_cast<int64_t>(~value + 1) : static_cast<int64_t>(value);
}

bool is_complex_literal(const std::string& text) {
  return text.back() == 'j' || text.back() == 'J';
}

bool is_float_literal(const std::string& text) {
  bool prefixed = text.find_first_of("xX") != std::string::npos;
  return !prefixed && !is_complex_literal(text) && text.find_first_of(".eE") != std::string::npos;
}

double parse_float(const std::string& text, const base::SourceRange& range) {
  std::string digits = is_complex_literal(text) ? text.substr(0, text.size() - 1) : text;
  double value = 0;
  // Python allows "1." and ".5", which from_chars takes too; "-.5" likewise.
  if (!base::parse_double(digits, value)) {
    // Out of range: as Python, infinity or zero.
    if (digits.find_first_not_of("-+.0123456789eE") != std::string::npos || digits.empty()) {
      base::fail_at(range, "'", text, "' is no number");
    }
    value = std::strtod(digits.c_str(), nullptr);
  }
  return value;
}

std::optional<TypePtr> TypeParser::named(const std::string& name) const {
  auto found = simple_names().find(name);
  if (found != simple_names().end()) return core::simple_type(found->second);
  return std::nullopt;
}

TypePtr TypeParser::parse(const std::string& text) const {
  auto source = std::make_shared<base::Source>();
  source->text = text;
  source->name = "<type>";
  return parse(*parse_expression(source));
}

TypePtr TypeParser::parse(const Expr& annotation) const {
  if (annotation.kind == ExprKind::none) return core::none_type();
  if (annotation.kind == ExprKind::string) return parse(annotation.text);
  if (annotation.kind == ExprKind::subscript) return subscripted(annotation);
  if (auto name = dotted_name(annotation)) {
    try {
      if (auto known = named(*name)) return *known;
    } catch (base::Error& error) {
      throw error.at(annotation.range);
    }
    if (TypePtr found = find_type_(*name, annotation.range)) return found;
    static const std::set<std::string> containers{"List",  "Dict",   "Tuple", "Optional",
                                                  "Union", "Future", "list",  "dict"};
    std::string generic = generic_name(annotation);
    if (containers.contains(generic)) {
      bool pair = generic == "Dict" || generic == "dict";
      base::fail_at(annotation.range, "Attempted to use ", generic, " without ",
                    pair ? "contained types" : "a contained type", ": say what it holds, as ",
                    generic, pair ? "[str, int]" : "[int]", " does");
    }
    base::fail_at(annotation.range, "Unknown type name '", *name, "'");
  }
  if (annotation.kind == ExprKind::binary) {
    base::fail_at(annotation.range, "Expression of type ", describe(annotation.op),
                  " cannot be used in a type expression");
  }
  base::fail_at(annotation.range, "expected the name of a type here");
}

namespace {

// A union of all kinds of numbers is what operators take as a Scalar.
TypePtr union_or_number(std::vector<TypePtr> types) {
  auto has = [&](TypeKind kind) {
    return std::any_of(types.begin(), types.end(),
                       [&](const auto& type) { return type->is(kind); });
  };
  bool numbers = types.size() == 3 && has(TypeKind::integer) && has(TypeKind::floating) &&
                 has(TypeKind::complex);
  return numbers ? core::number_type() : core::union_of(std::move(types));
}

}  // namespace

TypePtr TypeParser::subscripted(const Expr& annotation) const {
  std::string generic = generic_name(*annotation.items[0]);
  if (generic.empty()) {
    base::fail_at(annotation.items[0]->range, "Subscripted type must be a type identifier");
  }
  if (generic.starts_with("typing_")) generic.erase(0, 7);  // As torch.fx's code names them.
  std::vector<const Expr*> indices;
  for (size_t i = 1; i < annotation.items.size(); ++i) {
    const Expr& item = *annotation.items[i];
    // Tuple[()] has no members; List[(int)] and Dict[(str, int)] are as without parentheses.
    if (item.kind == ExprKind::tuple && annotation.items.size() == 2) {
      for (const auto& inner : item.items) indices.push_back(inner.get());
    } else {
      indices.push_back(&item);
    }
  }
  std::vector<TypePtr> types;
  auto count = [&](size_t wanted) {
    if (indices.size() == wanted) return;
    base::fail_at(annotation.range, generic, " takes ", wanted, " type(s), but ", indices.size(),
                  " are given");
  };
  for (const Expr* index : indices) types.push_back(parse(*index));
  if (generic == "Tuple" || generic == "tuple") return core::tuple_of(std::move(types));
  if (generic == "Union") {
    // PyTorch keeps a union of the one type that stands for several.
    bool number = types.size() == 1 && types[0]->is(TypeKind::number);
    if (number) return std::make_shared<core::Type>(TypeKind::union_, std::move(types));
    return union_or_number(std::move(types));
  }
  if (generic == "Dict" || generic == "dict") return count(2), core::dict_of(types[0], types[1]);
  static const std::set<std::string> of_one{"List",  "list", "Optional", "Future",
                                            "Final", "RRef", "Await"};
  bool known = of_one.contains(generic) || generic.starts_with("BroadcastingList");
  if (!known) base::fail_at(annotation.items[0]->range, "Unknown type constructor ", generic);
  count(1);
  if (generic == "List" || generic == "list") return core::list_of(types[0]);
  if (generic == "Optional") return core::optional_of(types[0]);
  if (generic == "Future") return core::future_of(types[0]);
  if (generic == "Final") return types[0];
  if (generic == "RRef") {
    return std::make_shared<core::Type>(TypeKind::rref, std::vector<TypePtr>{types[0]});
  }
  if (generic == "Await") {
    return std::make_shared<core::Type>(TypeKind::await, std::vector<TypePtr>{types[0]});
  }
  return core::list_of(types[0]);
}

const TypePtr& unannotated_type() {
  static const TypePtr type = std::make_shared<core::Type>(TypeKind::tensor);
  return type;
}

ops::Schema TypeParser::signature(const FunctionDef& function, const TypePtr& self,
                                  const Given& given) const {
  ops::Schema schema;
  schema.name = function.name;
  for (const auto& param : function.params) {
    ops::Argument argument;
    argument.name = param.name;
    argument.kwarg_only = param.keyword_only;
    argument.type = unannotated_type();
    if (self && schema.arguments.empty()) {
      argument.type = self;
    } else if (param.annotation) {
      argument.type = parse(*param.annotation);
      // BroadcastingList2[int], or Optional of it.
      const Expr* list = param.annotation.get();
      bool optional = list->kind == ExprKind::subscript && list->items.size() == 2 &&
                      generic_name(*list->items[0]) == "Optional";
      if (optional) list = list->items[1].get();
      std::string generic = list->kind == ExprKind::subscript ? generic_name(*list->items[0]) : "";
      int64_t size = 0;
      if (generic.starts_with("BroadcastingList") && base::parse_int(generic.substr(16), size)) {
        argument.list_size = static_cast<int>(size);
      }
    }
    auto known = given ? given(param, argument.type) : std::nullopt;
    if (known) {
      argument.default_value = *known;
    } else if (param.default_value) {
      argument.default_value = literal(*param.default_value, argument.type);
    }
    spread_default(argument);
    if (argument.default_value) {
      check_of_type(*argument.default_value, argument.type, param.range);
    }
    schema.arguments.push_back(std::move(argument));
  }
  if (function.return_annotation) {
    schema.returns.push_back({"", parse(*function.return_annotation), {}, false, {}, {}});
  }
  return schema;
}

core::Value TypeParser::constant(const Expr& expr, const TypePtr& type) const {
  core::Value value = literal(expr, type);
  check_of_type(value, type, expr.range);
  return value;
}

core::Value TypeParser::literal(const Expr& expr, const TypePtr& type) const {
  if (type && type->is(TypeKind::optional) && expr.kind != ExprKind::none) {
    return literal(expr, type->element());
  }
  switch (expr.kind) {
    case ExprKind::none:
      return {};
    case ExprKind::true_:
      return true;
    case ExprKind::false_:
      return false;
    case ExprKind::string:
      return expr.text;
    case ExprKind::number:
      if (is_complex_literal(expr.text)) {
        return core::Complex128(0, parse_float(expr.text, expr.range));
      }
      if (is_float_literal(expr.text)) return parse_float(expr.text, expr.range);
      return as_type(parse_integer(expr.text, expr.range), type);
    case ExprKind::name:
      if (expr.text == "inf") return std::numeric_limits<double>::infinity();
      if (expr.text == "nan") return std::numeric_limits<double>::quiet_NaN();
      break;
    case ExprKind::unary:
      if (expr.op == TokenKind::minus) {
        core::Value value = literal(*expr.items[0], type);
        if (value.is_float()) return -value.to_float();
      }
      break;
    case ExprKind::list:
    case ExprKind::tuple:
      return sequence(expr, type);
    case ExprKind::dict:
      return dict(expr, type);
    default:
      break;
  }
  if (compute_) return compute_(expr, type);
  base::fail_at(expr.range, "a default value or constant must be a literal");
}

core::Value TypeParser::sequence(const Expr& expr, const TypePtr& type) const {
  core::Values items;
  TypePtr element = type && type->is(TypeKind::list) ? type->element() : nullptr;
  bool typed = type && type->is(TypeKind::tuple) && type->contained().size() == expr.items.size();
  for (size_t i = 0; i < expr.items.size(); ++i) {
    items.push_back(literal(*expr.items[i], typed ? type->contained()[i] : element));
  }
  if (expr.kind == ExprKind::tuple && !element) return core::make_tuple(std::move(items));
  if (!element) element = items.empty() ? core::tensor_type() : items[0].type();
  return core::make_list(element, std::move(items));
}

core::Value TypeParser::dict(const Expr& expr, const TypePtr& type) const {
  bool typed = type && type->is(TypeKind::dict);
  std::vector<std::pair<core::Value, core::Value>> entries;
  for (size_t i = 0; i + 1 < expr.items.size(); i += 2) {
    entries.emplace_back(literal(*expr.items[i], typed ? type->contained()[0] : nullptr),
                         literal(*expr.items[i + 1], typed ? type->contained()[1] : nullptr));
  }
  TypePtr key = entries.empty() ? core::string_type() : entries[0].first.type();
  TypePtr value = entries.empty() ? core::tensor_type() : entries[0].second.type();
  auto made = typed ? core::make_dict(type->contained()[0], type->contained()[1])
                    : core::make_dict(key, value);
  for (auto& [at, item] : entries) made->set(at, std::move(item));
  return made;
}

}  // namespace assay::script
