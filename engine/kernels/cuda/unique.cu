// Distinct elements and slices, counts of integers, and whether elements are among others.

#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/layout.h"
#include "engine/kernels/cuda/merge_sort.h"
#include "engine/kernels/cuda/ordering.h"
#include "engine/kernels/cuda/scan.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

Tensor int_tensor(const Call& c, int64_t count) {
  return c.new_empty(core::Dims{count}, DType::int64);
}

// Comparisons are kept out of the sort, which would have them in many places.
#ifdef __CUDACC__
#define ASSAY_APART __noinline__
#else
#define ASSAY_APART
#endif

/// How one element stands to another.
enum class Order { less, equal, greater, neither };

template <typename C>
ASSAY_ANYWHERE Order order_as(const std::byte* a, const std::byte* b, DType dtype) {
  C x = load<C>(a, dtype), y = load<C>(b, dtype);
  if (x == y) return Order::equal;
  if constexpr (!is_complex_type<C>) {
    if (x < y) return Order::less;
    if (y < x) return Order::greater;
  }
  return Order::neither;
}

ASSAY_APART ASSAY_ANYWHERE Order order_of(const std::byte* a, const std::byte* b, DType dtype) {
  switch (dtype) {
    case DType::float32:
    case DType::float64:
    case DType::float16:
    case DType::bfloat16:
      return order_as<double>(a, b, dtype);
    case DType::complex64:
    case DType::complex128:
      return order_as<Complex<double>>(a, b, dtype);
    default:
      return order_as<int64_t>(a, b, dtype);
  }
}

/// Slices of a tensor, each of `length` elements in row-major order.
struct Slices {
  const std::byte* data;
  DType dtype;
  int64_t count, step;  ///< The step from slice to slice, in bytes.
  int64_t length;
  Layout<1> inside;

  /// Along the first dimension.
  static Slices of(const Tensor& t) {
    Slices s{t.device_address(), t.dtype(), t.size(0), 0, 0, {}};
    s.step = t.stride(0) * static_cast<int64_t>(t.item_size());
    if (t.numel() == 0) return s;
    core::Dims sizes = t.sizes(), strides = t.strides();
    sizes.erase(0);
    strides.erase(0);
    s.inside = Layout<1>::of(sizes, {t.view(sizes, strides, t.offset())}, true);
    s.length = s.inside.count;
    return s;
  }
  /// Each element is a slice.
  static Slices of_elements(const Tensor& t) {
    Slices s{t.device_address(), t.dtype(), t.numel(), 0, 1, {}};
    s.inside = Layout<1>::of(t.sizes(), {t}, true);
    return s;
  }
  /// Slices of elements lie as the layout says, others by the step.
  ASSAY_ANYWHERE const std::byte* at(int64_t slice, int64_t i) const {
    return data + (step == 0 && length == 1 ? inside.offsets(slice).of[0]
                                            : slice * step + inside.offsets(i).of[0]);
  }
  ASSAY_APART ASSAY_ANYWHERE bool same(int64_t a, int64_t b) const {
    for (int64_t i = 0; i < length; ++i) {
      if (order_of(at(a, i), at(b, i), dtype) != Order::equal) return false;
    }
    return true;
  }
  ASSAY_APART ASSAY_ANYWHERE bool less(int64_t a, int64_t b) const {
    for (int64_t i = 0; i < length; ++i) {
      Order order = order_of(at(a, i), at(b, i), dtype);
      if (order == Order::less || order == Order::greater) return order == Order::less;
    }
    return false;
  }
};

struct Counting {
  uint32_t* order;
  ASSAY_ANYWHERE void operator()(int64_t i) const { order[i] = static_cast<uint32_t>(i); }
};

struct ElementKeys {
  Slices slices;
  int used_bits;
  ASSAY_ANYWHERE int bits() const { return used_bits; }
  ASSAY_ANYWHERE uint64_t key(int64_t, int64_t i) const {
    return key_at(slices.at(i, 0), slices.dtype);
  }
};

struct WriteOrderOfElements {
  uint32_t* order;
  ASSAY_ANYWHERE void write(int64_t, int64_t place, int64_t index) const {
    order[place] = static_cast<uint32_t>(index);
  }
};

struct SliceIsLess {
  Slices slices;
  ASSAY_ANYWHERE bool operator()(uint32_t a, uint32_t b) const { return slices.less(a, b); }
};

/// Numbers each place in the order by the distinct slices up to it, from 1 on; the last number is
/// kept by itself.
struct NumberDistinct {
  [[maybe_unused]] static constexpr int at_once = 1;
  Slices slices;
  const uint32_t* order;
  int64_t* numbers;
  int64_t* distinct;

  bool neighbours_are_rows() const { return false; }
  ASSAY_ANYWHERE int64_t start() const { return 0; }
  ASSAY_ANYWHERE int64_t load(int64_t, int64_t i) const {
    return i == 0 || !slices.same(order[i - 1], order[i]);
  }
  ASSAY_ANYWHERE int64_t join(int64_t a, int64_t b) const { return a + b; }
  ASSAY_ANYWHERE void finish(int64_t, int64_t) const {}
  ASSAY_ANYWHERE void store(int64_t, int64_t i, int64_t number) const {
    numbers[i] = number;
    if (i + 1 == slices.count) *distinct = number;
  }
};

/// Where the places of each distinct slice begin, and of which each slice is one.
struct WriteDistinct {
  const uint32_t* order;
  const int64_t* numbers;
  int64_t* begins;
  int64_t* inverse;  ///< May be null.

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t number = numbers[i] - 1;
    if (i == 0 || numbers[i - 1] != numbers[i]) begins[number] = i;
    if (inverse) inverse[order[i]] = number;
  }
};

struct WriteCounts {
  const int64_t* begins;
  int64_t distinct, all;
  int64_t* counts;
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    counts[i] = (i + 1 < distinct ? begins[i + 1] : all) - begins[i];
  }
};

ASSAY_ANYWHERE void move_bytes(std::byte* to, const std::byte* from, int64_t size) {
  for (int64_t b = 0; b < size; ++b) to[b] = from[b];
}

struct CopyDistinct {
  Slices from, to;
  const uint32_t* order;
  const int64_t* begins;
  int64_t item_size;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t slice = i / from.length, element = i - slice * from.length;
    auto* target = const_cast<std::byte*>(to.at(slice, element));
    move_bytes(target, from.at(order[begins[slice]], element), item_size);
  }
};

/// Slices in an order in which equal ones are neighbours, if they are to be sorted.
struct Distinct {
  Tensor order, numbers, begins;
  int64_t count = 0;  ///< How many distinct slices there are.
  Tensor inverse;
};

uint32_t* order_in(const Tensor& t) { return reinterpret_cast<uint32_t*>(t.device_address()); }

void sort_slices(const Call& c, const Queue& queue, const Slices& slices, bool elements,
                 uint32_t* order) {
  if (elements) {
    ElementKeys keys{slices, key_bits(slices.dtype)};
    return order_rows(c, queue, 1, slices.count, keys, WriteOrderOfElements{order});
  }
  for_each(queue, slices.count, Counting{order});
  merge_sort(c, queue, order, slices.count, SliceIsLess{slices});
}

/// `inverse_sizes`: of the inverse, where it is asked for. The host waits for the count.
Distinct distinct_of(const Call& c, const Slices& slices, bool elements, bool sort,
                     const core::Dims* inverse_sizes) {
  Distinct d;
  d.inverse = inverse_sizes ? c.new_empty(*inverse_sizes, DType::int64) : int_tensor(c, 0);
  if (slices.count >= (int64_t{1} << 32))
    base::unsupported("distinct ones of ", slices.count, " slices on a device");
  if (slices.count == 0) return d;
  Queue queue = queue_of(c);
  d.order = scratch(c, slices.count * static_cast<int64_t>(sizeof(uint32_t)));
  d.numbers = int_tensor(c, slices.count);
  Tensor last = int_tensor(c, 1);
  if (sort && !core::is_complex(slices.dtype))
    sort_slices(c, queue, slices, elements, order_in(d.order));
  else
    for_each(queue, slices.count, Counting{order_in(d.order)});
  int64_t* numbers = d.numbers.device_data<int64_t>();
  scan_rows(c, queue, 1, slices.count,
            NumberDistinct{slices, order_in(d.order), numbers, last.device_data<int64_t>()});
  d.count = core::first_element(last).to_int();
  d.begins = int_tensor(c, d.count);
  for_each(queue, slices.count,
           WriteDistinct{order_in(d.order), numbers, d.begins.device_data<int64_t>(),
                         inverse_sizes ? d.inverse.device_data<int64_t>() : nullptr});
  return d;
}

/// A result that was not asked for is an empty tensor.
Tensor counts_of(const Call& c, const Distinct& d, int64_t all, bool asked) {
  Tensor counts = int_tensor(c, asked ? d.count : 0);
  if (counts.numel() > 0)
    for_each(
        queue_of(c), d.count,
        WriteCounts{d.begins.device_data<int64_t>(), d.count, all, counts.device_data<int64_t>()});
  return counts;
}

void copy_distinct(const Call& c, const Distinct& d, const Slices& from, const Slices& to,
                   int64_t item_size) {
  if (d.count == 0) return;
  for_each(queue_of(c), d.count * from.length,
           CopyDistinct{from, to, order_in(d.order), d.begins.device_data<int64_t>(), item_size});
}

/// Distinct elements of a flattened tensor: sorted, or only neighbours compared.
void unique_elements(Call& c, bool sort, bool inverse, bool counts, bool with_counts) {
  Tensor in = c.tensor(arg::self);
  c.synchronized();
  auto slices = Slices::of_elements(in);
  core::Dims sizes = in.sizes();
  Distinct d = distinct_of(c, slices, true, sort, inverse ? &sizes : nullptr);
  Tensor out = c.new_empty(core::Dims{d.count}, in.dtype());
  copy_distinct(c, d, slices, Slices::of_elements(out), static_cast<int64_t>(in.item_size()));
  core::Values results{core::Value(out), core::Value(d.inverse)};
  if (with_counts) results.emplace_back(counts_of(c, d, slices.count, counts));
  c.finish(std::move(results));
}

/// The dimension in the place of the first.
Tensor with_first(const Tensor& t, size_t dim) {
  core::Dims sizes = t.sizes(), strides = t.strides();
  std::swap(sizes[0], sizes[dim]);
  std::swap(strides[0], strides[dim]);
  return t.view(sizes, strides, t.offset());
}

/// Distinct slices along a dimension, compared element by element. Inverse and counts are given
/// whether they were asked for or not.
void unique_slices(Call& c, bool sort) {
  Tensor in = c.tensor(arg::self);
  c.synchronized();
  auto dim = static_cast<size_t>(core::wrap_dim(c.integer(arg::dim), in.dim()));
  base::check(in.dim() > 0, "unique_dim: the tensor has no dimension");
  base::check(
      in.size(dim) == 0 || in.numel() > 0,
      "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
  auto slices = Slices::of(with_first(in, dim));
  core::Dims inverse_sizes{slices.count}, sizes = in.sizes();
  Distinct d = distinct_of(c, slices, false, sort, &inverse_sizes);
  sizes[dim] = d.count;
  Tensor out = c.new_empty(sizes, in.dtype());
  if (d.count > 0)
    copy_distinct(c, d, slices, Slices::of(with_first(out, dim)),
                  static_cast<int64_t>(in.item_size()));
  c.finish(
      {core::Value(out), core::Value(d.inverse), core::Value(counts_of(c, d, slices.count, true))});
}

void unique(Call& c) { unique_elements(c, true, c.boolean(arg::return_inverse), false, false); }
// _unique2 gives the inverse whenever counts are asked for.
void unique2(Call& c) {
  unique_elements(c, true, c.boolean(arg::return_inverse) || c.boolean(arg::return_counts),
                  c.boolean(arg::return_counts), true);
}
void unique_consecutive(Call& c) {
  if (!c.is_none(arg::dim)) return unique_slices(c, false);
  unique_elements(c, false, c.boolean(arg::return_inverse), c.boolean(arg::return_counts), true);
}
void unique_dim(Call& c) { unique_slices(c, true); }
void unique_dim_consecutive(Call& c) { unique_slices(c, false); }

constexpr ops::Kernel unique_table[] = {
    {"aten::_unique", unique},
    {"aten::_unique2", unique2},
    {"aten::unique_consecutive", unique_consecutive},
    {"aten::unique_dim", unique_dim},
    {"aten::unique_dim_consecutive", unique_dim_consecutive},
};

}  // namespace

std::span<const ops::Kernel> unique_kernels() { return unique_table; }

}  // namespace assay::kernels::cuda
