#include "engine/ops/schema_parser.h"

#include <cctype>
#include <memory>

#include "engine/base/error.h"
#include "engine/ops/native_class.h"

namespace assay::ops {
namespace {

using core::TypeKind;
using core::TypePtr;

struct TypeName {
  std::string_view text;
  TypeKind kind;
};

constexpr TypeName type_names[] = {
    {"Tensor", TypeKind::tensor},
    {"int", TypeKind::integer},
    {"float", TypeKind::floating},
    {"complex", TypeKind::complex},
    {"bool", TypeKind::boolean},
    {"str", TypeKind::string},
    {"Scalar", TypeKind::number},
    {"number", TypeKind::number},
    {"Device", TypeKind::device},
    {"Generator", TypeKind::generator},
    {"Storage", TypeKind::storage},
    {"Stream", TypeKind::stream},
    {"Any", TypeKind::any},
    {"NoneType", TypeKind::none},
    {"None", TypeKind::none},
    {"AnyEnumType", TypeKind::any_enum},
    {"AnyClassType", TypeKind::any_class},
    {"ClassType", TypeKind::any_class},
    {"list", TypeKind::any_list},
    {"tuple", TypeKind::any_tuple},
    {"Capsule", TypeKind::capsule},
    {"Function", TypeKind::function},
    {"SymInt", TypeKind::integer},
};

class Parser {
 public:
  Parser(std::string_view text, const NameResolver& resolve)
      : source_(std::make_shared<base::Source>(base::Source{std::string(text), "<schema>", 1, {}})),
        resolve_(resolve) {}

  Schema schema() {
    Schema s;
    s.name = word(":");
    if (accept('.')) s.overload = word("");
    expect('(');
    bool kwarg_only = false;
    if (!accept(')')) {
      do {
        if (accept('*')) {
          kwarg_only = true;
        } else if (accept_text("...")) {
          s.vararg = true;
        } else {
          s.arguments.push_back(argument(kwarg_only));
        }
      } while (accept(','));
      expect(')');
    }
    if (!accept_text("->")) error("expected '->'");
    results(s);
    end();
    return s;
  }

  TypePtr whole_type() {
    Argument holder;
    TypePtr t = type(holder, 0);
    end();
    return t;
  }

 private:
  void results(Schema& s) {
    if (accept_text("...")) {
      s.varret = true;
      return;
    }
    if (!accept('(')) {
      Argument result;
      result.type = type(result, 0);
      s.returns.push_back(std::move(result));
      return;
    }
    if (accept(')')) return;
    do {
      if (accept_text("...")) {
        s.varret = true;
        continue;
      }
      Argument result;
      result.type = type(result, 0);
      if (is_word(peek())) result.name = word("");
      s.returns.push_back(std::move(result));
    } while (accept(','));
    expect(')');
  }

  Argument argument(bool kwarg_only) {
    Argument a;
    a.kwarg_only = kwarg_only;
    a.type = type(a, 0);
    // A list size may also follow the name-free type: `int[2] stride=1`.
    a.name = word("");
    if (a.name == "self") a.other_name = "input";  // As in torch.f(input=…).
    if (accept('=')) a.default_value = default_of(a.type);
    return a;
  }

  TypePtr type(Argument& holder, int depth) {
    if (depth > 32) error("the type is nested too deeply");
    TypePtr base = base_type(holder, depth);
    alias(holder);
    while (true) {
      if (accept('?')) {
        base = core::optional_of(base);
      } else if (accept('[')) {
        if (std::isdigit(static_cast<unsigned char>(peek()))) {
          holder.list_size = static_cast<int>(integer());
        }
        expect(']');
        base = core::list_of(base);
        if (alias(holder)) holder.alias->on_list = true;
      } else {
        return base;
      }
    }
  }

  TypePtr base_type(Argument& holder, int depth) {
    if (accept('(')) {
      std::vector<TypePtr> members;
      if (!accept(')')) {
        do {
          Argument inner;
          members.push_back(type(inner, depth + 1));
        } while (accept(','));
        expect(')');
      }
      return core::tuple_of(std::move(members));
    }
    size_t begin = at_;
    std::string name = word("._<>");
    if (name == "ScalarType" || name == "Layout" || name == "MemoryFormat") {
      holder.int_kind = name;
      return core::int_type();
    }
    if (name == "Dict" || name == "Future" || name == "RRef" || name == "Union" ||
        name == "Await") {
      return generic(name, depth);
    }
    if (name == "Dimname") error("named dimensions are not supported");
    for (const auto& row : type_names) {
      if (row.text == name) return core::simple_type(row.kind);
    }
    if (resolve_) {
      if (TypePtr found = resolve_(name)) return found;
    }
    if (is_native_name(name)) return std::make_shared<core::ClassType>(name);
    // Type variables: t, t1, tVal.
    if (name[0] == 't' && name.find('.') == std::string::npos) return core::var_type(name);
    at_ = begin;
    error("unknown type '" + name + "'");
  }

  TypePtr generic(const std::string& name, int depth) {
    expect('(');
    std::vector<TypePtr> parts;
    do {
      Argument inner;
      parts.push_back(type(inner, depth + 1));
    } while (accept(','));
    expect(')');
    if (name == "Union") return core::union_of(std::move(parts));
    if (parts.size() != (name == "Dict" ? 2u : 1u)) error("wrong number of types in " + name);
    if (name == "Dict") return core::dict_of(parts[0], parts[1]);
    if (name == "Future") return core::future_of(parts[0]);
    TypeKind kind = name == "RRef" ? TypeKind::rref : TypeKind::await;
    return std::make_shared<core::Type>(kind, parts);
  }

  bool alias(Argument& holder) {
    size_t begin = at_;
    if (!accept('(')) return false;
    AliasInfo info;
    if (accept('*')) {
      info.set = "*";
    } else if (is_word(peek())) {
      info.set = word("|");
    } else {
      at_ = begin;
      return false;
    }
    info.writes = accept('!');
    info.set_after = info.set;
    if (accept_text("->")) info.set_after = accept('*') ? "*" : word("|");
    expect(')');
    holder.alias = std::move(info);
    return true;
  }

  core::Value default_of(const TypePtr& type) {
    skip();
    if (accept('[')) {
      core::Values items;
      const TypePtr& list = type->is(TypeKind::optional) ? type->element() : type;
      if (!list->is(TypeKind::list)) error("a list cannot be the default of " + type->str());
      if (!accept(']')) {
        do {
          items.push_back(default_of(list->element()));
        } while (accept(','));
        expect(']');
      }
      return core::make_list(list->element(), std::move(items));
    }
    char c = peek();
    if (c == '"' || c == '\'') return text(c);
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '.') return number(type);
    std::string name = word("_");
    if (name == "None") return {};
    if (name == "True") return true;
    if (name == "False") return false;
    if (name == "Mean") return 1;
    if (name == "strided" || name == "contiguous_format") return 0;
    if (name == "long") return static_cast<int64_t>(core::DType::int64);
    if (name == "inf" || name == "nan") {
      double value = 0;
      base::parse_double(name, value);
      return value;
    }
    error("unknown default '" + name + "'");
  }

  core::Value text(char quote) {
    expect(quote);
    std::string value;
    while (peek_raw() != quote) {
      if (at_ >= source_->text.size()) error("the text has no end");
      char c = source_->text[at_++];
      if (c == '\\' && at_ < source_->text.size()) c = unescaped(source_->text[at_++]);
      value += c;
    }
    ++at_;
    return core::Value(std::move(value));
  }

  static char unescaped(char c) {
    constexpr std::string_view names = "ntrfv", characters = "\n\t\r\f\v";
    size_t found = names.find(c);
    return found == std::string_view::npos ? c : characters[found];
  }

  core::Value number(const TypePtr& type) {
    size_t begin = at_;
    const std::string& all = source_->text;
    auto part = [&](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '+';
    };
    while (at_ < all.size() && part(all[at_])) ++at_;
    std::string_view digits = std::string_view(all).substr(begin, at_ - begin);
    int64_t whole = 0;
    double real = 0;
    const TypePtr& bare = type->is(TypeKind::optional) ? type->element() : type;
    bool wants_float = (bare->is(TypeKind::list) ? bare->element() : bare)->is(TypeKind::floating);
    core::Value value;
    if (base::parse_int(digits, whole)) {
      value = wants_float ? core::Value(static_cast<double>(whole)) : core::Value(whole);
    } else if (base::parse_double(digits, real)) {
      value = real;
    } else {
      at_ = begin;
      error("not a number");
    }
    // `int[2] stride=1` means a list with that element, repeated when it is used.
    if (bare->is(TypeKind::list)) return core::make_list(bare->element(), {value});
    return value;
  }

  int64_t integer() {
    size_t begin = at_;
    while (std::isdigit(static_cast<unsigned char>(peek_raw()))) ++at_;
    int64_t value = 0;
    if (!base::parse_int(std::string_view(source_->text).substr(begin, at_ - begin), value)) {
      error("not a number");
    }
    return value;
  }

  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
  char peek_raw() const { return at_ < source_->text.size() ? source_->text[at_] : '\0'; }
  void skip() {
    while (std::isspace(static_cast<unsigned char>(peek_raw()))) ++at_;
  }
  char peek() {
    skip();
    return peek_raw();
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool accept_text(std::string_view wanted) {
    skip();
    if (source_->text.compare(at_, wanted.size(), wanted) != 0) return false;
    at_ += wanted.size();
    return true;
  }
  void expect(char c) {
    if (!accept(c)) error(std::string("expected '") + c + "'");
  }
  std::string word(std::string_view also) {
    skip();
    size_t begin = at_;
    while (at_ < source_->text.size() &&
           (is_word(peek_raw()) || also.find(peek_raw()) != std::string_view::npos)) {
      ++at_;
    }
    if (at_ == begin) error("expected a name");
    return source_->text.substr(begin, at_ - begin);
  }
  void end() {
    skip();
    if (at_ != source_->text.size()) error("unexpected text");
  }
  [[noreturn]] void error(const std::string& message) {
    base::fail_at({source_, at_, at_ + 1}, "in a schema: ", message);
  }

  std::shared_ptr<const base::Source> source_;
  const NameResolver& resolve_;
  size_t at_ = 0;
};

}  // namespace

Schema parse_schema(std::string_view text) {
  NameResolver none;
  return Parser(text, none).schema();
}

TypePtr parse_schema_type(std::string_view text, const NameResolver& resolve_name) {
  return Parser(text, resolve_name).whole_type();
}

}  // namespace assay::ops
