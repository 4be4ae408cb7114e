#include "engine/core/print.h"

#include <cmath>
#include <cstdio>
#include <limits>

#include "engine/base/error.h"
#include "engine/base/stack.h"

namespace assay::core {

namespace {

// A value can hold a part many times over, so its text can be far larger than the value.
constexpr size_t max_text = size_t{1} << 26;

void add_part(std::string& out, bool first, const std::string& part) {
  if (!first) out += ", ";
  out += part;
  base::check(out.size() <= max_text, "a value's text is longer than ", max_text, " bytes");
}

std::string joined(const Values& items, std::string (*text)(const Value&)) {
  base::check_stack("a value to be printed");
  std::string out;
  for (size_t i = 0; i < items.size(); ++i) add_part(out, i == 0, text(items[i]));
  return out;
}

std::string tuple_text(const Values& items, std::string (*text)(const Value&)) {
  return "(" + joined(items, text) + (items.size() == 1 ? ",)" : ")");
}

// Whether a list's element type shows in its members, so that no `annotate` is needed.
bool shows_in_members(const TypePtr& type) {
  switch (type->kind()) {
    case TypeKind::union_:
    case TypeKind::optional:
    case TypeKind::number:
    case TypeKind::any:
      return false;
    case TypeKind::list:
    case TypeKind::dict:
    case TypeKind::tuple:
      for (const TypePtr& part : type->contained())
        if (!shows_in_members(part)) return false;
      return true;
    default:
      return true;
  }
}

std::string list_text(const ListObject& list, std::string (*text)(const Value&)) {
  std::string items = "[" + joined(list.items, text) + "]";
  if (!list.items.empty() && shows_in_members(list.element)) return items;
  return "annotate(" + list_of(list.element)->annotation() + ", " + items + ")";
}

std::string dict_text(const DictObject& dict, std::string (*text)(const Value&)) {
  std::string items;
  base::check_stack("a value to be printed");
  for (const auto& entry : dict.entries())
    add_part(items, items.empty(), text(entry.key) + ": " + text(entry.value));
  items = "{" + items + "}";
  if (dict.size() && shows_in_members(dict.value)) return items;
  return "annotate(" + dict_of(dict.key, dict.value)->annotation() + "," + items + ")";
}

}  // namespace

std::string float_text(double value) {
  char buffer[40];
  bool plain = std::isfinite(value) && std::fabs(value) < 1e10;
  if (plain && std::trunc(value) == value)
    std::snprintf(buffer, sizeof buffer, "%.0f.", value);
  else
    std::snprintf(buffer, sizeof buffer, "%.*g", std::numeric_limits<double>::max_digits10, value);
  return buffer;
}

std::string complex_text(Complex128 value) {
  std::string out = float_text(value.real());
  if (!std::signbit(value.imag())) out += "+";
  return out + float_text(value.imag()) + "j";
}

std::string quoted_text(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    constexpr std::string_view special = "\\'\"\a\b\f\n\r\t\v";
    constexpr std::string_view letters = "\\'\"abfnrtv";
    size_t at = special.find(c);
    if (at != std::string_view::npos) {
      out += '\\';
      out += letters[at];
    } else if (c >= 0x20 && c < 0x7f) {
      out += c;
    } else {
      // Three octal digits, but of a signed byte: for bytes from 0x80 on the "digits" lie below
      // '0'. PyTorch writes and reads it so.
      int rest = static_cast<signed char>(c);
      char digits[4] = "000";
      for (int i = 2; i >= 0; --i, rest /= 8) digits[i] = static_cast<char>('0' + rest % 8);
      out += '\\';
      out += digits;
    }
  }
  return out + "\"";
}

std::string repr(const Value& value) {
  using Tag = Value::Tag;
  switch (value.tag()) {
    case Tag::none:
      return "None";
    case Tag::boolean:
      return value.to_bool() ? "True" : "False";
    case Tag::integer:
      return std::to_string(value.to_int());
    case Tag::floating:
      return float_text(value.to_float());
    case Tag::complex:
      return complex_text(value.to_complex());
    case Tag::string:
      return quoted_text(value.to_string());
    case Tag::device:
      return "torch.device(" + quoted_text(value.to_device().text()) + ")";
    case Tag::tensor:
      return tensor_text(value.to_tensor());
    case Tag::list:
      if (value.list().element->is(TypeKind::tensor)) return "[<Tensors>]";
      return list_text(value.list(), repr);
    case Tag::tuple:
      return tuple_text(value.tuple().items, repr);
    case Tag::dict:
      return dict_text(value.dict(), repr);
    case Tag::enumeration:
      return value.enumeration().type->name() + "." + value.enumeration().name;
    case Tag::function:
      return "Function " + value.function().qualified_name;
    case Tag::object:
    case Tag::future:
    case Tag::generator:
      break;
  }
  return "<" + value.kind_name() + ">";
}

std::string display(const Value& value) {
  using Tag = Value::Tag;
  switch (value.tag()) {
    case Tag::floating: {
      // Unlike in a graph: whole numbers of any size show a point, and zero shows no sign.
      double v = value.to_float();
      bool whole = std::fabs(v) < 9e18 && std::trunc(v) == v;
      return whole ? std::to_string(static_cast<int64_t>(v)) + "." : float_text(v);
    }
    case Tag::string:
      return value.to_string();
    case Tag::device:
      return value.to_device().text();
    case Tag::tensor:
      return display(value.to_tensor());
    case Tag::list:
      return list_text(value.list(), display);
    case Tag::tuple:
      return tuple_text(value.tuple().items, display);
    case Tag::dict:
      return dict_text(value.dict(), display);
    case Tag::enumeration:
      return "Enum<" + value.enumeration().type->name() + "." + value.enumeration().name + ">";
    case Tag::object:
      return "<" + value.object().type->name() + " object>";
    default:
      return repr(value);
  }
}

}  // namespace assay::core
