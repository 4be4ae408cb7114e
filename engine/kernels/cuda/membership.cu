// How often integers occur, whether elements are among others, and whether tensors are equal.

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/ordering.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/promotion.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

/// The smallest and the largest of integers.
struct Range {
  struct Acc {
    int64_t least, most;
  };
  const std::byte* data;
  DType dtype;
  Layout<1> layout;
  int64_t* found;

  ASSAY_ANYWHERE Acc start() const { return {INT64_MAX, INT64_MIN}; }
  ASSAY_ANYWHERE Acc load(int64_t, int64_t i) const {
    auto v = cuda::load<int64_t>(data + layout.offsets(i).of[0], dtype);
    return {v, v};
  }
  ASSAY_ANYWHERE Acc join(Acc a, Acc b) const {
    return {a.least < b.least ? a.least : b.least, a.most > b.most ? a.most : b.most};
  }
  ASSAY_ANYWHERE void finish(int64_t, Acc total) const {
    found[0] = total.least;
    found[1] = total.most;
  }
};

/// Counts, or the sums of weights in double.
struct CountBody {
  const std::byte* data;
  DType dtype;
  const std::byte* weights;  ///< May be null.
  DType weights_dtype;
  Layout<2> layout;
  std::byte* out;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<2> at = layout.offsets(i);
    auto bin = load<int64_t>(data + at.of[0], dtype);
    if (weights)
      atomic_add(reinterpret_cast<double*>(out) + bin,
                 load<double>(weights + at.of[1], weights_dtype));
    else
      atomic_add(reinterpret_cast<int64_t*>(out) + bin, int64_t{1});
  }
};

/// How many bins the integers need. The host waits for that.
int64_t bins_for(Call& c, const Tensor& in) {
  int64_t bins = c.integer(arg::minlength);
  if (in.numel() == 0) return bins;
  Tensor found = c.new_empty(core::Dims{2}, DType::int64);
  Range range{in.device_address(), in.dtype(), Layout<1>::of(in.sizes(), {in}),
              found.device_data<int64_t>()};
  reduce(c, queue_of(c), 1, in.numel(), range);
  auto both = core::elements(found);
  base::check(both[0].to_int() >= 0, "bincount only supports 1-d non-negative integral inputs.");
  return std::max(bins, base::checked_add(both[1].to_int(), 1));
}

/// How often each non-negative integer occurs, or the sum of its weights.
void bincount(Call& c) {
  Tensor in = c.tensor(arg::self), weights = c.tensor(arg::weights);
  base::check(in.dim() == 1 || in.numel() == 0,
              "bincount only supports 1-d non-negative integral inputs.");
  base::check(!weights || (weights.dim() == 1 && weights.numel() == in.numel()),
              "weights should be 1-d and have the same length as input");
  c.synchronized();
  core::Dims sizes{bins_for(c, in)};
  DType summed = weights ? DType::float64 : DType::int64;
  Tensor sums = c.new_empty(sizes, summed);
  fill_elements(c, sums, core::Scalar(int64_t{0}));
  if (in.numel() > 0) {
    CountBody body{in.device_address(),
                   in.dtype(),
                   weights ? weights.device_address() : nullptr,
                   weights ? weights.dtype() : DType::float32,
                   Layout<2>::of(in.sizes(), {in, weights ? weights : in}),
                   sums.device_address()};
    for_each(queue_of(c), in.numel(), body);
  }
  if (!weights || weights.dtype() != DType::float32) return c.finish(core::Value(sums));
  Tensor out = c.new_empty(sizes, DType::float32);
  copy_elements(c, out, sums);
  c.finish(core::Value(out));
}

/// Elements cast to a type.
template <typename C>
struct CastElements {
  Operand operand;
  DType as;
  Layout<2> layout;  ///< The operand is the second.

  ASSAY_ANYWHERE C value(int64_t offset) const {
    C v = load<C>(operand.at(offset), operand.dtype);
    return operand.dtype == as ? v : rounded_to<C>(as, v);
  }
  ASSAY_ANYWHERE static uint64_t key_of(C value, DType as) {
    alignas(8) std::byte room[8]{};
    store(room, as, value);
    return key_at(room, as);
  }
};

template <typename C>
struct KeysOfOthers {
  CastElements<C> others;
  int used_bits;
  ASSAY_ANYWHERE int bits() const { return used_bits; }
  ASSAY_ANYWHERE uint64_t key(int64_t, int64_t i) const {
    return others.key_of(others.value(others.layout.offsets(i).of[1]), others.as);
  }
};

template <typename C>
struct WriteKeys {
  KeysOfOthers<C> keys;
  uint64_t* sorted;
  ASSAY_ANYWHERE void write(int64_t row, int64_t place, int64_t index) const {
    sorted[place] = keys.key(row, index);
  }
};

/// NaN is among nothing.
template <typename C>
struct IsAmong {
  CastElements<C> elements;
  const uint64_t* sorted;
  int64_t count;
  bool invert;
  std::byte* out;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<2> at = elements.layout.offsets(i);
    C value = elements.value(at.of[1]);
    bool found = false;
    if (value == value) {
      uint64_t key = elements.key_of(value, elements.as);
      int64_t low = 0, high = count;
      while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (sorted[middle] < key)
          low = middle + 1;
        else
          high = middle;
      }
      found = low < count && sorted[low] == key;
    }
    reinterpret_cast<core::Bool*>(out + at.of[0])->bits = found != invert;
  }
};

template <typename C>
void run_isin(Call& c, DType common, const Tensor& out) {
  Tensor elements = c.tensor(arg::elements), others = c.tensor(arg::test_elements);
  if (out.numel() == 0) return;
  int64_t count = others.numel();
  Tensor sorted = c.new_empty(core::Dims{count}, DType::int64);
  auto* keys = reinterpret_cast<uint64_t*>(sorted.device_address());
  Queue queue = queue_of(c);
  if (count > 0) {
    KeysOfOthers<C> source{
        {Operand(others), common, Layout<2>::of(others.sizes(), {others, others})},
        key_bits(common)};
    order_rows(c, queue, 1, count, source, WriteKeys<C>{source, keys});
  }
  CastElements<C> wanted{Operand(elements), common, Layout<2>::of(out.sizes(), {out, elements})};
  for_each(queue, out.numel(),
           IsAmong<C>{wanted, keys, count, c.boolean(arg::invert), out.device_address()});
}

/// Whether each element is among the others.
void isin(Call& c) {
  Tensor elements = c.tensor(arg::elements), others = c.tensor(arg::test_elements);
  DType common = ops::result_type(std::array{elements, others}, c.context.default_dtype);
  Tensor out = c.new_empty(elements.sizes(), DType::boolean);
  if (core::is_complex(common))
    base::fail("Unsupported input type encountered for isin(): ", core::script_name(common));
  if (core::is_integral(common, true))
    run_isin<int64_t>(c, common, out);
  else if (common == DType::float64)
    run_isin<double>(c, common, out);
  else
    run_isin<float>(c, common, out);
  c.finish(core::Value(out));
}

template <typename C>
struct Differences {
  Operand a, b;
  Layout<2> layout;
  int64_t* found;

  ASSAY_ANYWHERE int64_t start() const { return 0; }
  ASSAY_ANYWHERE int64_t load(int64_t, int64_t i) const {
    Offsets<2> at = layout.offsets(i);
    return !(cuda::load<C>(a.at(at.of[0]), a.dtype) == cuda::load<C>(b.at(at.of[1]), b.dtype));
  }
  ASSAY_ANYWHERE int64_t join(int64_t x, int64_t y) const { return x + y; }
  ASSAY_ANYWHERE void finish(int64_t, int64_t total) const { *found = total; }
};

template <typename C>
bool differ(Call& c, const Tensor& a, const Tensor& b) {
  Tensor found = c.new_empty(core::Dims{1}, DType::int64);
  Differences<C> differences{Operand(a), Operand(b), Layout<2>::of(a.sizes(), {a, b}),
                             found.device_data<int64_t>()};
  reduce(c, queue_of(c), 1, a.numel(), differences);
  return core::first_element(found).to_int() > 0;
}

/// Same shape and equal elements; NaN equals nothing.
void equal(Call& c) {
  Tensor a = c.tensor(arg::self), b = c.tensor(arg::other);
  base::check(a.dtype() == b.dtype(), "Expected object of data type ", core::script_name(a.dtype()),
              " but got data type ", core::script_name(b.dtype()),
              " for argument 'other' in call to equal");
  c.synchronized();
  if (a.sizes() != b.sizes()) return c.finish(core::Value(false));
  if (a.numel() == 0) return c.finish(core::Value(true));
  DType dtype = a.dtype();
  bool differs = core::is_complex(dtype)    ? differ<Complex<double>>(c, a, b)
                 : core::is_floating(dtype) ? differ<double>(c, a, b)
                                            : differ<int64_t>(c, a, b);
  c.finish(core::Value(!differs));
}

constexpr ops::Kernel membership_table[] = {
    {"aten::bincount", bincount},
    {"aten::isin.Tensor_Tensor", isin},
    {"aten::equal", equal},
};

}  // namespace

std::span<const ops::Kernel> membership_kernels() { return membership_table; }

}  // namespace assay::kernels::cuda
