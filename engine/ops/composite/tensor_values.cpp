#include "engine/base/error.h"
#include "engine/ops/composite/families.h"
#include "engine/ops/dispatch.h"

namespace assay::ops::composite {
namespace {

using core::Complex128;
using core::Scalar;
using core::Tensor;
using core::Value;

/// The one element of a tensor, as a number. A list argument keeps the overloads apart that take a
/// number in its place.
Scalar element(const Call& c, const Value& v) {
  if (v.is_number()) return v.to_scalar();
  return c.call("aten::_local_scalar_dense", {v}).to_scalar();
}

void item(Call& c) { c.finish(Value(element(c, c.first()))); }

void to_int(Call& c) {
  Scalar s = element(c, c.first());
  c.finish(c.call("aten::Int.Scalar", {Value(s)}));
}
void to_float(Call& c) { c.finish(Value(element(c, c.first()).to_double())); }

void is_nonzero(Call& c) {
  Tensor t = c.first().to_tensor();
  base::check(t.numel() != 0, "Boolean value of Tensor with no values is ambiguous");
  base::check(t.numel() < 2, "Boolean value of Tensor with more than one value is ambiguous");
  c.finish(Value(element(c, c.first()).to_bool()));
}

void to_complex(Call& c) {
  Scalar real = element(c, c.first());
  if (c.args.size() == 1) return c.finish(Value(real.to_complex()));
  c.finish(Value(Complex128(real.to_double(), element(c, c.second()).to_double())));
}

/// The implicit conversions of TorchScript's traces: only from 0-dimensional tensors without a
/// gradient, and of the right kind.
void check_implicit(const Tensor& t, const char* kind) {
  base::check(!t.requires_grad(), "Cannot input a tensor that requires grad as a ", kind,
              " argument");
  base::check(t.dim() == 0, "Cannot input a tensor of dimension other than 0 as a ", kind,
              " argument");
}

void int_implicit(Call& c) {
  Tensor t = c.tensor(arg::a);
  check_implicit(t, "scalar");
  base::check(core::is_integral(t.dtype(), false), "Cannot input a tensor of type ",
              core::script_name(t.dtype()), " as an integral argument");
  item(c);
}

void float_implicit(Call& c) {
  check_implicit(c.tensor(arg::a), "scalar");
  to_float(c);
}

void complex_implicit(Call& c) {
  check_implicit(c.tensor(arg::a), "scalar");
  to_complex(c);
}

void scalar_implicit(Call& c) {
  check_implicit(c.tensor(arg::a), "scalar");
  item(c);
}

constexpr Kernel tensor_values_table[] = {
    {"aten::item", item},
    {"aten::is_nonzero", is_nonzero},
    {"aten::Int.Tensor", to_int},
    {"aten::Float.Tensor", to_float},
    {"aten::Bool.Tensor", is_nonzero},
    {"aten::IntImplicit", int_implicit},
    {"aten::FloatImplicit", float_implicit},
    {"aten::ComplexImplicit", complex_implicit},
    {"aten::ScalarImplicit", scalar_implicit},
    {"aten::Complex.Tensor_Tensor", to_complex},
    {"aten::Complex.Tensor_float", to_complex},
    {"aten::Complex.float_Tensor", to_complex},
    {"aten::Complex.Tensor_int", to_complex},
    {"aten::Complex.int_Tensor", to_complex},
    {"aten::Complex.Tensor_bool", to_complex},
    {"aten::Complex.bool_Tensor", to_complex},
};

}  // namespace

std::span<const Kernel> tensor_value_composites() { return tensor_values_table; }

}  // namespace assay::ops::composite
