#include "tests/engine/kernels/calls.h"

#include <fmt/ranges.h>

#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/core/host_access.h"
#include "engine/core/print.h"
#include "tests/engine/kernels/draw.h"

namespace assay::kernels::testing {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Type;
using core::TypeKind;
using core::Value;
using ops::Argument;

/// What the arguments of one call have in common.
struct Common {
  Dims sizes;
  DType dtype;
  Fill fill;
  std::vector<Tensor> drawn;
};

/// A shape that broadcasts with the common one: fewer leading dimensions, some of size 1.
Dims narrowed(const Dims& sizes) {
  if (!chance(40)) return sizes;
  auto from = sizes.begin() + between(0, static_cast<int64_t>(sizes.size()));
  Dims out(from, sizes.end());
  for (int64_t& size : out) {
    if (chance(25)) size = 1;
  }
  return out;
}

Tensor draw_operand(Common& common) {
  if (!common.drawn.empty() && chance(10)) return common.drawn.back();
  Dims sizes = common.drawn.empty() ? common.sizes : narrowed(common.sizes);
  if (chance(3)) sizes = draw_sizes(0, 3);
  DType dtype = chance(10) ? draw_dtype() : common.dtype;
  common.drawn.push_back(draw_tensor(sizes, dtype, common.fill));
  return common.drawn.back();
}

Value draw_value(const Argument& argument, const Type& type, Common& common) {
  auto rank = static_cast<int64_t>(common.sizes.size());
  switch (type.kind()) {
    case TypeKind::tensor:
      return draw_operand(common);
    case TypeKind::optional:
      if (chance(40) || type.element()->is(TypeKind::device)) return {};
      return draw_value(argument, *type.element(), common);
    case TypeKind::number:
      return argument.name == "alpha" ? draw_factor() : draw_number();
    case TypeKind::integer:
      if (argument.int_kind == "ScalarType") return static_cast<int64_t>(draw_dtype());
      if (argument.int_kind == "MemoryFormat") return between(0, 3);
      if (argument.int_kind == "Layout") return 0;
      if (argument.name == "dim")
        return between(0, std::max<int64_t>(rank, 1)) - (chance(40) ? rank + 1 : 0);
      return between(0, 5) - (chance(20) ? 3 : 0);
    case TypeKind::floating:
      return draw_float();
    case TypeKind::boolean:
      return chance(50);
    case TypeKind::string:
      return argument.name == "approximate" ? one_of<std::string>({"none", "tanh", "wrong"})
                                            : one_of<std::string>({"floor", "trunc"});
    case TypeKind::list: {
      core::Values items;
      int64_t count = argument.name == "dim" ? between(0, rank) : between(0, 3);
      for (int64_t i = 0; i < count; ++i) {
        // Different dimensions, mostly, from the last one on.
        items.push_back(argument.name == "dim" && !chance(20)
                            ? Value(-1 - i)
                            : draw_value(argument, *type.element(), common));
      }
      return core::make_list(type.element(), std::move(items));
    }
    default:
      return {};
  }
}

using Copies = std::map<core::Storage*, core::StorageRef>;

Tensor copied(const Tensor& t, std::optional<core::Device> device, Copies& copies) {
  if (!t) return t;
  core::StorageRef& copy = copies[t.storage().get()];
  if (!copy) copy = core::copy_to_device(t.storage(), device.value_or(t.device()));
  Tensor out = Tensor::view_of(copy, t.offset(), t.sizes(), t.strides(), t.dtype());
  out.impl()->wrapped_number = t.is_wrapped_number();
  return out;
}

Value copied(const Value& value, std::optional<core::Device> device, Copies& copies) {
  if (value.is_tensor()) return copied(value.to_tensor(), device, copies);
  if (value.is_dict()) {
    auto dict = core::make_dict(value.dict().key, value.dict().value);
    for (const auto& [key, item] : value.dict().entries()) {
      dict->set(key, copied(item, device, copies));
    }
    return dict;
  }
  if (!value.is_list()) return value;
  core::Values items;
  for (const Value& item : value.list().items) items.push_back(copied(item, device, copies));
  return core::make_list(value.list().element, std::move(items));
}

/// "{1. 2.}"; nothing of tensors of many elements.
std::string elements_of(const Tensor& t) {
  if (!has_bytes(t) || t.numel() > 64) return "";
  std::string out;
  for (const core::Scalar& element : core::elements(t)) {
    out += (out.empty() ? "" : " ") + core::repr(Value(element));
  }
  return "{" + out + "}";
}

std::string text_of(const Value& value) {
  if (value.is_tensor()) {
    Tensor t = value.to_tensor();
    return fmt::format("{}{}/{}+{}{}{}", core::python_name(t.dtype()), t.sizes(), t.strides(),
                       t.offset(), t.is_wrapped_number() ? "w" : "", elements_of(t));
  }
  if (!value.is_list()) return core::repr(value);
  std::string out = "[";
  for (const Value& item : value.list().items) out += text_of(item) + " ";
  return out + "]";
}

}  // namespace

core::Values draw_call(const ops::Operator& op) {
  Named named;
  if (Family family = family_of(op)) family(op, named);
  Common common{draw_sizes(0, 5), draw_dtype(), static_cast<Fill>(between(0, 3)), {}};
  core::Values args;
  for (const Argument& argument : op.schema.arguments) {
    auto found = named.find(argument.name);
    args.push_back(found != named.end() ? found->second
                                        : draw_value(argument, *argument.type, common));
  }
  return args;
}

core::Values deep_copy(const core::Values& values, std::optional<core::Device> device) {
  Copies copies;
  core::Values out;
  for (const Value& value : values) out.push_back(copied(value, device, copies));
  return out;
}

std::string describe(const ops::Operator& op, const core::Values& args) {
  std::string out = op.qualified_name + "(";
  for (size_t i = 0; i < args.size(); ++i) {
    out += fmt::format("{}{}={}", i ? ", " : "", op.schema.arguments[i].name, text_of(args[i]));
  }
  return out + ")";
}

}  // namespace assay::kernels::testing
