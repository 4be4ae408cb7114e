#include "engine/archive/detail/python_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

#include "engine/base/error.h"

namespace assay::archive::detail {
namespace {

using core::TypeKind;
using core::Value;

// A constant can hold a part many times over, so its text can be far larger than the constant.
constexpr size_t max_text = size_t{1} << 26;

bool letter(char c) { return c == '_' || std::isalpha(static_cast<unsigned char>(c)); }
bool letter_or_digit(char c) { return letter(c) || (c >= '0' && c <= '9'); }

/// Whether a character is written as it is between quotes.
bool stands_for_itself(char c) {
  return c >= 0x20 && c < 0x7f && c != '\\' && c != '\'' && c != '"';
}

/// How one of the others is written.
std::string escaped(char c) {
  constexpr std::string_view named = "\a\b\f\n\r\t\v", letters = "abfnrtv";
  if (c >= 0x20 && c < 0x7f) return std::string("\\") + c;
  size_t i = named.find(c);
  if (i != std::string_view::npos) return std::string("\\") + letters[i];
  return fmt::format("\\{:03o}", static_cast<unsigned char>(c));
}

/// As PyTorch prints a float in code: a point without digits behind it for whole numbers, else the
/// shortest of 17 significant digits.
std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (std::fabs(value) < 1e10 && value == std::trunc(value)) {
    return fmt::format("{}{}.", std::signbit(value) && value == 0 ? "-" : "",
                       static_cast<int64_t>(value));
  }
  char buffer[40];
  std::snprintf(buffer, sizeof(buffer), "%.17g", value);
  return buffer;
}

std::string complex_text(core::Complex128 value) {
  std::string imaginary = float_text(value.imag());
  if (imaginary[0] != '-') imaginary = "+" + imaginary;
  return float_text(value.real()) + imaginary + "j";
}

std::string annotated(const core::TypePtr& type, const std::string& text) {
  return fmt::format("annotate({}, {})", type->annotation(), text);
}

class ConstantPrinter {
 public:
  explicit ConstantPrinter(const SpecialConstant& special) : special_(special) {}

  std::string print(const Value& value) {
    std::string out;
    if (special_ && special_(out, value)) return out;
    switch (value.tag()) {
      case Value::Tag::none:
        return "None";
      case Value::Tag::boolean:
        return value.to_bool() ? "True" : "False";
      case Value::Tag::integer:
        return std::to_string(value.to_int());
      case Value::Tag::floating:
        return float_text(value.to_float());
      case Value::Tag::complex:
        return complex_text(value.to_complex());
      case Value::Tag::string:
        return quoted(value.to_string());
      case Value::Tag::device:
        return fmt::format("torch.device({})", quoted(value.to_device().text()));
      case Value::Tag::enumeration:
        return fmt::format("{}.{}", value.enumeration().type->name(), value.enumeration().name);
      case Value::Tag::list:
        return list(value.list());
      case Value::Tag::dict:
        return dict(value.dict());
      case Value::Tag::tuple:
        return tuple(value.tuple());
      default:
        base::fail("a constant of type ", value.kind_name(), " cannot be written as source");
    }
  }

 private:
  static void add(std::string& out, const std::string& part) {
    if (!out.empty()) out += ", ";
    out += part;
    base::check(out.size() <= max_text, "a constant's text is longer than ", max_text, " bytes");
  }

  std::string items(const core::Values& values) {
    std::string out;
    for (const Value& value : values) add(out, print(value));
    return out;
  }

  std::string list(const core::ListObject& object) {
    std::string text = "[" + items(object.items) + "]";
    bool clear = !object.items.empty() && shows_element_type(object.element);
    return clear ? text : annotated(core::list_of(object.element), text);
  }

  std::string dict(const core::DictObject& object) {
    std::string text;
    for (const auto& entry : object.entries()) {
      add(text, print(entry.key) + ": " + print(entry.value));
    }
    text = "{" + text + "}";
    bool clear =
        object.size() > 0 && shows_element_type(object.key) && shows_element_type(object.value);
    return clear ? text : annotated(core::dict_of(object.key, object.value), text);
  }

  std::string tuple(const core::TupleObject& object) {
    std::string text = "(" + items(object.items) + (object.items.size() == 1 ? ",)" : ")");
    return object.named ? object.named->annotation() + text : text;
  }

  const SpecialConstant& special_;
};

}  // namespace

bool is_identifier(std::string_view name) {
  if (name.empty() || !letter(name[0])) return false;
  for (char c : name) {
    if (!letter_or_digit(c)) return false;
  }
  return true;
}

std::string as_identifier(std::string_view name) {
  std::string out;
  if (name.empty() || (letter_or_digit(name[0]) && !letter(name[0]))) out += '_';
  for (char c : name) out += letter_or_digit(c) ? c : '_';
  return out;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    // What stands for itself, which is most, goes over in one piece.
    auto plain = std::find_if_not(text.begin(), text.end(), stands_for_itself) - text.begin();
    out += text.substr(0, static_cast<size_t>(plain));
    text.remove_prefix(static_cast<size_t>(plain));
    if (text.empty()) break;
    out += escaped(text[0]);
    text.remove_prefix(1);
  }
  return out + "\"";
}

std::string constant_text(const Value& value, const SpecialConstant& special) {
  return ConstantPrinter(special).print(value);
}

bool shows_element_type(const core::TypePtr& element) {
  switch (element->kind()) {
    case TypeKind::union_:
    case TypeKind::optional:
    case TypeKind::number:
    case TypeKind::interface:
    case TypeKind::any:
      return false;
    case TypeKind::tuple:
      for (const core::TypePtr& member : element->contained()) {
        if (!shows_element_type(member)) return false;
      }
      return true;
    default:
      return true;
  }
}

}  // namespace assay::archive::detail
