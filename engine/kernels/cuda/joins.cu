// Tensors put together, repeated, turned around, and laid on diagonals.

#include <algorithm>

#include "engine/base/error.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/kernels/cuda/rearrange.h"
#include "engine/kernels/cuda/words.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace views = ops::views;
namespace arg = ops::arg;

using core::Dims;
using core::Tensor;
using ops::Call;

size_t index(int64_t dim) { return static_cast<size_t>(dim); }

constexpr int parts_at_once = 64;

/// Rows of the result, each of which is made of a row of each part. Counted in
/// words.
struct Parts {
  const std::byte* from[parts_at_once];
  int64_t begin[parts_at_once + 1];
  int count = 0;
  Divider length;  ///< Of what the parts cover of a row.
  bool narrow;
  std::byte* out;
  int64_t row_length;
};

template <typename Word>
struct JoinParts {
  Parts parts;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t row = parts.length.divide(i, parts.narrow), at = i - row * parts.length.divisor();
    int low = 0, high = parts.count;
    while (high - low > 1) {
      int middle = (low + high) / 2;
      (at < parts.begin[middle] ? high : low) = middle;
    }
    int64_t begin = parts.begin[low], size = parts.begin[low + 1] - begin;
    reinterpret_cast<Word*>(parts.out)[row * parts.row_length + at] =
        reinterpret_cast<const Word*>(parts.from[low])[row * size + at - begin];
  }
};

template <typename Word>
void run_join(const Queue& queue, const Parts& parts, int64_t count) {
  for_each(queue, count, JoinParts<Word>{parts});
}

/// The largest word that the parts' rows and addresses are multiples of.
int64_t word_of(const Tensor& out, const std::vector<Tensor>& parts, int64_t rows) {
  auto bits = reinterpret_cast<uintptr_t>(out.device_address());
  auto item = static_cast<int64_t>(out.item_size());
  for (const Tensor& t : parts) {
    bits |= reinterpret_cast<uintptr_t>(t.device_address());
    bits |= static_cast<uintptr_t>(t.numel() / rows * item);
  }
  int64_t word = 16;
  while (word > item && bits % static_cast<uintptr_t>(word) != 0) word /= 2;
  return word;
}

/// Row-major parts of one type, as many as a kernel takes at once.
void join_rows(const Call& c, const Tensor& out, const std::vector<Tensor>& parts, int64_t rows) {
  auto item = static_cast<int64_t>(out.item_size());
  int64_t word = word_of(out, parts, rows);
  Queue queue = queue_of(c);
  std::byte* at = out.device_address();
  for (size_t first = 0; first < parts.size(); first += parts_at_once) {
    Parts p;
    p.begin[0] = 0;
    size_t end = std::min(parts.size(), first + parts_at_once);
    for (size_t k = first; k < end; ++k, ++p.count) {
      p.from[p.count] = parts[k].device_address();
      p.begin[p.count + 1] = p.begin[p.count] + parts[k].numel() / rows * item / word;
    }
    int64_t length = p.begin[p.count];
    p.length = Divider(length);
    p.narrow = rows * length < (int64_t{1} << 31);
    p.out = at;
    p.row_length = out.numel() / rows * item / word;
    at += length * word;
    over_words(word, [&](auto zero) { run_join<decltype(zero)>(queue, p, rows * length); });
  }
}

/// Parts with elements, along a dimension of the result.
void join(const Call& c, const std::vector<Tensor>& parts, int64_t dim) {
  Tensor out = c.out();
  bool alike = out.is_contiguous() && parts.size() > 1;
  for (const Tensor& t : parts) {
    alike = alike && t.is_contiguous() && t.dtype() == out.dtype() && t.device() == out.device();
  }
  if (alike) {
    int64_t rows = core::numel(core::DimSpan(out.sizes()).first(index(dim)));
    return join_rows(c, out, parts, rows);
  }
  int64_t start = 0;
  for (const Tensor& t : parts) {
    int64_t length = t.size(index(dim));
    copy_elements(c, views::narrow(out, dim, start, length), t);
    start += length;
  }
}

void cat(Call& c) {
  Tensor out = c.out();
  if (out.numel() == 0) return;
  std::vector<Tensor> parts;
  for (const Tensor& t : c.tensors(arg::tensors)) {
    if (t.numel() > 0) parts.push_back(t);
  }
  join(c, parts, core::wrap_dim(c.integer(arg::dim), out.dim()));
}

void stack(Call& c) {
  Tensor out = c.out();
  if (out.numel() == 0) return;
  int64_t dim = core::wrap_dim(c.integer(arg::dim), out.dim());
  std::vector<Tensor> parts;
  for (const Tensor& t : c.tensors(arg::tensors)) parts.push_back(views::unsqueeze(t, dim));
  join(c, parts, dim);
}

/// Sees `out` as (repeats, size) per dimension, over which the source
/// broadcasts.
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
  bool seen = views::view_strides(self.sizes(), self.strides(), narrow).has_value();
  copy_elements(c, views::view(out, wide), views::view(seen ? self : contiguous(c, self), narrow));
}

void flip(Call& c) {
  Tensor self = c.tensor(arg::self);
  auto maps = identity_maps(self);
  for (int64_t d : views::wrap_dims(c.ints(arg::dims), self.dim())) {
    if (self.dim() > 0) maps[index(d)].kind = IndexMap::Kind::reversed;
  }
  rearrange(c, c.out(), self, maps);
}

/// Turns positions right by `shift`, once more.
void turn(IndexMap& map, int64_t shift) {
  if (map.size == 0) return;
  int64_t right = (shift % map.size + map.size) % map.size;
  map.shift = (map.shift + map.size - right) % map.size;
  map.kind = map.shift == 0 ? IndexMap::Kind::shifted : IndexMap::Kind::turned;
}

void roll(Call& c) {
  Tensor self = c.tensor(arg::self), out = c.out();
  if (out.numel() == 0) return;
  Dims shifts = c.ints(arg::shifts), dims = c.ints(arg::dims);
  if (dims.empty()) {
    Tensor flat = views::view(contiguous(c, self), Dims{-1});
    auto maps = identity_maps(flat);
    turn(maps[0], shifts[0]);
    if (out.is_contiguous()) return rearrange(c, views::view(out, Dims{-1}), flat, maps);
    Tensor rolled = Tensor::empty(flat.sizes(), flat.dtype(), c.device());
    rearrange(c, rolled, flat, maps);
    return copy_elements(c, out, views::view(rolled, out.sizes()));
  }
  auto maps = identity_maps(self);
  for (size_t i = 0; i < dims.size() && self.dim() > 0; ++i) {
    turn(maps[index(core::wrap_dim(dims[i], self.dim()))], shifts[i]);
  }
  rearrange(c, out, self, maps);
}

/// Moves frequency 0 to the middle of each dimension (all, or those given), or
/// back. A dimension given twice is moved twice.
template <bool back>
void shift_frequencies(Call& c) {
  Tensor self = c.tensor(arg::self);
  Dims dims = c.ints(arg::dim);
  if (c.is_none(arg::dim)) {
    for (int64_t d = 0; d < self.dim(); ++d) dims.push_back(d);
  }
  auto maps = identity_maps(self);
  for (int64_t dim : dims) {
    IndexMap& map = maps[index(core::wrap_dim(dim, self.dim()))];
    turn(map, back ? (map.size + 1) / 2 : map.size / 2);
  }
  rearrange(c, c.out(), self, maps);
}

/// Keeps what is on the kept side of the diagonal of each matrix, zeros
/// elsewhere.
template <typename Word>
struct TriangleBody {
  std::byte* out;
  const std::byte* self;
  Layout<2> layout;
  Divider columns, rows;
  int64_t diagonal;
  bool lower;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t line = columns.divide(i, layout.narrow), column = i - line * columns.divisor();
    int64_t row = line - rows.divide(line, layout.narrow) * rows.divisor();
    bool kept = lower ? column - row <= diagonal : column - row >= diagonal;
    Offsets<2> at = layout.offsets(i);
    *reinterpret_cast<Word*>(out + at.of[0]) =
        kept ? *reinterpret_cast<const Word*>(self + at.of[1]) : Word{};
  }
};

template <typename Word>
void run_triangle(const Call& c, const Tensor& out, const Tensor& self, int64_t diagonal,
                  bool lower) {
  auto layout = Layout<2>::of(out.sizes(), {out, self}, true);
  if (layout.count == 0) return;
  int64_t rows = self.size(self.sizes().size() - 2), columns = self.sizes().back();
  for_each(queue_of(c), layout.count,
           TriangleBody<Word>{out.device_address(), self.device_address(), layout, Divider(columns),
                              Divider(rows), diagonal, lower});
}

template <bool lower>
void tri(Call& c) {
  Tensor out = c.out();
  over_words(static_cast<int64_t>(out.item_size()), [&](auto zero) {
    run_triangle<decltype(zero)>(c, out, c.tensor(arg::self), c.integer(arg::diagonal), lower);
  });
}

void diag(Call& c) {
  Tensor self = c.tensor(arg::self), out = c.out();
  if (self.dim() == 2)
    return copy_elements(c, out, views::diagonal(self, c.integer(arg::diagonal), 0, 1));
  fill_elements(c, out, 0);
  copy_elements(c, views::diagonal(out, c.integer(arg::diagonal), 0, 1), self);
}

void diag_embed(Call& c) {
  Tensor self = c.tensor(arg::self), out = c.out();
  fill_elements(c, out, 0);
  copy_elements(
      c, views::diagonal(out, c.integer(arg::offset), c.integer(arg::dim1), c.integer(arg::dim2)),
      self);
}

void pad_constant(Call& c) {
  Tensor self = c.tensor(arg::self), filling = Tensor::empty({}, self.dtype());
  Dims pad = c.ints(arg::pad);
  common::fill_elements(filling, c.scalar(arg::value));
  auto maps = identity_maps(self);
  bool grows = false;
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    IndexMap& map = maps[maps.size() - 1 - i];
    map.shift = -pad[2 * i];
    if (pad[2 * i] <= 0 && pad[2 * i + 1] <= 0) continue;
    map.kind = IndexMap::Kind::outside;
    grows = true;
  }
  rearrange(c, c.out(), self, maps, grows ? filling : Tensor());
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

}  // namespace assay::kernels::cuda
