#include <algorithm>

#include "engine/base/error.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/rearrange.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::kernels::reference {
namespace {

namespace views = ops::views;
namespace arg = ops::arg;

using common::copy_elements;
using common::fill_elements;
using core::Dims;
using core::Tensor;
using ops::Call;

size_t index(int64_t dim) { return static_cast<size_t>(dim); }

void cat(Call& c) {
  Tensor out = c.out();
  if (out.numel() == 0) return;
  int64_t dim = core::wrap_dim(c.integer(arg::dim), out.dim()), start = 0;
  for (const Tensor& t : c.tensors(arg::tensors)) {
    if (t.dim() == 1 && t.size(0) == 0) continue;
    int64_t length = t.size(index(dim));
    copy_elements(views::narrow(out, dim, start, length), t);
    start += length;
  }
}

void stack(Call& c) {
  Tensor out = c.out();
  int64_t dim = core::wrap_dim(c.integer(arg::dim), out.dim()), at = 0;
  for (const Tensor& t : c.tensors(arg::tensors)) copy_elements(views::select(out, dim, at++), t);
}

/// Sees `out` as (repeats, size) per dimension, over which the source broadcasts.
void repeat(Call& c) {
  Tensor self = c.tensor(arg::self), out = c.out();
  if (out.numel() == 0) return;
  Dims repeats = c.ints(arg::repeats), wide, narrow;
  size_t lead = repeats.size() - self.sizes().size();
  for (size_t i = 0; i < repeats.size(); ++i) {
    int64_t size = i < lead ? 1 : self.size(i - lead);
    wide.push_back(repeats[i]);
    wide.push_back(size);
    narrow.push_back(1);
    narrow.push_back(size);
  }
  Tensor apart =
      views::view_strides(self.sizes(), self.strides(), narrow) ? self : common::packed(self);
  copy_elements(views::view(out, wide), views::view(apart, narrow));
}

void flip(Call& c) {
  Tensor self = c.tensor(arg::self);
  auto table = identity_indices(self);
  for (int64_t d : views::wrap_dims(c.ints(arg::dims), self.dim())) {
    if (self.dim() > 0) std::reverse(table[index(d)].begin(), table[index(d)].end());
  }
  copy_rearranged(c.out(), self, table);
}

/// Turns positions right by `shift`.
void turn(std::vector<int64_t>& positions, int64_t shift) {
  auto size = static_cast<int64_t>(positions.size());
  if (size == 0) return;
  int64_t right = (shift % size + size) % size;
  std::rotate(positions.begin(), positions.end() - right, positions.end());
}

void roll(Call& c) {
  Tensor self = c.tensor(arg::self), out = c.out();
  if (out.numel() == 0) return;
  Dims shifts = c.ints(arg::shifts), dims = c.ints(arg::dims);
  if (dims.empty()) {
    Tensor flat = views::view(common::packed(self), Dims{-1});
    Tensor rolled = Tensor::empty(flat.sizes(), flat.dtype());
    auto table = identity_indices(flat);
    turn(table[0], shifts[0]);
    copy_rearranged(rolled, flat, table);
    return copy_elements(out, views::view(rolled, out.sizes()));
  }
  auto table = identity_indices(self);
  for (size_t i = 0; i < dims.size() && self.dim() > 0; ++i) {
    turn(table[index(core::wrap_dim(dims[i], self.dim()))], shifts[i]);
  }
  copy_rearranged(out, self, table);
}

/// Keeps what is on the kept side of the diagonal of each matrix, zeros elsewhere.
template <bool lower>
void tri(Call& c) {
  Tensor self = c.tensor(arg::self), out = c.out();
  int64_t diagonal = c.integer(arg::diagonal);
  fill_elements(out, 0);
  int64_t rows = self.size(self.sizes().size() - 2), columns = self.sizes().back();
  for (int64_t r = 0; r < rows; ++r) {
    // Column r + diagonal is on the diagonal; far diagonals saturate at the edges.
    int64_t on = std::clamp<int64_t>(diagonal, -rows, columns) + r;
    int64_t first = lower ? 0 : std::clamp<int64_t>(on, 0, columns);
    int64_t last = lower ? std::clamp<int64_t>(on + 1, 0, columns) : columns;
    if (last <= first) continue;
    auto part = [&](const Tensor& t) {
      return views::narrow(views::select(t, -2, r), -1, first, last - first);
    };
    copy_elements(part(out), part(self));
  }
}

void diag(Call& c) {
  Tensor self = c.tensor(arg::self), out = c.out();
  if (self.dim() == 2)
    return copy_elements(out, views::diagonal(self, c.integer(arg::diagonal), 0, 1));
  fill_elements(out, 0);
  copy_elements(views::diagonal(out, c.integer(arg::diagonal), 0, 1), self);
}

void diag_embed(Call& c) {
  Tensor self = c.tensor(arg::self), out = c.out();
  fill_elements(out, 0);
  copy_elements(
      views::diagonal(out, c.integer(arg::offset), c.integer(arg::dim1), c.integer(arg::dim2)),
      self);
}

void pad_constant(Call& c) {
  Tensor from = c.tensor(arg::self), out = c.out();
  Dims pad = c.ints(arg::pad);
  fill_elements(out, c.scalar(arg::value));
  Tensor to = out;
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    int64_t dim = from.dim() - 1 - static_cast<int64_t>(i);
    int64_t before = pad[2 * i], size = from.size(index(dim));
    int64_t first = std::max<int64_t>(0, -before);
    int64_t last = std::min(size, size + pad[2 * i + 1]);
    if (last <= first) return;
    from = views::narrow(from, dim, first, last - first);
    to = views::narrow(to, dim, std::max<int64_t>(0, before), last - first);
  }
  copy_elements(to, from);
}

/// Moves frequency 0 to the middle of each dimension (all, or those given), or back. A dimension
/// given twice is moved twice.
template <bool back>
void shift_frequencies(Call& c) {
  Tensor self = c.tensor(arg::self);
  Dims dims = c.ints(arg::dim);
  if (c.is_none(arg::dim)) {
    for (int64_t d = 0; d < self.dim(); ++d) dims.push_back(d);
  }
  IndexTable table = identity_indices(self);
  for (int64_t dim : dims) {
    auto& positions = table[index(core::wrap_dim(dim, self.dim()))];
    auto size = static_cast<int64_t>(positions.size());
    turn(positions, back ? (size + 1) / 2 : size / 2);
  }
  copy_rearranged(c.out(), self, table);
}

constexpr ops::Kernel joins_table[] = {
    {"aten::cat", cat},
    {"aten::concat", cat},
    {"aten::concatenate", cat},
    {"aten::stack", stack},
    {"aten::_stack", stack},
    {"aten::repeat", repeat},
    {"aten::flip", flip},
    {"aten::roll", roll},
    {"aten::fft_fftshift", shift_frequencies<false>},
    {"aten::fft_ifftshift", shift_frequencies<true>},
    {"aten::tril", tri<true>},
    {"aten::triu", tri<false>},
    {"aten::diag", diag},
    {"aten::diag_embed", diag_embed},
    {"aten::constant_pad_nd", pad_constant},
};

}  // namespace

std::span<const ops::Kernel> join_kernels() { return joins_table; }

}  // namespace assay::kernels::reference
