#include <algorithm>

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/core/host_access.h"
#include "engine/ops/composite/families.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/promotion.h"
#include "engine/ops/views.h"

namespace assay::ops::composite {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;
using Tensors = std::vector<Tensor>;

size_t index(int64_t dim) { return static_cast<size_t>(dim); }

Tensor cat(const Call& c, Tensors tensors, int64_t dim) {
  return c.call_tensor("aten::cat", {core::make_tensor_list(std::move(tensors)), dim});
}
Tensor reshape(const Call& c, const Tensor& t, const Dims& sizes) {
  return c.call_tensor("aten::reshape", {t, core::make_int_list(sizes)});
}
Tensor clone(const Call& c, const Tensor& t) { return c.call_tensor("aten::clone", {t}); }
Tensor zeros(const Call& c, const Dims& sizes, DType dtype, core::Device device) {
  return c.call_tensor("aten::zeros",
                       {core::make_int_list(sizes), static_cast<int64_t>(dtype), Value(), device});
}

Tensor at_least(const Tensor& t, int64_t rank) {
  if (t.dim() == 0) return views::view(t, Dims(index(rank), 1));
  Tensor out = t.dim() == 1 && rank > 1 ? views::unsqueeze(t, 0) : t;
  return rank == 3 && out.dim() == 2 ? views::unsqueeze(out, -1) : out;
}

Tensors at_least_all(const Call& c, int64_t rank) {
  Tensors tensors = c.tensors(arg::tensors);
  base::check(!tensors.empty(), c.op.symbol.name(), " expects a non-empty TensorList");
  for (Tensor& t : tensors) t = at_least(t, rank);
  return tensors;
}

void hstack(Call& c) {
  Tensors tensors = at_least_all(c, 1);
  int64_t dim = tensors[0].dim() == 1 ? 0 : 1;
  c.finish(cat(c, std::move(tensors), dim));
}
void vstack(Call& c) { c.finish(cat(c, at_least_all(c, 2), 0)); }
void dstack(Call& c) { c.finish(cat(c, at_least_all(c, 3), 2)); }
void column_stack(Call& c) {
  Tensors tensors = c.tensors(arg::tensors);
  base::check(!tensors.empty(), "column_stack expects a non-empty TensorList");
  for (Tensor& t : tensors) {
    if (t.dim() <= 1) t = reshape(c, t, {t.numel(), 1});
  }
  c.finish(cat(c, std::move(tensors), 1));
}

void block_diag(Call& c) {
  Tensors tensors = c.tensors(arg::tensors);
  int64_t rows = 0, columns = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    base::check(tensors[i].dim() <= 2, "torch.block_diag: Input tensors must have 2 or fewer ",
                "dimensions. Input ", i, " has ", tensors[i].dim(), " dimensions");
    tensors[i] = at_least(tensors[i], 2);
    rows = base::checked_add(rows, tensors[i].size(0));
    columns = base::checked_add(columns, tensors[i].size(1));
  }
  if (tensors.empty()) return c.finish(zeros(c, {1, 0}, c.context.default_dtype, {}));
  DType dtype = result_type(tensors, c.context.default_dtype);
  Tensor out = zeros(c, {rows, columns}, dtype, c.device());
  rows = columns = 0;
  for (const Tensor& t : tensors) {
    Tensor block = views::narrow(views::narrow(out, 0, rows, t.size(0)), 1, columns, t.size(1));
    c.call("aten::copy_", {block, t});
    rows += t.size(0);
    columns += t.size(1);
  }
  c.finish(out);
}

Tensors mesh(const Call& c, Tensors tensors) {
  Tensors grids;
  Value made = c.call("aten::meshgrid", {core::make_tensor_list(std::move(tensors))});
  for (const Value& grid : made.list().items) {
    grids.push_back(reshape(c, grid.to_tensor(), {-1}));
  }
  return grids;
}
Tensor stacked(const Call& c, Tensors tensors, int64_t dim) {
  return c.call_tensor("aten::stack", {core::make_tensor_list(std::move(tensors)), dim});
}

void cartesian_prod(Call& c) {
  Tensors tensors = c.tensors(arg::tensors);
  for (const Tensor& t : tensors) {
    base::check(t.dim() == 1, "Expect a 1D vector, but got shape ", t.sizes());
  }
  if (tensors.size() == 1) return c.finish(tensors[0]);
  c.finish(stacked(c, mesh(c, std::move(tensors)), 1));
}

void combinations(Call& c) {
  Tensor self = c.tensor(arg::self);
  int64_t r = c.integer(arg::r);
  bool with_replacement = c.boolean(arg::with_replacement);
  base::check(self.dim() == 1, "Expect a 1D vector, but got shape ", self.sizes());
  base::check(r >= 0, "Expect a non-negative number, but got ", r);
  if (r == 0) return c.finish(c.new_empty(Dims{0}, self.dtype()));
  base::check(r <= 64, "combinations: ", r, " elements at a time are too many");
  // All index tuples; those that are in order stay.
  Tensor positions = c.call_tensor(
      "aten::arange", {self.numel(), static_cast<int64_t>(DType::int64), Value(), self.device()});
  Tensors places_each(index(r), positions), values_each(index(r), self);
  places_each = mesh(c, std::move(places_each));
  values_each = mesh(c, std::move(values_each));
  const char* order = with_replacement ? "aten::le.Tensor" : "aten::lt.Tensor";
  Tensor keep =
      c.call_tensor("aten::ones", {core::make_int_list(places_each[0].sizes()),
                                   static_cast<int64_t>(DType::boolean), Value(), self.device()});
  for (size_t i = 0; i + 1 < index(r); ++i) {
    Tensor ordered = c.call_tensor(order, {places_each[i], places_each[i + 1]});
    keep = c.call_tensor("aten::logical_and", {keep, ordered});
  }
  for (Tensor& v : values_each) v = c.call_tensor("aten::masked_select", {v, keep});
  c.finish(stacked(c, std::move(values_each), 1));
}

void tile(Call& c) {
  Tensor self = c.tensor(arg::self);
  Dims repeats = c.ints(arg::dims);
  while (repeats.size() < self.sizes().size()) repeats.insert(0, 1);
  c.finish(c.call("aten::repeat", {self, core::make_int_list(repeats)}));
}

Tensor flip(const Call& c, const Tensor& t, const Dims& dims) {
  return c.call_tensor("aten::flip", {t, core::make_int_list(dims)});
}
void fliplr(Call& c) {
  base::check(c.tensor(arg::self).dim() >= 2, "Input must be >= 2-d.");
  c.finish(flip(c, c.tensor(arg::self), {1}));
}
void flipud(Call& c) {
  base::check(c.tensor(arg::self).dim() >= 1, "Input must be >= 1-d.");
  c.finish(flip(c, c.tensor(arg::self), {0}));
}
void rot90(Call& c) {
  Tensor self = c.tensor(arg::self);
  Dims dims = c.ints(arg::dims);
  base::check(dims.size() == 2, "expected total rotation dims == 2, but got dims = ", dims.size());
  base::check(self.dim() >= 2, "expected total dims >= 2, but got total dims = ", self.dim());
  int64_t a = core::wrap_dim(dims[0], self.dim()), b = core::wrap_dim(dims[1], self.dim());
  base::check(a != b, "expected rotation dims to be different, but got dim0 = ", dims[0],
              " and dim1 = ", dims[1]);
  switch (((c.integer(arg::k) % 4) + 4) % 4) {
    case 1:
      return c.finish(views::transpose(flip(c, self, {b}), a, b));
    case 2:
      return c.finish(flip(c, self, {a, b}));
    case 3:
      return c.finish(views::transpose(flip(c, self, {a}), a, b));
    default:
      c.finish(c.call("aten::clone", {self, 0}));
  }
}

void diagflat(Call& c) {
  Tensor flat = reshape(c, c.call_tensor("aten::contiguous", {c.tensor(arg::self)}), {-1});
  c.finish(c.call("aten::diag", {flat, c.value(arg::offset)}));
}

/// repeat_interleave of positions: `counts[i]` times i.
Tensor repeated_places(const Call& c, const Tensor& counts, std::optional<int64_t> expected) {
  base::check(counts.dim() == 1, "repeat_interleave only accept 1D vector as repeat");
  base::check(counts.dtype() == DType::int64 || counts.dtype() == DType::int32,
              "repeats has to be Long or Int tensor");
  base::check(counts.device().type != core::DeviceType::meta,
              "repeat_interleave: the shape of the result depends on values, which meta tensors do "
              "not have");
  c.synchronized();
  Tensor wide = core::to_host(c.call_tensor(
      "aten::contiguous",
      {c.call_tensor("aten::to.dtype", {counts, static_cast<int64_t>(DType::int64)})}));
  const int64_t* count = wide.device_data<int64_t>();
  int64_t total = 0;
  for (int64_t i = 0; i < wide.numel(); ++i) {
    base::check(count[i] >= 0, "repeats can not be negative");
    base::check(!__builtin_add_overflow(total, count[i], &total), "repeat_interleave: too many");
  }
  base::check(!expected || *expected == total, "allocated size does not match required size");
  Tensor out = Tensor::empty(Dims{total}, DType::int64);
  int64_t* to = out.device_data<int64_t>();
  for (int64_t i = 0; i < wide.numel(); ++i) to = std::fill_n(to, count[i], i);
  return c.call_tensor("aten::to.device",
                       {out, counts.device(), static_cast<int64_t>(counts.dtype())});
}
void repeat_interleave_places(Call& c) {
  c.finish(repeated_places(c, c.tensor(arg::repeats), c.optional_integer(arg::output_size)));
}
void repeat_interleave_tensor(Call& c) {
  Tensor self = c.tensor(arg::self), counts = c.tensor(arg::repeats);
  if (c.is_none(arg::dim)) self = reshape(c, self, {-1});
  int64_t dim = core::wrap_dim(c.integer_or(arg::dim, 0), self.dim());
  if (self.dim() == 0) self = reshape(c, self, {1});
  int64_t size = self.size(index(dim));
  if (counts.dim() == 0 || (counts.dim() == 1 && counts.size(0) == 1)) {
    counts = views::expand(views::view(counts, Dims{1}), Dims{size});
  } else {
    base::check(counts.dim() == 1, "repeats must be 0-dim or 1-dim tensor");
    base::check(counts.size(0) == size, "repeats must have the same size as input along dim");
  }
  Tensor positions = repeated_places(c, counts, c.optional_integer(arg::output_size));
  c.finish(c.call("aten::index_select", {self, dim, positions}));
}
void repeat_interleave_int(Call& c) {
  Tensor self = c.tensor(arg::self);
  int64_t times = c.integer(arg::repeats);
  if (c.is_none(arg::dim)) self = reshape(c, self, {-1});
  int64_t dim = core::wrap_dim(c.integer_or(arg::dim, 0), self.dim(), false);
  base::check(times >= 0, "repeats can not be negative");
  Dims wide = self.sizes(), merged = self.sizes();
  wide.insert(index(dim) + 1, times);
  base::check(!__builtin_mul_overflow(merged[index(dim)], times, &merged[index(dim)]),
              "repeat_interleave: too many");
  base::check(c.is_none(arg::output_size) || c.integer(arg::output_size) == merged[index(dim)],
              "repeat_interleave: Invalid output_size, expected ", merged[index(dim)]);
  Tensor expanded = views::expand(views::unsqueeze(self, dim + 1), wide);
  c.finish(reshape(c, c.call_tensor("aten::clone", {expanded, 0}), merged));
}

int64_t read_index(const Call& c, const Tensor& t) {
  base::check(t.device().type != core::DeviceType::meta, c.op.qualified_name,
              ": needs a value, which meta tensors do not have");
  c.synchronized();
  return c.call("aten::item", {t}).to_scalar().to_int();
}
void narrow_tensor(Call& c) {
  Tensor start = c.tensor(arg::start);
  base::check(start.dim() == 0 && core::is_integral(start.dtype(), false),
              "start must be an 0-dim integral Tensor.");
  c.finish(views::narrow(c.tensor(arg::self), c.integer(arg::dim), read_index(c, start),
                         c.integer(arg::length)));
}
void narrow_copy(Call& c) {
  Tensor part = views::narrow(c.tensor(arg::self), c.integer(arg::dim), c.integer(arg::start),
                              c.integer(arg::length));
  c.finish(c.call("aten::clone", {part, 0}));
}

void tensor_split_tensor(Call& c) {
  Tensor how = c.tensor(arg::tensor_indices_or_sections);
  base::check(how.dtype() == DType::int64, "tensor_split expected tensor_indices_or_sections to ",
              "have dtype of long, but got ", core::script_name(how.dtype()));
  base::check(how.dim() <= 1, "tensor_split expected tensor_indices_or_sections to be a ",
              "zero-dimensional or one-dimensional tensor, but got a tensor with ", how.dim(),
              " dims");
  if (how.dim() == 0) {
    return c.finish(c.call("aten::tensor_split.sections",
                           {c.tensor(arg::self), read_index(c, how), c.integer(arg::dim)}));
  }
  Dims indices;
  for (int64_t i = 0; i < how.size(0); ++i)
    indices.push_back(read_index(c, views::select(how, 0, i)));
  c.finish(c.call("aten::tensor_split.indices",
                  {c.tensor(arg::self), core::make_int_list(indices), c.integer(arg::dim)}));
}

/// A copy of the first argument with `source` written to a view of it.
template <Tensor (*view_of)(const Call&, const Tensor&)>
void scatter_into_view(Call& c) {
  Tensor out = clone(c, c.tensor(arg::self)), source = c.tensor(arg::src);
  Tensor target = view_of(c, out);
  base::check(target.sizes() == source.sizes(),
              "expected src to have a size equal to the slice of self. src size = ", source.sizes(),
              ", slice size = ", target.sizes());
  c.call("aten::copy_", {target, source});
  c.finish(out);
}
Tensor selected(const Call& c, const Tensor& t) {
  return views::select(t, c.integer(arg::dim), c.integer(arg::index));
}
Tensor sliced(const Call& c, const Tensor& t) {
  return views::slice(t, c.integer(arg::dim), c.optional_integer(arg::start),
                      c.optional_integer(arg::end), c.integer(arg::step));
}
Tensor diagonal(const Call& c, const Tensor& t) {
  return views::diagonal(t, c.integer(arg::offset), c.integer(arg::dim1), c.integer(arg::dim2));
}
Tensor restrided(const Call& c, const Tensor& t) {
  return views::as_strided(t, c.ints(arg::size), c.ints(arg::stride),
                           c.optional_integer(arg::storage_offset));
}

void copy_tensor(Call& c) {
  c.finish(c.call("aten::copy_", {c.value(arg::self), c.value(arg::other)}));
}
void copy_number(Call& c) {
  c.finish(c.call("aten::copy_", {c.value(arg::self),
                                  wrapped_number(c.scalar(arg::other), c.context.default_dtype)}));
}

void pad_sequence(Call& c) {
  Tensors sequences = c.tensors(arg::sequences);
  bool batch_first = c.boolean(arg::batch_first);
  base::check(!sequences.empty(), "received an empty list of sequences");
  int64_t longest = 0;
  for (const Tensor& t : sequences) {
    base::check(t.dim() > 0, "pad_sequence: the sequences need a dimension");
    longest = std::max(longest, t.size(0));
  }
  Dims sizes = sequences[0].sizes();
  sizes[0] = longest;
  sizes.insert(batch_first ? 0 : 1, static_cast<int64_t>(sequences.size()));
  const Tensor& first = sequences[0];
  Tensor out =
      c.call_tensor("aten::full", {core::make_int_list(sizes), c.value(arg::padding_value),
                                   static_cast<int64_t>(first.dtype()), Value(), first.device()});
  for (size_t i = 0; i < sequences.size(); ++i) {
    Tensor row = views::select(out, batch_first ? 0 : 1, static_cast<int64_t>(i));
    c.call("aten::copy_", {views::narrow(row, 0, 0, sequences[i].size(0)), sequences[i]});
  }
  c.finish(out);
}

constexpr Kernel shape_table[] = {
    {"aten::hstack", hstack},
    {"aten::vstack", vstack},
    {"aten::row_stack", vstack},
    {"aten::dstack", dstack},
    {"aten::column_stack", column_stack},
    {"aten::block_diag", block_diag},
    {"aten::cartesian_prod", cartesian_prod},
    {"aten::combinations", combinations},
    {"aten::tile", tile},
    {"aten::fliplr", fliplr},
    {"aten::flipud", flipud},
    {"aten::rot90", rot90},
    {"aten::diagflat", diagflat},
    {"aten::repeat_interleave.Tensor", repeat_interleave_places},
    {"aten::repeat_interleave.self_Tensor", repeat_interleave_tensor},
    {"aten::repeat_interleave.self_int", repeat_interleave_int},
    {"aten::narrow.Tensor", narrow_tensor},
    {"aten::narrow_copy", narrow_copy},
    {"aten::tensor_split.tensor_indices_or_sections", tensor_split_tensor},
    {"aten::select_scatter", scatter_into_view<selected>},
    {"aten::slice_scatter", scatter_into_view<sliced>},
    {"aten::diagonal_scatter", scatter_into_view<diagonal>},
    {"aten::as_strided_scatter", scatter_into_view<restrided>},
    {"aten::copy_.Tensor", copy_tensor},
    {"aten::copy_.int", copy_number},
    {"aten::copy_.float", copy_number},
    {"aten::pad_sequence", pad_sequence},
};

}  // namespace

std::span<const Kernel> shape_composites() { return shape_table; }

}  // namespace assay::ops::composite
