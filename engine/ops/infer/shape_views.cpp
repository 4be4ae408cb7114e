#include <algorithm>

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/infer/shape.h"
#include "engine/ops/promotion.h"
#include "engine/ops/views.h"

namespace assay::ops::infer {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;

using Maker = Tensor (*)(const Call&);

template <Maker make>
void finish_with(RuleCall& c) {
  c.finish(make(c));
}

/// Makes the first argument itself the view.
template <Maker make>
void become(RuleCall& c) {
  c.tensor(arg::self).assign(make(c));
  c.finish(c.value(arg::self));
}

Tensor alias_of(const Call& c) { return c.tensor(arg::self).alias(); }

Tensor view_of(const Call& c) { return views::view(c.tensor(arg::self), c.ints(arg::size)); }
Tensor view_as_of(const Call& c) {
  return views::view(c.tensor(arg::self), c.tensor(arg::other).sizes());
}
Tensor view_dtype_of(const Call& c) {
  return views::view_dtype(c.tensor(arg::self),
                           c.dtype_or(arg::dtype, c.tensor(arg::self).dtype()));
}
Tensor strided_of(const Call& c) {
  return views::as_strided(c.tensor(arg::self), c.ints(arg::size), c.ints(arg::stride),
                           std::nullopt);
}
Tensor as_strided_of(const Call& c) {
  return views::as_strided(c.tensor(arg::self), c.ints(arg::size), c.ints(arg::stride),
                           c.optional_integer(arg::storage_offset));
}
Tensor expand_of(const Call& c) { return views::expand(c.tensor(arg::self), c.ints(arg::size)); }
Tensor expand_as_of(const Call& c) {
  return views::expand(c.tensor(arg::self), c.tensor(arg::other).sizes());
}

Tensor permute_of(const Call& c) { return views::permute(c.tensor(arg::self), c.ints(arg::dims)); }
Tensor transpose_of(const Call& c) {
  bool axes = c.has(arg::axis0);  // swapaxes
  return views::transpose(c.tensor(arg::self), c.integer(axes ? arg::axis0 : arg::dim0),
                          c.integer(axes ? arg::axis1 : arg::dim1));
}
Tensor t_of(const Call& c) {
  Tensor self = c.tensor(arg::self);
  base::check(self.dim() <= 2, "t() expects a tensor with <= 2 dimensions, but self is ",
              self.dim(), "D");
  return self.dim() < 2 ? self.alias() : views::transpose(self, 0, 1);
}
Tensor reversed_of(const Call& c) {
  Tensor self = c.tensor(arg::self);
  Dims order;
  for (int64_t d = self.dim(); d-- > 0;) order.push_back(d);
  return views::permute(self, order);
}
Tensor matrix_t_of(const Call& c) {
  Tensor self = c.tensor(arg::self);
  base::check(self.dim() >= 2 || self.dim() == 0, "tensor.mT is only supported on matrices or ",
              "batches of matrices. Got ", self.dim(), "-D tensor.");
  return self.dim() == 0 ? self.alias() : views::transpose(self, -2, -1);
}
Tensor movedim_of(const Call& c) {
  return views::movedim(c.tensor(arg::self), Dims{c.integer(arg::source)},
                        Dims{c.integer(arg::destination)});
}
Tensor movedim_list_of(const Call& c) {
  return views::movedim(c.tensor(arg::self), c.ints(arg::source), c.ints(arg::destination));
}

Tensor squeeze_of(const Call& c) { return views::squeeze(c.tensor(arg::self)); }
Tensor squeeze_dim_of(const Call& c) {
  return views::squeeze(c.tensor(arg::self), c.integer(arg::dim));
}
Tensor squeeze_dims_of(const Call& c) {
  Tensor self = c.tensor(arg::self);
  core::Dims dims = views::wrap_dims(c.ints(arg::dim), self.dim());
  std::sort(dims.begin(), dims.end(), std::greater<>());
  for (int64_t dim : dims) self = views::squeeze(self, dim);
  return self;
}
Tensor unsqueeze_of(const Call& c) {
  return views::unsqueeze(c.tensor(arg::self), c.integer(arg::dim));
}

Tensor unflatten_of(const Call& c) {
  Tensor self = c.tensor(arg::self);
  Dims parts = c.ints(arg::sizes);
  base::check(!parts.empty(), "unflatten: sizes must be non-empty");
  auto dim = static_cast<size_t>(core::wrap_dim(c.integer(arg::dim), self.dim()));
  base::check(self.dim() > 0, "unflatten: the tensor has no dimensions");
  int64_t known = 1, unknown = 0;
  for (int64_t part : parts) {
    if (part == -1) {
      ++unknown;
    } else {
      known = base::checked_mul(known, part);
    }
  }
  int64_t size = self.size(dim);
  bool fits = unknown == 0 ? known == size : unknown == 1 && known > 0 && size % known == 0;
  base::check(fits, "unflatten: Provided sizes ", parts, " don't multiply up to the size of dim ",
              dim, " (", size, ") in the input tensor");
  Dims shape;
  for (size_t i = 0; i < self.sizes().size(); ++i) {
    if (i != dim) shape.push_back(self.size(i));
    if (i != dim) continue;
    for (int64_t part : parts) shape.push_back(part == -1 ? size / known : part);
  }
  return views::view(self, shape);
}

Tensor select_of(const Call& c) {
  return views::select(c.tensor(arg::self), c.integer(arg::dim), c.integer(arg::index));
}
Tensor slice_of(const Call& c) {
  return views::slice(c.tensor(arg::self), c.integer(arg::dim), c.optional_integer(arg::start),
                      c.optional_integer(arg::end), c.integer(arg::step));
}
Tensor narrow_of(const Call& c) {
  return views::narrow(c.tensor(arg::self), c.integer(arg::dim), c.integer(arg::start),
                       c.integer(arg::length));
}
Tensor diagonal_of(const Call& c) {
  return views::diagonal(c.first().to_tensor(), c.integer(arg::offset), c.integer(arg::dim1),
                         c.integer(arg::dim2));
}
Tensor unfold_of(const Call& c) {
  return views::unfold(c.tensor(arg::self), c.integer(arg::dimension), c.integer(arg::size),
                       c.integer(arg::step));
}

Tensor as_real_of(const Call& c) { return views::as_real(c.tensor(arg::self)); }
Tensor as_complex_of(const Call& c) { return views::as_complex(c.tensor(arg::self)); }
Tensor real_of(const Call& c) {
  Tensor self = c.tensor(arg::self);
  return core::is_complex(self.dtype()) ? views::select(views::as_real(self), -1, 0) : self;
}
Tensor imaginary_of(const Call& c) {
  Tensor self = c.tensor(arg::self);
  base::check(core::is_complex(self.dtype()),
              "imag is not implemented for tensors with non-complex dtypes.");
  return views::select(views::as_real(self), -1, 1);
}

/// Finishes with the view of a real tensor; declares a fresh result for a complex one, whose
/// elements a kernel conjugates.
template <Maker make>
void conjugate_view(RuleCall& c) {
  Tensor viewed = make(c);
  if (!core::is_complex(viewed.dtype())) return c.finish(viewed);
  c.declare(viewed.sizes(), elementwise_strides(viewed.sizes(), std::span(&viewed, 1)),
            viewed.dtype());
}
Tensor self_of(const Call& c) { return c.tensor(arg::self); }
Tensor adjoint_of(const Call& c) {
  Tensor self = c.tensor(arg::self);
  base::check(self.dim() != 1, c.op.schema.name == "aten::mH" ? "tensor.mH" : "tensor.adjoint()",
              " is only supported on matrices or batches of matrices. Got 1-D tensor.");
  return self.dim() == 0 ? self : views::transpose(self, -2, -1);
}
Tensor matrix_h_of(const Call& c) {
  Tensor self = c.tensor(arg::self);
  base::check(self.dim() == 0 || self.dim() == 2,
              "tensor.H is only supported on matrices (2-D tensors). Got ", self.dim(),
              "-D tensor.",
              self.dim() > 2 ? " For batches of matrices, consider using tensor.mH" : "");
  return self.dim() == 0 ? self : views::transpose(self, 0, 1);
}

}  // namespace

const Rule alias{finish_with<alias_of>};
const Rule detach_in_place{become<alias_of>};
const Rule same_tensor{finish_with<self_of>};

const Rule view{finish_with<view_of>};
const Rule view_as{finish_with<view_as_of>, false, Devices::any_device};
const Rule view_dtype{finish_with<view_dtype_of>};
const Rule reshape_alias{finish_with<strided_of>};
const Rule as_strided{finish_with<as_strided_of>};
const Rule as_strided_in_place{become<as_strided_of>};
const Rule expand{finish_with<expand_of>};
const Rule expand_as{finish_with<expand_as_of>, false, Devices::any_device};
const Rule broadcast_to{finish_with<expand_of>};

const Rule permute{finish_with<permute_of>};
const Rule transpose{finish_with<transpose_of>};
const Rule transpose_in_place{become<transpose_of>};
const Rule t{finish_with<t_of>};
const Rule t_in_place{become<t_of>};
const Rule numpy_t{finish_with<reversed_of>};
const Rule matrix_t{finish_with<matrix_t_of>};
const Rule adjoint{conjugate_view<adjoint_of>};
const Rule matrix_h{conjugate_view<matrix_h_of>};
const Rule conjugate{conjugate_view<self_of>};
const Rule movedim{finish_with<movedim_of>};
const Rule movedim_list{finish_with<movedim_list_of>};

const Rule squeeze{finish_with<squeeze_of>};
const Rule squeeze_in_place{become<squeeze_of>};
const Rule squeeze_dim{finish_with<squeeze_dim_of>};
const Rule squeeze_dim_in_place{become<squeeze_dim_of>};
const Rule squeeze_dims{finish_with<squeeze_dims_of>};
const Rule squeeze_dims_in_place{become<squeeze_dims_of>};
const Rule unsqueeze{finish_with<unsqueeze_of>};
const Rule unsqueeze_in_place{become<unsqueeze_of>};
const Rule unflatten{finish_with<unflatten_of>};

const Rule select{finish_with<select_of>};
const Rule slice{finish_with<slice_of>};
const Rule narrow{finish_with<narrow_of>};
const Rule diagonal{finish_with<diagonal_of>};
const Rule unfold{finish_with<unfold_of>};

const Rule view_as_real{finish_with<as_real_of>};
const Rule view_as_complex{finish_with<as_complex_of>};
const Rule real_part{finish_with<real_of>};
const Rule imaginary_part{finish_with<imaginary_of>};

}  // namespace assay::ops::infer
