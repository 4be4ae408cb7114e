#include "engine/ops/infer/indexing.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/advanced_index.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/infer/layout.h"
#include "engine/ops/promotion.h"

namespace assay::ops::infer {
namespace {

using core::Dims;
using core::DType;
using core::MemoryFormat;
using core::Tensor;

size_t index_of(int64_t dim) { return static_cast<size_t>(dim); }

std::string short_name(const Call& c) { return std::string(c.op.symbol.name()); }

void like_first(RuleCall& c, MemoryFormat format) {
  Tensor self = c.tensor(arg::self);
  c.declare(self.sizes(), copy_strides(self, format), self.dtype());
}
/// For operators that write their first argument: a tensor without bytes is done.
void written_first(RuleCall& c) {
  if (c.tensor(arg::self).device().type == core::DeviceType::meta) c.finish(c.value(arg::self));
}

/// A rule for the operator that makes a result like `self`, and one for its in-place form.
template <void (*check)(const Call&), MemoryFormat format>
void checked_like_first(RuleCall& c) {
  check(c);
  like_first(c, format);
}
template <void (*check)(const Call&)>
void checked_in_place(RuleCall& c) {
  check(c);
  written_first(c);
}

void index_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  auto indices = c.tensors(arg::indices);
  if (has_mask(indices)) return;
  AdvancedIndex plan = plan_index(self, indices);
  c.declare(plan.sizes(), plan.result_strides(), self.dtype());
}

void check_index_put(const Call& c) {
  Tensor self = c.tensor(arg::self), values = c.tensor(arg::values);
  base::check(self.dtype() == values.dtype(),
              "Index put requires the source and destination dtypes match, got ",
              core::script_name(self.dtype()), " for the destination and ",
              core::script_name(values.dtype()), " for the source.");
  base::check_index(c.tensors(arg::indices).size() <= self.sizes().size(),
                    "too many indices for tensor of dimension ", self.dim(), " (got ",
                    c.tensors(arg::indices).size(), ")");
}

bool is_index_type(DType dtype) { return dtype == DType::int64 || dtype == DType::int32; }

void index_select_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self), index = c.tensor(arg::index);
  int64_t dim = core::wrap_dim(c.integer(arg::dim), self.dim());
  base::check(index.dim() <= 1, "index_select(): Index is supposed to be a vector");
  base::check(is_index_type(index.dtype()),
              "index_select(): Expected dtype int32 or int64 for index");
  Dims sizes = self.sizes();
  if (self.dim() > 0) sizes[index_of(dim)] = index.numel();
  base::check(self.dim() > 0 || index.numel() == 1,
              "index_select(): Index to scalar can have only 1 value, got ", index.numel(),
              " value(s)");
  c.declare(sizes, self.dtype());
}

/// `index` has self's rank; outside of `dim` it is no larger than self.
void check_index_shape(const Call& c, const Tensor& self, int64_t dim, const Tensor& index) {
  base::check(index.dtype() == DType::int64, short_name(c), "(): Expected dtype int64 for index");
  auto rank = [](const Tensor& t) { return std::max<int64_t>(1, t.dim()); };
  base::check(rank(index) == rank(self),
              "Index tensor must have the same number of dimensions as input tensor");
  for (size_t d = 0; d < index.sizes().size() && self.dim() > 0; ++d) {
    base::check(d == index_of(dim) || index.size(d) <= self.size(d),
                "Size does not match at dimension ", d, " expected index ", index.sizes(),
                " to be smaller than self ", self.sizes(), " apart from dimension ", dim);
  }
}

void gather_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self), index = c.tensor(arg::index);
  int64_t dim = core::wrap_dim(c.integer(arg::dim), self.dim());
  if (index.numel() > 0) check_index_shape(c, self, dim, index);
  c.declare(index.sizes(), self.dtype());
}

void check_scatter(const Call& c) {
  Tensor self = c.tensor(arg::self), index = c.tensor(arg::index);
  int64_t dim = core::wrap_dim(c.integer(arg::dim), self.dim());
  bool from_tensor = c.has(arg::src);
  if (from_tensor) {
    base::check(self.dtype() == c.tensor(arg::src).dtype(), short_name(c),
                "(): Expected self.dtype to be equal to src.dtype");
  }
  if (index.numel() == 0) return;
  check_index_shape(c, self, dim, index);
  if (!from_tensor) return;
  Tensor source = c.tensor(arg::src);
  base::check(std::max<int64_t>(1, source.dim()) == std::max<int64_t>(1, index.dim()),
              "Index tensor must have the same number of dimensions as src tensor");
  auto size = [](const Tensor& t, size_t d) { return t.dim() == 0 ? 1 : t.size(d); };
  for (size_t d = 0; d < std::max<size_t>(1, index.sizes().size()); ++d) {
    base::check(size(index, d) <= size(source, d), "Expected index ", index.sizes(),
                " to be smaller than self ", self.sizes(), " apart from dimension ", dim,
                " and to be smaller size than src ", source.sizes());
  }
}

/// A vector of positions, and as many parts of the source along the dimension.
void check_positions_along(const Call& c) {
  Tensor self = c.tensor(arg::self), index = c.tensor(arg::index), source = c.tensor(arg::source);
  std::string name = short_name(c);
  int64_t dim = core::wrap_dim(c.integer(arg::dim), self.dim());
  base::check(index.dim() <= 1, name,
              "(): Index is supposed to be a vector, but got dim: ", index.dim(),
              " with type: ", core::script_name(index.dtype()), " and size: ", index.sizes());
  int64_t along = source.dim() == 0 ? 1 : source.size(index_of(core::wrap_dim(dim, source.dim())));
  base::check(index.numel() == along, name, "(): Number of indices (", index.numel(),
              ") should be equal to source.size(dim): (", along, "), for dim: ", dim);
}

/// index_copy and index_reduce: a part of the source is of the shape of one of self.
void check_along(const Call& c) {
  check_positions_along(c);
  std::string name = short_name(c);
  Tensor self = c.tensor(arg::self), source = c.tensor(arg::source);
  int64_t dim = core::wrap_dim(c.integer(arg::dim), self.dim());
  bool ranks_fit = self.dim() == source.dim() || self.dim() == 0 || source.dim() == 0;
  base::check(ranks_fit, name, "(): When source and destination are not scalars, their ",
              "dimensionality must match. Source dimensionality (", source.dim(),
              "), destination dimensionality (", self.dim(), ")");
  for (size_t d = 0; d < self.sizes().size() && source.dim() == self.dim(); ++d) {
    base::check(d == index_of(dim) || self.size(d) == source.size(d), name,
                "(): Source/destination tensor must have same slice shapes. Destination slice "
                "shape: ",
                self.sizes(), " at dimension ", dim, " and source slice shape: ", source.sizes(),
                " at dimension ", dim, ".");
  }
}

/// index_add: PyTorch's CPU adds whatever broadcasts to a part of self (index_add_cpu_), while
/// other devices want the very shape.
void check_add_along(const Call& c) {
  Tensor self = c.tensor(arg::self), source = c.tensor(arg::source);
  if (self.device().type != core::DeviceType::cpu) return check_along(c);
  check_positions_along(c);
  std::string name = short_name(c);
  base::check(self.dim() <= 1 || source.dim() > 0, name, "(): source is a number, of which ",
              "there are no parts to add to self, which has ", self.dim(), " dimensions");
  base::check(self.dim() > 1 || source.dim() <= 1, name, "(): source has ", source.dim(),
              " dimensions, but self, which has ", self.dim(), ", takes one or none");
  if (self.dim() <= 1) return;
  size_t dim = index_of(core::wrap_dim(c.integer(arg::dim), self.dim()));
  Dims part = self.sizes(), from = source.sizes();
  part.erase(dim);
  from.erase(dim);
  base::check(from.size() <= part.size() && core::broadcast(part, from) == part, name,
              "(): a part of the source is of shape ", from,
              " and does not broadcast to one of self, which is of shape ", part);
}

void check_index_fill(const Call& c) {
  Tensor self = c.tensor(arg::self), index = c.tensor(arg::index);
  core::wrap_dim(c.integer(arg::dim), self.dim());
  base::check(index.dtype() == DType::int64, "index_fill_(): Expected dtype int64 for index.");
  base::check(index.dim() <= 1, "Index has to be a vector/scalar");
  if (c.value(arg::value).is_tensor()) {
    base::check(c.tensor(arg::value).dim() == 0,
                "index_fill_ only supports a 0-dimensional value tensor, ", "but got tensor with ",
                c.tensor(arg::value).dim(), " dimension(s).");
  }
}

void take_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self), index = c.tensor(arg::index);
  base::check(index.dtype() == DType::int64, "take(): Expected a long tensor for index, but got ",
              core::script_name(index.dtype()));
  base::check(self.numel() > 0 || index.numel() == 0, "take(): tried to take from an empty tensor");
  c.declare(index.sizes(), self.dtype());
}

void check_put(const Call& c) {
  Tensor self = c.tensor(arg::self), index = c.tensor(arg::index), source = c.tensor(arg::source);
  base::check(index.dtype() == DType::int64, "put_(): Expected a long tensor for index, but got ",
              core::script_name(index.dtype()));
  base::check(self.dtype() == source.dtype(),
              "put_(): self and source expected to have the same dtype, but got self.dtype = ",
              core::script_name(self.dtype()),
              " and source.dtype = ", core::script_name(source.dtype()));
  base::check(index.numel() == source.numel(),
              "put_(): Expected source and index to have the same number of elements, but got "
              "source.numel() = ",
              source.numel(), ", index.numel() = ", index.numel());
  base::check(self.numel() > 0 || index.numel() == 0, "put_(): the tensor is empty");
}

void declare_masked(RuleCall& c) {
  Tensor self = c.tensor(arg::self), mask = c.tensor(arg::mask);
  bool mask_type = mask.dtype() == DType::boolean || mask.dtype() == DType::uint8;
  base::check(mask_type, short_name(c), " only supports boolean masks, but got mask with dtype ",
              core::script_name(mask.dtype()));
  c.declare(core::broadcast(self.sizes(), mask.sizes()), self.dtype());
}
void masked_fill_rule(RuleCall& c) {
  Tensor value = c.tensor(arg::value);
  base::check(value.dim() == 0,
              "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with ",
              value.dim(), " dimension(s).");
  declare_masked(c);
}
void masked_scatter_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self), source = c.tensor(arg::source);
  base::check(self.dtype() == source.dtype(),
              "masked_scatter: expected self and source to have same dtypes but got",
              core::script_name(self.dtype()), " and ", core::script_name(source.dtype()));
  declare_masked(c);
}

DType search_dtype(const Call& c) {
  return c.boolean(arg::out_int32) ? DType::int32 : DType::int64;
}
/// The argument's shape; a number's is empty.
Dims shape_of(const core::Value& v) { return v.is_tensor() ? v.to_tensor().sizes() : Dims{}; }

void bucketize_rule(RuleCall& c) {
  Tensor boundaries = c.tensor(arg::boundaries);
  base::check(boundaries.dim() == 1, "boundaries tensor must be 1 dimension, but got dim(",
              boundaries.dim(), ")");
  c.declare(shape_of(c.value(arg::self)), search_dtype(c));
}

void searchsorted_rule(RuleCall& c) {
  Tensor sequence = c.tensor(arg::sorted_sequence);
  Dims sizes = shape_of(c.value(arg::self));
  base::check(sequence.dim() > 0, "torch.searchsorted(): input value can be a scalar only when ",
              "boundaries tensor dimension is 1, but we got boundaries tensor dim(0)");
  bool same_rank = sequence.sizes().size() == sizes.size();
  bool rows_fit = same_rank && std::equal(sizes.begin(), sizes.end() - (sizes.empty() ? 0 : 1),
                                          sequence.sizes().begin());
  base::check(sequence.dim() == 1 || rows_fit,
              "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 "
              "dimensions of boundaries tensor and input value tensor must match, but we got "
              "boundaries tensor ",
              sequence.sizes(), " and input value tensor ", sizes);
  if (!c.is_none(arg::side)) {
    const std::string& side = c.string(arg::side);
    base::check(side == "left" || side == "right",
                "torch.searchsorted(): side can only be 'left' or 'right' but got ", side);
    base::check(!(c.boolean(arg::right) && side == "left"),
                "torch.searchsorted(): side and right can't be ",
                "set to opposites, got side of left while right was True");
  }
  if (!c.is_none(arg::sorter)) {
    base::check(c.tensor(arg::sorter).sizes() == sequence.sizes(),
                "torch.searchsorted(): boundary and sorter must have the same size, but got ",
                "boundary tensor ", sequence.sizes(), "and got sorter tensor ",
                c.tensor(arg::sorter).sizes());
    base::check(c.tensor(arg::sorter).dtype() == DType::int64,
                "torch.searchsorted(): sorter must be a tensor of long dtype but got dtype ",
                core::script_name(c.tensor(arg::sorter).dtype()));
  }
  c.declare(sizes, search_dtype(c));
}

}  // namespace

const Rule index_tensor{index_rule, false, Devices::indices_follow};
const Rule index_put{checked_like_first<check_index_put, MemoryFormat::preserve>, false,
                     Devices::indices_follow};
const Rule index_put_in_place{checked_in_place<check_index_put>, false, Devices::indices_follow};
const Rule index_select{index_select_rule};
const Rule gather{gather_rule};
const Rule scatter{checked_like_first<check_scatter, MemoryFormat::contiguous>};
const Rule scatter_in_place{checked_in_place<check_scatter>};
const Rule index_along{checked_like_first<check_along, MemoryFormat::contiguous>};
const Rule index_along_in_place{checked_in_place<check_along>};
const Rule index_add_along{checked_like_first<check_add_along, MemoryFormat::contiguous>};
const Rule index_add_along_in_place{checked_in_place<check_add_along>};
const Rule index_fill{checked_like_first<check_index_fill, MemoryFormat::preserve>, false,
                      Devices::scalars_follow};
const Rule index_fill_in_place{checked_in_place<check_index_fill>, false, Devices::scalars_follow};
const Rule take{take_rule};
const Rule put{checked_like_first<check_put, MemoryFormat::preserve>};
const Rule put_in_place{checked_in_place<check_put>};
const Rule masked_fill{masked_fill_rule, true, Devices::scalars_follow};
const Rule masked_scatter{masked_scatter_rule};
const Rule bucketize{bucketize_rule};
const Rule searchsorted{searchsorted_rule};

}  // namespace assay::ops::infer
