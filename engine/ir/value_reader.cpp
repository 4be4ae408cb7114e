#include "engine/ir/value_reader.h"

#include <fmt/core.h>

#include "engine/base/text.h"
#include "engine/core/device.h"
#include "engine/core/elements.h"

namespace assay::ir {

namespace {

using core::TypeKind;
using core::TypePtr;

constexpr int max_nesting = 64;

bool is_floating_text(std::string_view text) {
  return text.find_first_of(".en") != std::string_view::npos;  // inf, nan and 1e+20 included.
}

double to_double(TextCursor& cursor, std::string text) {
  if (!text.empty() && text.back() == '.') text.pop_back();
  double value = 0;
  if (!base::parse_double(text, value)) cursor.fail("expected a number");
  return value;
}

int64_t to_int(TextCursor& cursor, const std::string& text) {
  int64_t value = 0;
  if (!base::parse_int(text, value)) cursor.fail("expected an integer");
  return value;
}

// What stands inside of a container type, or Any where the type does not say.
TypePtr part(const TypePtr& type, TypeKind kind, size_t index) {
  TypePtr inner = type->is(TypeKind::optional) ? type->element() : type;
  if (!inner->is(kind) || index >= inner->contained().size()) return core::any_type();
  return inner->contained()[index];
}

// A list whose type the text leaves open has the type of its first element.
TypePtr open_type(const TypePtr& declared, const core::Values& items) {
  if (!declared->is(TypeKind::any) || items.empty()) return declared;
  return items.front().type();
}

}  // namespace

bool ValueReader::sees_number() {
  char c = cursor_.peek();
  return (c >= '0' && c <= '9') || c == '-' || cursor_.sees("inf") || cursor_.sees("nan");
}

Attribute ValueReader::constant(const TypePtr& type) {
  if (type->is(TypeKind::tensor)) return tensor(type);
  if (type->is(TypeKind::string) || type->is(TypeKind::device)) return cursor_.quoted();
  core::Value read = value(type);
  if (read.is_int()) return read.to_int();
  if (read.is_float()) return read.to_float();
  if (read.is_complex()) return read.to_complex();
  if (read.is_string()) return read.to_string();
  return read;
}

Attribute ValueReader::attribute() {
  if (cursor_.peek() == '"') return cursor_.quoted();
  if (sees_number()) {
    std::string text = cursor_.number();
    if (is_floating_text(text)) return to_double(cursor_, text);
    return to_int(cursor_, text);
  }
  if (!cursor_.accept("[")) return types_.read(cursor_);
  std::vector<std::string> texts;
  std::vector<int64_t> integers;
  std::vector<double> reals;
  std::vector<TypePtr> types;
  bool real = false;
  while (!cursor_.accept("]")) {
    if (!texts.empty() || !reals.empty() || !types.empty()) cursor_.expect(",");
    if (cursor_.peek() == '"') {
      texts.push_back(cursor_.quoted());
    } else if (sees_number()) {
      std::string text = cursor_.number();
      real = real || is_floating_text(text);
      reals.push_back(to_double(cursor_, text));
      integers.push_back(real ? 0 : to_int(cursor_, text));
    } else {
      types.push_back(types_.read(cursor_));
    }
  }
  if (!texts.empty()) return texts;
  if (!types.empty()) return types;
  if (real) return reals;
  return integers;
}

core::Value ValueReader::value(const TypePtr& type) {
  struct Depth {
    int& depth;
    ~Depth() { --depth; }
  } guard{depth_};
  if (++depth_ > max_nesting) cursor_.fail("values nest too deeply");
  if (cursor_.accept("None")) return {};
  if (cursor_.accept("True")) return true;
  if (cursor_.accept("False")) return false;
  if (cursor_.accept("annotate")) {
    cursor_.expect("(");
    cursor_.skip_past(',');  // The node's type says the same.
    core::Value inner = value(type);
    cursor_.expect(")");
    return inner;
  }
  if (cursor_.accept("torch.device")) {
    cursor_.expect("(");
    auto device = core::parse_device(cursor_.quoted());
    cursor_.expect(")");
    if (!device) cursor_.fail("unknown device");
    return *device;
  }
  char c = cursor_.peek();
  if (c == '[') return list(type);
  if (c == '(') return tuple(type);
  if (c == '{') return dict(type);
  if (c == '"') return cursor_.quoted();
  if (sees_number()) return number(type);
  return enum_member();
}

core::Value ValueReader::list(const TypePtr& type) {
  TypePtr element = part(type, TypeKind::list, 0);
  cursor_.expect("[");
  if (cursor_.sees("<")) cursor_.fail("the text leaves out the tensors of this list");
  core::Values items;
  while (!cursor_.accept("]")) {
    if (!items.empty()) cursor_.expect(",");
    items.push_back(value(element));
  }
  return core::make_list(open_type(element, items), std::move(items));
}

core::Value ValueReader::tuple(const TypePtr& type) {
  cursor_.expect("(");
  core::Values items;
  while (!cursor_.accept(")")) {
    if (!items.empty()) cursor_.expect(",");
    if (cursor_.accept(")")) break;  // "(1,)"
    items.push_back(value(part(type, TypeKind::tuple, items.size())));
  }
  const core::TupleType* declared = core::as_tuple(type);
  if (declared && declared->contained().size() != items.size()) {
    cursor_.fail("the tuple has more or fewer members than its type");
  }
  if (declared && !declared->fields.empty())
    return base::make_ref<core::TupleObject>(std::move(items), type);
  return core::make_tuple(std::move(items));
}

core::Value ValueReader::dict(const TypePtr& type) {
  TypePtr key_type = part(type, TypeKind::dict, 0);
  TypePtr value_type = part(type, TypeKind::dict, 1);
  cursor_.expect("{");
  core::Values keys;
  core::Values values;
  while (!cursor_.accept("}")) {
    if (!keys.empty()) cursor_.expect(",");
    keys.push_back(value(key_type));
    cursor_.expect(":");
    values.push_back(value(value_type));
  }
  auto made = core::make_dict(open_type(key_type, keys), open_type(value_type, values));
  for (size_t i = 0; i < keys.size(); ++i) made->set(keys[i], values[i]);
  return made;
}

core::Value ValueReader::number(const TypePtr& type) {
  std::string text = cursor_.number();
  bool signed_next = cursor_.sees("+") || cursor_.sees("-");
  if (type->is(TypeKind::complex) || signed_next) {
    if (cursor_.sees("+")) cursor_.expect("+");
    double imaginary = to_double(cursor_, cursor_.number());
    cursor_.expect("j");
    return core::Complex128(to_double(cursor_, text), imaginary);
  }
  if (type->is(TypeKind::floating) || is_floating_text(text)) return to_double(cursor_, text);
  return to_int(cursor_, text);
}

core::Value ValueReader::enum_member() {
  std::string qualified = cursor_.word(".");
  size_t dot = qualified.rfind('.');
  if (dot == std::string::npos) cursor_.fail("expected a value");
  TypePtr type = types_.named(qualified.substr(0, dot));
  std::string member = qualified.substr(dot + 1);
  if (const core::EnumType* known = core::as_enum(type))
    for (const auto& candidate : known->members)
      if (candidate.name == member)
        return base::make_ref<core::EnumObject>(type, member, *candidate.value);
  cursor_.fail(fmt::format("unknown enum member '{}'", qualified));
}

core::Scalar ValueReader::element(bool integral) {
  std::string text = cursor_.number();
  if (integral) return to_int(cursor_, text);
  return to_double(cursor_, text);
}

core::Tensor ValueReader::tensor(const TypePtr& type) {
  if (cursor_.accept("<")) {
    cursor_.expect("Tensor");
    cursor_.expect(">");
    if (next_tensor_ == tensors_.size()) cursor_.fail("the text leaves out this tensor's elements");
    return tensors_[next_tensor_++];
  }
  const core::TensorType* info = core::as_tensor_info(type);
  if (!info || !info->info.dtype || !info->info.sizes)
    cursor_.fail("a tensor's elements need its element type and sizes");
  for (int64_t size : *info->info.sizes)
    if (size < 0) cursor_.fail("a constant tensor needs all its sizes");
  core::DType dtype = *info->info.dtype;
  bool integral = core::is_integral(dtype, true);
  std::vector<core::Scalar> items;
  if (cursor_.accept("{")) {
    if (core::is_complex(dtype)) {
      cursor_.expect("(");
      double real = to_double(cursor_, cursor_.number());
      cursor_.expect(",");
      items.push_back(core::Complex128(real, to_double(cursor_, cursor_.number())));
      cursor_.expect(")");
    } else {
      items.push_back(element(integral));
    }
    cursor_.expect("}");
  } else {
    while (!cursor_.accept("[")) {
      if (cursor_.accept("(")) {  // "(1,.,.) =" above a matrix.
        cursor_.skip_past(')');
        cursor_.expect("=");
        continue;
      }
      if (!sees_number()) cursor_.fail("a tensor printed in parts cannot be read back");
      items.push_back(element(false));
      if (cursor_.sees("*")) cursor_.fail("a tensor printed with a scale cannot be read back");
    }
    cursor_.skip_past(']');
  }
  if (core::numel(*info->info.sizes) != static_cast<int64_t>(items.size()))
    cursor_.fail("the tensor's type and its elements disagree");
  return core::tensor_from(items, *info->info.sizes, dtype);
}

}  // namespace assay::ir
