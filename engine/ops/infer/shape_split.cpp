#include <algorithm>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/infer/shape.h"
#include "engine/ops/views.h"

namespace assay::ops::infer {
namespace {

using core::Dims;
using core::Tensor;
using Tensors = std::vector<Tensor>;

/// The parts of a tensor, of which a program may ask for any number.
class Parts {
 public:
  void push_back(Tensor part) {
    deadline_.tick(turns);
    tensors_.push_back(std::move(part));
  }
  operator Tensors() && { return std::move(tensors_); }  // NOLINT

 private:
  static constexpr int64_t turns = 16;  // A view costs so many turns of a simple loop.
  Tensors tensors_;
  base::DeadlineTicker deadline_;
};

void finish_list(RuleCall& c, Tensors tensors) {
  c.finish(core::make_tensor_list(std::move(tensors)));
}

int64_t size_at(const Tensor& t, int64_t dim) {
  return t.size(static_cast<size_t>(core::wrap_dim(dim, t.dim())));
}

Parts split_evenly(const Tensor& t, int64_t split_size, int64_t dim) {
  base::check(t.dim() > 0, "split expects at least a 1-dimensional tensor");
  base::check(split_size >= 0,
              "split expects split_size be non-negative, but got split_size=", split_size);
  int64_t size = size_at(t, dim);
  base::check(split_size > 0 || size == 0,
              "split_size can only be 0 if dimension size is 0, but got dimension size of ", size);
  Parts parts;
  if (size == 0) parts.push_back(t.alias());
  for (int64_t start = 0; start < size; start += split_size) {
    parts.push_back(views::narrow(t, dim, start, std::min(split_size, size - start)));
    if (split_size > size) break;  // The next start might overflow.
  }
  return parts;
}

Parts split_by_sizes(const Tensor& t, core::DimSpan lengths, int64_t dim) {
  base::check(t.dim() > 0, "split_with_sizes expects at least a 1-dimensional tensor");
  int64_t size = size_at(t, dim), start = 0;
  Parts parts;
  for (int64_t length : lengths) {
    base::check(length >= 0,
                "split_with_sizes expects split_sizes have only non-negative entries, ",
                "but got split_sizes=", lengths);
    if (length > size - start) start = size + 1;
    if (start > size) break;
    parts.push_back(views::narrow(t, dim, start, length));
    start += length;
  }
  base::check(start == size, "split_with_sizes expects split_sizes to sum exactly to ", size,
              " (input tensor's size at dimension ", dim, "), but got split_sizes=", lengths);
  return parts;
}

void chunk_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  int64_t chunks = c.integer(arg::chunks), dim = c.integer(arg::dim);
  base::check(self.dim() > 0, "chunk expects at least a 1-dimensional tensor");
  base::check(chunks > 0, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  int64_t size = size_at(self, dim);
  if (size == 0) {
    // An empty dimension gives as many empty chunks as asked for.
    base::check(chunks <= 1 << 20, "chunk: ", chunks, " empty chunks are too many");
    return finish_list(c, split_by_sizes(self, Dims(static_cast<size_t>(chunks), 0), dim));
  }
  int64_t each = size / chunks + (size % chunks != 0);
  finish_list(c, split_evenly(self, each, dim));
}

void split_rule(RuleCall& c) {
  finish_list(c,
              split_evenly(c.tensor(arg::self), c.integer(arg::split_size), c.integer(arg::dim)));
}
void split_with_sizes_rule(RuleCall& c) {
  // aten::split.sizes has the other's name for it.
  Dims sizes = c.ints(c.has(arg::split_sizes) ? arg::split_sizes : arg::split_size);
  finish_list(c, split_by_sizes(c.tensor(arg::self), sizes, c.integer(arg::dim)));
}

void unbind_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  int64_t dim = core::wrap_dim(c.integer(arg::dim), self.dim(), false);
  Parts parts;
  for (int64_t i = 0; i < size_at(self, dim); ++i) parts.push_back(views::select(self, dim, i));
  finish_list(c, std::move(parts));
}

Parts tensor_split(const Tensor& t, int64_t sections, int64_t dim) {
  base::check(t.dim() > 0,
              "tensor_split expected at least a 1-dimensional tensor, but got a tensor "
              "with 0 dims");
  int64_t size = size_at(t, dim);
  base::check(sections > 0, "number of sections must be larger than 0, got ", sections);
  base::check(sections <= std::max<int64_t>(size, 1 << 20), "tensor_split: ", sections,
              " sections are too many for a dimension of size ", size);
  Parts parts;
  int64_t start = 0;
  for (int64_t i = 0; i < sections; ++i) {
    int64_t length = size / sections + (i < size % sections);
    parts.push_back(views::slice(t, dim, start, start + length, 1));
    start += length;
  }
  return parts;
}

Parts tensor_split(const Tensor& t, core::DimSpan indices, int64_t dim) {
  base::check(t.dim() > 0,
              "tensor_split expected at least a 1-dimensional tensor, but got a tensor "
              "with 0 dims");
  Parts parts;
  int64_t start = 0;
  for (int64_t end : indices) {
    parts.push_back(views::slice(t, dim, start, end, 1));
    start = end;
  }
  parts.push_back(views::slice(t, dim, start, std::nullopt, 1));
  return parts;
}

void tensor_split_sections_rule(RuleCall& c) {
  finish_list(c, tensor_split(c.tensor(arg::self), c.integer(arg::sections), c.integer(arg::dim)));
}
void tensor_split_indices_rule(RuleCall& c) {
  finish_list(c, tensor_split(c.tensor(arg::self), c.ints(arg::indices), c.integer(arg::dim)));
}

/// hsplit, vsplit and dsplit: tensor_split along a fixed dimension that must divide evenly.
template <int64_t rank>
int64_t split_dimension(const Tensor& t, const char* name) {
  base::check(t.dim() >= rank, "torch.", name, " requires a tensor with at least ", rank,
              " dimension, but got a tensor with ", t.dim(), " dimensions!");
  if (name[0] == 'h') return t.dim() == 1 ? 0 : 1;
  return name[0] == 'v' ? 0 : 2;
}
template <int64_t rank, char letter>
void named_sections_rule(RuleCall& c) {
  constexpr char name[] = {letter, 's', 'p', 'l', 'i', 't', 0};
  Tensor self = c.tensor(arg::self);
  int64_t dim = split_dimension<rank>(self, name), sections = c.integer(arg::sections);
  int64_t size = size_at(self, dim);
  base::check(sections != 0 && size % sections == 0, "torch.", name,
              " attempted to split along dimension ", dim, ", but the size of the dimension ", size,
              " is not divisible by the split_size ", sections, "!");
  finish_list(c, tensor_split(self, sections, dim));
}
template <int64_t rank, char letter>
void named_indices_rule(RuleCall& c) {
  constexpr char name[] = {letter, 's', 'p', 'l', 'i', 't', 0};
  Tensor self = c.tensor(arg::self);
  finish_list(c, tensor_split(self, c.ints(arg::indices), split_dimension<rank>(self, name)));
}

void broadcast_tensors_rule(RuleCall& c) {
  Tensors tensors = c.tensors(arg::tensors);
  Dims shape;
  for (const Tensor& t : tensors) shape = core::broadcast(shape, t.sizes());
  for (Tensor& t : tensors) {
    if (t.sizes() != shape) t = views::expand(t, shape);  // Else the very tensor, as in PyTorch.
  }
  finish_list(c, std::move(tensors));
}

Tensors mesh(Tensors tensors) {
  base::check(!tensors.empty(), "meshgrid expects a non-empty TensorList");
  Dims shape;
  for (const Tensor& t : tensors) {
    base::check(t.dim() <= 1,
                "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: ",
                "a tensor of shape ", t.sizes());
    base::check(t.dtype() == tensors[0].dtype(),
                "torch.meshgrid expects all tensors to have the same dtype");
    shape.push_back(t.numel());
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    Dims one(tensors.size(), 1);
    one[i] = tensors[i].numel();
    tensors[i] = views::expand(views::view(tensors[i], one), shape);
  }
  return tensors;
}
void meshgrid_rule(RuleCall& c) { finish_list(c, mesh(c.tensors(arg::tensors))); }
void meshgrid_indexing_rule(RuleCall& c) {
  Tensors tensors = c.tensors(arg::tensors);
  const std::string& indexing = c.string(arg::indexing);
  base::check(indexing == "ij" || indexing == "xy",
              "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: ", indexing);
  bool swaps = indexing == "xy" && tensors.size() >= 2;
  if (swaps) std::swap(tensors[0], tensors[1]);
  Tensors grids = mesh(std::move(tensors));
  if (swaps) std::swap(grids[0], grids[1]);
  finish_list(c, std::move(grids));
}

template <int64_t rank>
Tensor at_least(const Tensor& t) {
  if (t.dim() >= rank) return t;
  if (t.dim() == 0) return views::view(t, Dims(rank, 1));
  Tensor out = t.dim() == 1 && rank > 1 ? views::unsqueeze(t, 0) : t;
  return rank == 3 ? views::unsqueeze(out, -1) : out;
}
template <int64_t rank>
void at_least_rule(RuleCall& c) {
  c.finish(at_least<rank>(c.tensor(arg::self)));
}
template <int64_t rank>
void at_least_list_rule(RuleCall& c) {
  Tensors tensors = c.tensors(arg::tensors);
  for (Tensor& t : tensors) t = at_least<rank>(t);
  finish_list(c, std::move(tensors));
}

}  // namespace

const Rule chunk{chunk_rule};
const Rule split{split_rule};
const Rule split_with_sizes{split_with_sizes_rule};
const Rule unbind{unbind_rule};
const Rule tensor_split_sections{tensor_split_sections_rule};
const Rule tensor_split_indices{tensor_split_indices_rule};
const Rule hsplit_sections{named_sections_rule<1, 'h'>};
const Rule hsplit_indices{named_indices_rule<1, 'h'>};
const Rule vsplit_sections{named_sections_rule<2, 'v'>};
const Rule vsplit_indices{named_indices_rule<2, 'v'>};
const Rule dsplit_sections{named_sections_rule<3, 'd'>};
const Rule dsplit_indices{named_indices_rule<3, 'd'>};
const Rule broadcast_tensors{broadcast_tensors_rule, false, Devices::any_device};
const Rule meshgrid{meshgrid_rule};
const Rule meshgrid_indexing{meshgrid_indexing_rule};
const Rule at_least_1d{at_least_rule<1>};
const Rule at_least_2d{at_least_rule<2>};
const Rule at_least_3d{at_least_rule<3>};
const Rule at_least_1d_list{at_least_list_rule<1>, false, Devices::any_device};
const Rule at_least_2d_list{at_least_list_rule<2>, false, Devices::any_device};
const Rule at_least_3d_list{at_least_list_rule<3>, false, Devices::any_device};

}  // namespace assay::ops::infer
