#include "tests/engine/kernels/hostile.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/generator.h"
#include "tests/engine/kernels/calls.h"
#include "tests/engine/kernels/draw.h"

namespace assay::kernels::testing {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Type;
using core::TypeKind;
using core::TypePtr;
using core::Value;
using ops::Argument;

DType any_dtype() {
  static const std::vector<DType> all{
#define DTYPE(name, number, python, script, type, category) DType::name,
#include "engine/core/dtype.def"
#undef DTYPE
  };
  return one_of(all);
}

Fill any_fill() { return static_cast<Fill>(between(0, 3)); }

int64_t extreme_integer() {
  constexpr int64_t one = 1;
  return one_of<int64_t>({0,
                          -1,
                          1,
                          2,
                          3,
                          -2,
                          7,
                          65,
                          1000,
                          INT32_MAX,
                          one << 31,
                          -(one << 31),
                          one << 32,
                          (one << 53) + 1,
                          one << 61,
                          one << 62,
                          (one << 62) + 1,
                          INT64_MAX - 1,
                          INT64_MAX,
                          INT64_MIN + 1,
                          INT64_MIN});
}

int64_t any_integer() { return chance(50) ? extreme_integer() : between(0, 6) - 3; }

double any_double() {
  if (chance(40)) return draw_float();
  return one_of<double>({0.0, -0.0, 1.0, -1.0, 0.5, 1e308, -1e308, 5e-324, HUGE_VAL, -HUGE_VAL,
                         std::numeric_limits<double>::quiet_NaN(), 9.3e18, -9.3e18, 2147483648.0});
}

core::Scalar any_number() {
  switch (between(0, 4)) {
    case 0:
      return any_integer();
    case 1:
      return chance(50);
    case 2:
      return core::Complex128(any_double(), any_double());
    default:
      return any_double();
  }
}

std::string any_text() {
  return one_of<std::string>({"",
                              "none",
                              "mean",
                              "sum",
                              "floor",
                              "trunc",
                              "reflect",
                              "same",
                              "constant",
                              "ij,jk->ik",
                              "...i,i...->",
                              "{} {}",
                              "%",
                              "a b  c",
                              "fro",
                              "nuc",
                              "left",
                              "tanh",
                              std::string(300, 'x'),
                              "\xff\xfe\n",
                              "-1"});
}

/// Windows of one row: every element but the first lies in two rows.
Tensor overlapping(DType dtype) {
  int64_t rows = between(1, 9), width = between(1, 4);
  return draw_plain(Dims{rows + width}, dtype, any_fill()).view(Dims{rows, width}, Dims{1, 1}, 0);
}

/// One element expanded to more than any loop can visit.
Tensor vast(DType dtype) {
  int64_t one = 1;
  Dims sizes = one_of<Dims>({{one << 40}, {one << 31, one << 27}, {2, one << 45}});
  return draw_plain(Dims{}, dtype, any_fill()).view(sizes, Dims(sizes.size(), 0), 0);
}

Tensor any_tensor() {
  switch (between(0, 12)) {
    case 0:
      return draw_tensor({}, any_dtype(), any_fill());
    case 1: {
      Dims sizes = draw_sizes(1, 4);
      sizes[static_cast<size_t>(between(0, static_cast<int64_t>(sizes.size()) - 1))] = 0;
      return draw_plain(sizes, any_dtype(), any_fill());
    }
    case 2:
      return overlapping(any_dtype());
    case 5:
      return vast(any_dtype());
    case 3:
    case 4: {
      // Indices and counts that make no sense.
      std::vector<int64_t> items;
      for (int64_t i = between(0, 4); i-- > 0;) items.push_back(any_integer());
      return int_tensor(Dims{static_cast<int64_t>(items.size())}, items);
    }
    default:
      return draw_tensor(draw_sizes(0, 5), any_dtype(), any_fill());
  }
}

/// The tensor with one thing changed: its type, a size, its rank, its elements, its device.
Tensor spoilt(const Tensor& t) {
  if (t.numel() > 1 << 16) return any_tensor();
  Dims sizes = t.sizes();
  size_t at = sizes.empty() ? 0 : static_cast<size_t>(between(0, t.dim() - 1));
  switch (between(0, 7)) {
    case 0:
    case 1:
      return draw_tensor(sizes, any_dtype(), any_fill());
    case 2:
      if (!sizes.empty()) sizes[at] += chance(50) || sizes[at] == 0 ? 1 : -1;
      return draw_tensor(sizes, t.dtype(), any_fill());
    case 3:
      if (!sizes.empty()) sizes.erase(at);
      return draw_tensor(sizes, t.dtype(), any_fill());
    case 4:
      sizes.insert(at, between(0, 2));
      return draw_tensor(sizes, t.dtype(), any_fill());
    case 5:
      return draw_tensor(sizes, t.dtype(), Fill::special);
    case 6: {
      if (chance(20)) return Tensor::empty(sizes, t.dtype(), core::Device{core::DeviceType::meta});
      return draw_tensor(sizes, t.dtype(), Fill::special);
    }
    default:
      return any_tensor();
  }
}

/// What the type variables of a schema (`t`) stand for in one call.
using Variables = std::map<std::string, TypePtr>;

TypePtr concrete(const TypePtr& type, Variables& variables) {
  if (!type->is(TypeKind::var)) return type;
  TypePtr& bound = variables[type->name()];
  if (!bound) {
    bound = one_of<TypePtr>(
        {core::int_type(), core::float_type(), core::string_type(), core::tensor_type()});
  }
  return bound;
}

Value any_value(const Argument& argument, const TypePtr& declared, Variables& variables) {
  TypePtr type = concrete(declared, variables);
  switch (type->kind()) {
    case TypeKind::tensor:
      return chance(4) ? Value() : Value(any_tensor());
    case TypeKind::optional:
      if (chance(30)) return {};
      return any_value(argument, type->element(), variables);
    case TypeKind::number:
      return any_number();
    case TypeKind::integer:
      if (argument.int_kind == "ScalarType" && !chance(20)) {
        return static_cast<int64_t>(any_dtype());
      }
      return any_integer();
    case TypeKind::floating:
      return any_double();
    case TypeKind::complex:
      return core::Complex128(any_double(), any_double());
    case TypeKind::boolean:
      return chance(50);
    case TypeKind::string:
      return any_text();
    case TypeKind::device:
      return core::Device{chance(20) ? core::DeviceType::meta : core::DeviceType::cpu, 0};
    case TypeKind::any:
      return any_number();
    case TypeKind::list: {
      TypePtr element = concrete(type->element(), variables);
      core::Values items;
      for (int64_t i = between(0, chance(10) ? 40 : 5); i-- > 0;) {
        items.push_back(any_value(argument, element, variables));
      }
      return core::make_list(element, std::move(items));
    }
    case TypeKind::dict: {
      TypePtr key = concrete(type->contained()[0], variables);
      if (key->is(TypeKind::tensor)) key = core::int_type();
      TypePtr item = concrete(type->contained()[1], variables);
      auto dict = core::make_dict(key, item);
      for (int64_t i = between(0, 4); i-- > 0;) {
        dict->set(any_value(argument, key, variables), any_value(argument, item, variables));
      }
      return dict;
    }
    default:
      return {};
  }
}

/// A list of integers or tensors with an entry lost, added or replaced.
Value spoilt_list(const Argument& argument, const core::ListObject& list, Variables& variables) {
  core::Values items = list.items;
  size_t at =
      items.empty() ? 0 : static_cast<size_t>(between(0, static_cast<int64_t>(items.size()) - 1));
  auto place = items.begin() + static_cast<std::ptrdiff_t>(at);
  switch (between(0, 3)) {
    case 0:
      if (!items.empty()) items.erase(place);
      break;
    case 1:
      items.insert(place, any_value(argument, list.element, variables));
      break;
    default:
      if (items.empty()) break;
      bool tensor = items[at].is_tensor() && chance(80);
      items[at] = tensor ? Value(spoilt(items[at].to_tensor()))
                         : any_value(argument, list.element, variables);
  }
  return core::make_list(list.element, std::move(items));
}

Value spoilt(const Argument& argument, const Value& value, Variables& variables) {
  if (value.is_tensor() && chance(80)) return spoilt(value.to_tensor());
  if (value.is_list() && chance(70)) return spoilt_list(argument, value.list(), variables);
  return any_value(argument, argument.type, variables);
}

/// Type variables stand for one type in the whole call, so that these arguments are drawn together.
bool mentions_variable(const Type& type) {
  if (type.is(TypeKind::var)) return true;
  return std::any_of(type.contained().begin(), type.contained().end(),
                     [](const TypePtr& t) { return mentions_variable(*t); });
}

/// Types that draw_call does not draw: it leaves None.
bool lacks_value(const Argument& argument, const Value& value) {
  return value.is_none() && !argument.type->is(TypeKind::optional) &&
         !argument.type->is(TypeKind::tensor);
}

void to_meta(core::Values& args) {
  for (Value& value : args) {
    if (!value.is_tensor()) continue;
    Tensor t = value.to_tensor();
    value = Tensor::empty(t.numel() > (1 << 20) ? Dims{2, 3} : t.sizes(), t.dtype(),
                          core::Device{core::DeviceType::meta});
  }
}

}  // namespace

core::Values draw_hostile_call(const ops::Operator& op) {
  core::Values args = draw_call(op);
  Variables variables;
  for (size_t i = 0; i < args.size(); ++i) {
    const Argument& argument = op.schema.arguments[i];
    if (mentions_variable(*argument.type) || lacks_value(argument, args[i])) {
      args[i] = any_value(argument, argument.type, variables);
    }
  }
  if (args.empty()) return args;
  int64_t changes = one_of<int64_t>({1, 1, 1, 2, 2, 3, 0, static_cast<int64_t>(args.size())});
  for (int64_t k = 0; k < changes; ++k) {
    auto at = static_cast<size_t>(between(0, static_cast<int64_t>(args.size()) - 1));
    args[at] = spoilt(op.schema.arguments[at], args[at], variables);
  }
  if (chance(2)) to_meta(args);
  return args;
}

}  // namespace assay::kernels::testing
