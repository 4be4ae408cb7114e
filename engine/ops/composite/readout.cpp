#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/ops/composite/families.h"
#include "engine/ops/dispatch.h"

// Values of a tensor as the program's own numbers: copies to the host, which waits for the device.

namespace assay::ops::composite {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using core::Value;

void local_scalar_dense(Call& c) {
  Tensor t = c.tensor(arg::self);
  base::check(t.numel() == 1, "a Tensor with ", t.numel(),
              " elements cannot be converted to Scalar");
  c.synchronized();
  c.finish(Value(core::first_element(t)));
}

void tensor_to_list(Call& c) {
  Tensor t = c.tensor(arg::self);
  c.synchronized();
  core::Values items;
  for (const core::Scalar& number : core::elements(t)) items.emplace_back(number.to_int());
  c.finish(Value(core::make_list(core::int_type(), std::move(items))));
}

/// Lists in lists, one level per dimension from `dim` on; takes the numbers in order.
Value nested_list(core::DimSpan sizes, const core::Scalar*& next, const core::TypePtr& element) {
  if (sizes.empty()) return Value(*next++);
  core::TypePtr inner = element;
  for (size_t d = 1; d < sizes.size(); ++d) inner = core::list_of(inner);
  core::Values items;
  for (int64_t i = 0; i < sizes[0]; ++i) {
    items.push_back(nested_list(sizes.subspan(1), next, element));
  }
  return Value(core::make_list(inner, std::move(items)));
}

/// prim::tolist(tensor, depth of the annotated list, kind of its elements).
void to_list(Call& c) {
  base::check(c.args.size() == 3, "prim::tolist takes a tensor and two ints");
  Tensor t = c.first().to_tensor();
  const core::TypePtr kinds[] = {core::int_type(), core::float_type(), core::bool_type(),
                                 core::complex_type()};
  int64_t kind = c.args[2].to_int();
  base::check(kind >= 0 && kind < 4, "prim::tolist: no element kind has the number ", kind);
  bool fits[] = {t.dtype() == DType::int64, core::is_floating(t.dtype()),
                 t.dtype() == DType::boolean, core::is_complex(t.dtype())};
  base::check(fits[kind], "Output annotation element type and runtime tensor element type must ",
              "match for tolist()");
  base::check(t.dim() == c.second().to_int(),
              "Output annotation list dimension and runtime tensor ",
              "dimension must match for tolist()");
  c.synchronized();
  std::vector<core::Scalar> numbers = core::elements(t);
  const core::Scalar* next = numbers.data();
  c.finish(nested_list(t.sizes(), next, kinds[kind]));
}

constexpr Kernel readout_table[] = {
    {"aten::_local_scalar_dense", local_scalar_dense},
    {"aten::_tensor_to_list", tensor_to_list},
    {"prim::tolist", to_list},
};

}  // namespace

std::span<const Kernel> readout_composites() { return readout_table; }

}  // namespace assay::ops::composite
