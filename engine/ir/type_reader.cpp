#include "engine/ir/type_reader.h"

#include <fmt/core.h>

#include "engine/base/text.h"

namespace assay::ir {

namespace {

using core::TypeKind;
using core::TypePtr;

struct Name {
  std::string_view text;
  TypeKind kind;
};

constexpr Name names[] = {
    {"Tensor", TypeKind::tensor},
    {"int", TypeKind::integer},
    {"float", TypeKind::floating},
    {"complex", TypeKind::complex},
    {"Scalar", TypeKind::number},
    {"number", TypeKind::number},
    {"bool", TypeKind::boolean},
    {"str", TypeKind::string},
    {"NoneType", TypeKind::none},
    {"None", TypeKind::none},
    {"Device", TypeKind::device},
    {"Generator", TypeKind::generator},
    {"Storage", TypeKind::storage},
    {"Stream", TypeKind::stream},
    {"Any", TypeKind::any},
    {"AnyEnumType", TypeKind::any_enum},
    {"ClassType", TypeKind::any_class},
    {"AnyClassType", TypeKind::any_class},
    {"list", TypeKind::any_list},
    {"tuple", TypeKind::any_tuple},
    {"Function", TypeKind::function},
    {"Capsule", TypeKind::capsule},
};

std::optional<core::DType> tensor_dtype(std::string_view name) {
#define DTYPE(id, number, python, script, type, category) \
  if (name == script) return core::DType::id;
#include "engine/core/dtype.def"
#undef DTYPE
  return std::nullopt;
}

int64_t read_int(TextCursor& cursor) {
  int64_t value = 0;
  if (!base::parse_int(cursor.number(), value)) cursor.fail("expected an integer");
  return value;
}

}  // namespace

TypePtr TypeReader::named(const std::string& qualified_name) {
  TypePtr& known = made_[qualified_name];
  if (!known && resolver_) known = resolver_(qualified_name);
  if (!known) known = std::make_shared<core::ClassType>(qualified_name);
  return known;
}

TypePtr TypeReader::read(TextCursor& cursor) {
  if (++depth_ > static_cast<int>(core::max_type_depth)) cursor.fail("types nest too deeply");
  TypePtr type = read_base(cursor);
  while (true) {
    if (cursor.accept("[]"))
      type = core::list_of(type);
    else if (cursor.accept("?"))
      type = core::optional_of(type);
    else
      break;
  }
  --depth_;
  return type;
}

std::vector<TypePtr> TypeReader::read_list(TextCursor& cursor, std::string_view close) {
  std::vector<TypePtr> members;
  if (cursor.accept(close)) return members;
  do members.push_back(read(cursor));
  while (cursor.accept(","));
  cursor.expect(close);
  return members;
}

TypePtr TypeReader::read_base(TextCursor& cursor) {
  if (cursor.accept("(")) return core::tuple_of(read_list(cursor, ")"));
  std::string name = cursor.word(".");
  if (name == "NamedTuple") return read_named_tuple(cursor);
  if (name == "Dict") {
    cursor.expect("(");
    auto members = read_list(cursor, ")");
    if (members.size() != 2) cursor.fail("a Dict has a key and a value type");
    return core::dict_of(members[0], members[1]);
  }
  if (name == "Union") {
    cursor.expect("(");
    return core::union_of(read_list(cursor, ")"));
  }
  for (auto [wrapper, kind] : {Name{"Future", TypeKind::future}, Name{"RRef", TypeKind::rref},
                               Name{"Await", TypeKind::await}}) {
    if (name != wrapper) continue;
    cursor.expect("[");
    auto made = std::make_shared<core::Type>(kind, std::vector{read(cursor)});
    cursor.expect("]");
    return made;
  }
  if (name == "Enum" && cursor.accept("<")) {
    std::string enum_name = cursor.word(".");
    cursor.expect(">");
    TypePtr known = resolver_ ? resolver_(enum_name) : nullptr;
    if (!core::as_enum(known)) cursor.fail(fmt::format("unknown enum '{}'", enum_name));
    return known;
  }
  for (const Name& simple : names)
    if (name == simple.text) return core::simple_type(simple.kind);
  if (auto dtype = tensor_dtype(name)) return read_tensor(cursor, *dtype);
  return named(name);
}

TypePtr TypeReader::read_named_tuple(TextCursor& cursor) {
  cursor.expect("(");
  std::vector<std::string> fields;
  std::vector<TypePtr> members;
  while (!cursor.accept(")")) {
    if (!fields.empty()) cursor.expect(",");
    fields.push_back(cursor.word());
    cursor.expect(":");
    members.push_back(read(cursor));
  }
  return core::named_tuple("", std::move(members), std::move(fields));
}

// `Float(2, *, strides=[3, 1], requires_grad=0, device=cpu)`.
TypePtr TypeReader::read_tensor(TextCursor& cursor, core::DType dtype) {
  core::TensorInfo info;
  info.dtype = dtype;
  cursor.expect("(");
  core::Dims sizes;
  bool has_sizes = false;
  bool first = true;
  while (!cursor.accept(")")) {
    if (!first) cursor.expect(",");
    first = false;
    if (cursor.accept("strides")) {
      cursor.expect("=");
      cursor.expect("[");
      core::Dims strides;
      while (!cursor.accept("]")) {
        if (!strides.empty()) cursor.expect(",");
        strides.push_back(read_int(cursor));
      }
      info.strides = strides;
    } else if (cursor.accept("requires_grad")) {
      cursor.expect("=");
      info.requires_grad = read_int(cursor) != 0;
    } else if (cursor.accept("device")) {
      cursor.expect("=");
      info.device = core::parse_device(cursor.word(":"));
      if (!info.device) cursor.fail("unknown device");
    } else {
      has_sizes = true;
      sizes.push_back(cursor.accept("*") ? -1 : read_int(cursor));
    }
  }
  // A 0-dimensional tensor has strides of no length, or none told at all.
  if (has_sizes || info.strides || info.device) info.sizes = sizes;
  return std::make_shared<core::TensorType>(std::move(info));
}

}  // namespace assay::ir
