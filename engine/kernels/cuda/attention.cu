// The pieces of PyTorch's fused attention that are no products.

#include <cmath>
#include <limits>

#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/parallel.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::Tensor;
using ops::Call;

/// Rows along one dimension of a row-major tensor.
struct Rows {
  int64_t length = 1;
  int64_t step = 1;  ///< From one element to the next.

  ASSAY_ANYWHERE int64_t place(int64_t row, int64_t i) const {
    return (row / step * length + i) * step + row % step;
  }
  ASSAY_ANYWHERE int64_t row_of(int64_t place) const {
    return place / (step * length) * step + place % step;
  }
};

/// The largest of some numbers, and the sum of the exponentials of how far they are from it.
template <typename A>
struct Exponentials {
  A top, sum;
};

template <typename A>
ASSAY_ANYWHERE A exponential(A x) {
#ifdef __CUDA_ARCH__
  return ::exp(x);
#else
  return std::exp(x);
#endif
}

template <typename T>
struct SumOfExponentials {
  const T* x;
  const core::Bool* mask;
  Exponentials<Accumulated<T>>* out;
  Rows rows;

  using A = Accumulated<T>;
  using Acc = Exponentials<A>;

  static constexpr A infinity = std::numeric_limits<A>::infinity();
  static constexpr A nan = std::numeric_limits<A>::quiet_NaN();

  ASSAY_ANYWHERE Acc start() const { return {-infinity, A(0)}; }
  ASSAY_ANYWHERE Acc load(int64_t row, int64_t i) const {
    int64_t at = rows.place(row, i);
    if (mask[at].bits != 0) return start();
    A value = convert<A>(x[at]);
    if (value != value) return {-infinity, nan};
    return {value, value == infinity ? nan : A(1)};
  }
  ASSAY_ANYWHERE Acc join(Acc a, Acc b) const {
    A top = a.top > b.top ? a.top : b.top;
    return {top, scaled(a, top) + scaled(b, top)};
  }
  ASSAY_ANYWHERE void finish(int64_t row, Acc total) const {
    // Infinitely far below zero no element is at a distance from the others.
    if (total.top == -infinity && total.sum > 0) total.sum = nan;
    out[row] = total;
  }

 private:
  ASSAY_ANYWHERE A scaled(Acc a, A top) const {
    return a.top == top ? a.sum : a.sum * exponential(a.top - top);
  }
};

template <typename T>
struct Weights {
  const T* x;
  const core::Bool* mask;
  const Exponentials<Accumulated<T>>* sums;
  T* out;
  Rows rows;

  ASSAY_ANYWHERE void operator()(int64_t at) const {
    using A = Accumulated<T>;
    auto total = sums[rows.row_of(at)];
    A shown = mask[at].bits != 0 ? A(0) : exponential(convert<A>(x[at]) - total.top);
    out[at] = convert<T>(shown / total.sum);
  }
};

template <typename T>
T* data_of(const Tensor& t) {
  return reinterpret_cast<T*>(t.device_address());
}

template <typename T>
void run_softmax(const Call& c, const Tensor& x, const Tensor& mask, Rows rows) {
  int64_t count = x.numel(), number = count / rows.length;
  using Sums = Exponentials<Accumulated<T>>;
  Tensor room = scratch(c, number * static_cast<int64_t>(sizeof(Sums)));
  auto* sums = data_of<Sums>(room);
  Queue queue = queue_of(c);
  const auto* hidden = data_of<core::Bool>(mask);
  reduce(c, queue, number, rows.length, SumOfExponentials<T>{data_of<T>(x), hidden, sums, rows});
  for_each(queue, count, Weights<T>{data_of<T>(x), hidden, sums, data_of<T>(c.out()), rows});
}

/// Softmax over one dimension of the elements whose mask is false; masked ones give 0, and a row
/// that is masked altogether gives NaN.
void masked_softmax(Call& c) {
  Tensor x = contiguous(c, c.tensor(arg::self)), mask = contiguous(c, c.tensor(arg::mask));
  auto dim = static_cast<size_t>(core::wrap_dim(c.integer_or(arg::dim, x.dim() - 1), x.dim()));
  if (x.numel() == 0) return;
  Rows rows;
  if (x.dim() > 0) rows.length = x.size(dim);
  for (size_t d = dim + 1; d < x.sizes().size(); ++d) rows.step *= x.size(d);
  common::over_floating(x.dtype(), "masked_softmax",
                        [&](auto zero) { run_softmax<decltype(zero)>(c, x, mask, rows); });
}

/// Elements in the order of the projections, in which threads read them side by side.
template <typename T>
struct SplitHeads {
  const T* qkv;
  const T* bias;
  T* out[3];
  int64_t time, heads, width;
  Accumulated<T> scale;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t columns = 3 * heads * width, row = i / columns, column = i - row * columns;
    int64_t k = column % width, head = column / width, part = head / heads;
    int64_t n = row / time, t = row - n * time, h = head - part * heads;
    auto value = convert<Accumulated<T>>(qkv[i]) + convert<Accumulated<T>>(bias[column]);
    if (part == 0) value *= scale;
    out[part][((n * heads + h) * time + t) * width + k] = convert<T>(value);
  }
};

template <typename T>
void run_split(const Call& c, const Tensor& qkv, const Tensor& bias) {
  double width = static_cast<double>(c.out().size(3));
  SplitHeads<T> body{data_of<T>(qkv),
                     data_of<T>(bias),
                     {data_of<T>(c.out(0)), data_of<T>(c.out(1)), data_of<T>(c.out(2))},
                     qkv.size(1),
                     c.integer(arg::num_heads),
                     c.out().size(3),
                     static_cast<Accumulated<T>>(1 / std::sqrt(width))};
  for_each(queue_of(c), qkv.numel(), body);
}

/// Adds the bias, splits into query, key and value by heads, and scales the query by
/// 1 / sqrt(width).
void rescale_qkv(Call& c) {
  Tensor qkv = contiguous(c, c.tensor(arg::qkv)), bias = c.tensor(arg::qkv_bias);
  if (qkv.numel() == 0) return;
  if (bias.dtype() != qkv.dtype()) {
    Tensor cast = Tensor::empty(bias.sizes(), qkv.dtype(), bias.device());
    copy_elements(c, cast, bias);
    bias = cast;
  }
  bias = contiguous(c, bias);
  common::over_floating(qkv.dtype(), "transform_bias_rescale_qkv",
                        [&](auto zero) { run_split<decltype(zero)>(c, qkv, bias); });
}

constexpr ops::Kernel attention_table[] = {
    {"aten::_masked_softmax", masked_softmax},
    {"aten::_transform_bias_rescale_qkv", rescale_qkv},
};

}  // namespace

std::span<const ops::Kernel> attention_kernels() { return attention_table; }

}  // namespace assay::kernels::cuda
