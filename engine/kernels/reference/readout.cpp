#include "engine/base/error.h"
#include "engine/kernels/common/accumulate.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using core::Value;
using ops::Call;

/// The element at a place, as the number that Python would see.
Value number_at(const Tensor& t, int64_t offset) {
  return common::over_all(t.dtype(), "item", [&](auto zero) {
    using T = decltype(zero);
    T element = t.data<T>()[offset];
    if constexpr (std::is_same_v<T, bool>)
      return Value(element);
    else
      return Value(common::cast<common::Wide<T>>(element));
  });
}

void local_scalar_dense(Call& c) {
  Tensor t = c.tensor(arg::self);
  base::check(t.numel() == 1, "a Tensor with ", t.numel(),
              " elements cannot be converted to Scalar");
  c.synchronized();
  c.finish(number_at(t, 0));
}

void tensor_to_list(Call& c) {
  Tensor t = c.tensor(arg::self);
  c.synchronized();
  core::Values items;
  for (int64_t offset : common::element_offsets(t.sizes(), t.strides())) {
    items.emplace_back(number_at(t, offset).to_scalar().to_int());
  }
  c.finish(Value(core::make_list(core::int_type(), std::move(items))));
}

/// Lists in lists, one level per dimension from `dim` on.
Value nested_list(const Tensor& t, size_t dim, int64_t offset, const core::TypePtr& element) {
  if (dim == t.sizes().size()) {
    Value v = number_at(t, offset);
    return v;
  }
  core::TypePtr inner = element;
  for (size_t d = dim + 1; d < t.sizes().size(); ++d) inner = core::list_of(inner);
  core::Values items;
  for (int64_t i = 0; i < t.size(dim); ++i) {
    items.push_back(nested_list(t, dim + 1, offset + i * t.stride(dim), element));
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
  c.finish(nested_list(t, 0, 0, kinds[kind]));
}

constexpr ops::Kernel kernels[] = {
    {"aten::_local_scalar_dense", local_scalar_dense},
    {"aten::_tensor_to_list", tensor_to_list},
    {"prim::tolist", to_list},
};

}  // namespace

std::span<const ops::Kernel> readout_kernels() { return kernels; }

}  // namespace assay::kernels::reference
