// Sorts along a dimension, and what is picked from the order: the first elements, medians, modes.

#include <limits>

#include "engine/base/error.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/ordering.h"
#include "engine/kernels/cuda/rows.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/infer/reduction.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

/// Keys of elements that `where.at(row, i)` finds.
template <typename Where>
struct KeysOf {
  Where where;
  DType dtype;
  int used_bits;
  uint64_t flipped;  ///< All used bits, for a descending order.

  KeysOf(const Where& w, DType type, bool descending)
      : where(w), dtype(type), used_bits(key_bits(type)), flipped(0) {
    if (descending) flipped = ~uint64_t{0} >> (64 - used_bits);
  }
  ASSAY_ANYWHERE int bits() const { return used_bits; }
  ASSAY_ANYWHERE uint64_t key(int64_t row, int64_t i) const {
    return key_at(where.at(row, i), dtype) ^ flipped;
  }
};

ASSAY_ANYWHERE void move_element(std::byte* to, const std::byte* from, size_t size) {
  switch (size) {
    case 1:
      *to = *from;
      return;
    case 2:
      *reinterpret_cast<uint16_t*>(to) = bits_at<uint16_t>(from);
      return;
    case 4:
      *reinterpret_cast<uint32_t*>(to) = bits_at<uint32_t>(from);
      return;
    default:
      *reinterpret_cast<uint64_t*>(to) = bits_at<uint64_t>(from);
  }
}

/// The `kept` first elements of each row, and their indices.
struct WriteSorted {
  Lines<3> lines;  ///< The input, values and indices.
  size_t item_size;
  int64_t kept;

  ASSAY_ANYWHERE void write(int64_t row, int64_t place, int64_t index) const {
    if (place >= kept) return;
    Offsets<3> at = lines.kept.offsets(row);
    move_element(lines.at(1, at, place), lines.at(0, at, index), item_size);
    *reinterpret_cast<int64_t*>(lines.at(2, at, place)) = index;
  }
};

void write_sorted(Call& c, bool descending, int64_t kept) {
  Tensor in = c.tensor(arg::self);
  if (c.out(0).numel() == 0) return;
  int64_t dim = in.dim() == 0 ? 0 : core::wrap_dim(c.integer(arg::dim), in.dim());
  auto lines = Lines<3>::of({in, c.out(0), c.out(1)}, dim);
  KeysOf<Lines<3>> keys(lines, in.dtype(), descending);
  order_rows(c, queue_of(c), lines.rows, lines.length, keys,
             WriteSorted{lines, in.item_size(), kept});
}

void sort(Call& c) {
  write_sorted(c, c.boolean(arg::descending), std::numeric_limits<int64_t>::max());
}

void topk(Call& c) {
  int64_t k = c.integer(arg::k);
  base::check(c.tensor(arg::self).dim() > 0 || k == 1, "topk of a tensor without dimensions: k is ",
              k, ", but there is one element");
  write_sorted(c, c.boolean(arg::largest), k);
}

/// Values and indices of one element of each row.
struct Picked {
  Reduced<2> rows;
  size_t item_size;
  bool with_index;

  Picked(Call& c, const Tensor& values, const Tensor& indices)
      : rows(Reduced<2>::of(c.tensor(arg::self), ops::infer::reduction_of(c).reduced,
                            {values, indices ? indices : values}, true)),
        item_size(values.item_size()),
        with_index(indices.defined()) {}

  ASSAY_ANYWHERE void write(int64_t row, int64_t index) const {
    Offsets<3> at = rows.kept.offsets(row);
    move_element(rows.out[0] + at.of[1], rows.at(row, index), item_size);
    if (with_index) *reinterpret_cast<int64_t*>(rows.out[1] + at.of[2]) = index;
  }
  ASSAY_ANYWHERE uint64_t key(int64_t row, int64_t index) const {
    return key_at(rows.at(row, index), rows.dtype);
  }
  KeysOf<Reduced<2>> keys() const { return {rows, rows.dtype, false}; }
};

struct WritePlace {
  Picked picked;
  int64_t wanted;
  ASSAY_ANYWHERE void write(int64_t row, int64_t place, int64_t index) const {
    if (place == wanted) picked.write(row, index);
  }
};

void kthvalue(Call& c) {
  Tensor in = c.tensor(arg::self);
  int64_t k = c.integer(arg::k);
  int64_t dim = core::wrap_dim(c.integer(arg::dim), in.dim());
  int64_t length = in.dim() == 0 ? 1 : in.size(static_cast<size_t>(dim));
  base::check(k >= 1 && k <= length, "kthvalue(): selected number k out of range for dimension ",
              dim);
  Picked picked(c, c.out(0), c.out(1));
  order_rows(c, queue_of(c), picked.rows.rows, picked.rows.length, picked.keys(),
             WritePlace{picked, k - 1});
}

/// The whole order of each row, for kernels that look for something in it.
struct WriteIndices {
  int64_t length;
  uint32_t* order;
  ASSAY_ANYWHERE void write(int64_t row, int64_t place, int64_t index) const {
    order[row * length + place] = static_cast<uint32_t>(index);
  }
};

struct InOrder {
  Picked picked;
  const uint32_t* order;

  ASSAY_ANYWHERE int64_t index(int64_t row, int64_t place) const {
    return order[row * picked.rows.length + place];
  }
  ASSAY_ANYWHERE uint64_t key(int64_t row, int64_t place) const {
    return picked.key(row, index(row, place));
  }
  /// The first place with a key that is not below this one.
  ASSAY_ANYWHERE int64_t first_place(int64_t row, uint64_t key_sought) const {
    int64_t low = 0, high = picked.rows.length;
    while (low < high) {
      int64_t middle = low + (high - low) / 2;
      key(row, middle) < key_sought ? low = middle + 1 : high = middle;
    }
    return low;
  }
};

/// Sorts rows; `order` is memory that the result needs while kernels use it.
InOrder in_order(Call& c, const Picked& picked, Tensor& order) {
  const Reduced<2>& rows = picked.rows;
  order = scratch(c, rows.rows * rows.length * static_cast<int64_t>(sizeof(uint32_t)));
  auto* indices = reinterpret_cast<uint32_t*>(order.device_address());
  order_rows(c, queue_of(c), rows.rows, rows.length, picked.keys(),
             WriteIndices{rows.length, indices});
  return {picked, indices};
}

/// The lower of the middle elements. NaN wins, or, with `ignore_nan`, is left out.
struct MedianOfRow {
  InOrder in;
  bool ignore_nan, floating;
  uint64_t key_of_nan;

  ASSAY_ANYWHERE void operator()(int64_t row) const {
    int64_t length = in.picked.rows.length;
    int64_t numbers = floating ? in.first_place(row, key_of_nan) : length;
    int64_t kept = ignore_nan ? numbers : length;
    int64_t place = kept == 0 ? 0 : (kept - 1) / 2;
    if (!ignore_nan && numbers < length) place = numbers;
    in.picked.write(row, in.index(row, place));
  }
};

void find_median(Call& c, const Tensor& values, const Tensor& indices, bool ignore_nan) {
  Picked picked(c, values, indices);
  if (picked.rows.rows == 0) return;
  Tensor order;
  InOrder in = in_order(c, picked, order);
  uint64_t nan = ~uint64_t{0} >> (64 - key_bits(picked.rows.dtype));
  for_each(queue_of(c), picked.rows.rows,
           MedianOfRow{in, ignore_nan, core::is_floating(picked.rows.dtype), nan});
}

/// The median of all elements; of none, NaN or the lowest integer.
template <bool ignore_nan>
void median(Call& c) {
  if (c.tensor(arg::self).numel() > 0) return find_median(c, c.out(), {}, ignore_nan);
  auto nan = std::numeric_limits<double>::quiet_NaN();
  fill_elements(c, c.out(), core::is_floating(c.out().dtype()) ? nan : -0x1p63);
}

template <bool ignore_nan>
void median_along(Call& c) {
  find_median(c, c.out(0), c.out(1), ignore_nan);
}

/// The smallest of the most frequent elements, at the last of its indices. No NaN is equal to
/// another.
struct ModeOfRow {
  struct Acc {
    int64_t count, last_place;
  };
  [[maybe_unused]] static constexpr int at_once = 1;
  InOrder in;
  bool floating;
  uint64_t key_of_nan;

  ASSAY_ANYWHERE Acc start() const { return {0, 0}; }
  ASSAY_ANYWHERE Acc load(int64_t row, int64_t place) const {
    uint64_t key = in.key(row, place);
    if (floating && key == key_of_nan) return {1, place};
    bool ends = place + 1 == in.picked.rows.length || in.key(row, place + 1) != key;
    return ends ? Acc{place + 1 - in.first_place(row, key), place} : start();
  }
  ASSAY_ANYWHERE Acc join(Acc a, Acc b) const {
    if (a.count != b.count) return a.count > b.count ? a : b;
    return a.last_place < b.last_place ? a : b;
  }
  ASSAY_ANYWHERE void finish(int64_t row, Acc total) const {
    in.picked.write(row, in.index(row, total.last_place));
  }
};

void mode(Call& c) {
  Picked picked(c, c.out(0), c.out(1));
  if (picked.rows.rows == 0) return;
  Tensor order;
  InOrder in = in_order(c, picked, order);
  uint64_t nan = ~uint64_t{0} >> (64 - key_bits(picked.rows.dtype));
  reduce(c, queue_of(c), picked.rows.rows, picked.rows.length,
         ModeOfRow{in, core::is_floating(picked.rows.dtype), nan});
}

constexpr ops::Kernel sorts_table[] = {
    {"aten::sort", sort},
    {"aten::sort.stable", sort},
    {"aten::topk", topk},
    {"aten::kthvalue", kthvalue},
    {"aten::median", median<false>},
    {"aten::nanmedian", median<true>},
    {"aten::median.dim", median_along<false>},
    {"aten::nanmedian.dim", median_along<true>},
    {"aten::mode", mode},
};

}  // namespace

std::span<const ops::Kernel> sort_kernels() { return sorts_table; }

}  // namespace assay::kernels::cuda
