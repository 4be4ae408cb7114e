// Dropout in one pass, with the numbers that PyTorch's fused kernel draws.

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/draw_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

/// What each thread does at once: `width` elements that lie side by side, of as many numbers. Of a
/// width of 1 it does four that are apart.
template <typename T, int width>
struct DropoutBody {
  using W = Computed<T>;
  static constexpr int fours = (width + 3) / 4;
  static constexpr int elements = width == 1 ? 4 : width;

  PhiloxDraws draws;
  int64_t threads;
  const std::byte* from;
  std::byte *to, *mask;
  Layout<3> layout;  ///< Of the result, the mask and the input.
  W keep, scale;

  ASSAY_ANYWHERE void drop(int64_t element, float number) const {
    Offsets<3> at = layout.offsets(element);
    W kept = static_cast<W>(number) < keep ? W(1) : W(0);
    W value = convert<W>(*reinterpret_cast<const T*>(from + at.of[2]));
    *reinterpret_cast<T*>(to + at.of[0]) = convert<T>(value * kept * scale);
    *reinterpret_cast<uint8_t*>(mask + at.of[1]) = kept != 0;
  }
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t turn = i / threads, thread = i - turn * threads;
    for (int f = 0; f < fours; ++f) {
      float numbers[4];
      UniformDraw<float>::make(draws.of(thread, turn * fours + f), numbers);
      for (int k = 0; k < 4 && 4 * f + k < elements; ++k) {
        int64_t element = width == 1 ? thread + threads * (k + 4 * turn)
                                     : (thread + threads * turn) * width + 4 * f + k;
        if (element < layout.count) drop(element, numbers[k]);
      }
    }
  }
};

struct Dropped {
  Tensor out, mask;
};

/// Whether elements can be taken in the order in which they lie in memory.
bool is_dense(const Tensor& t) {
  return core::is_non_overlapping_and_dense(t.sizes(), t.strides());
}

/// How many elements PyTorch's kernel takes at once: 16 bytes, if they are aligned and go up.
int width_of(const Tensor& input) {
  if (!is_dense(input)) return 1;
  auto item = static_cast<int>(input.item_size());
  int width = 16 / item;
  auto address = reinterpret_cast<uintptr_t>(input.device_address());
  while (width > 1 &&
         (address % static_cast<uintptr_t>(width * item) != 0 || input.numel() % width != 0))
    width /= 2;
  return width;
}

template <typename T, int width>
void run_dropout(const Call& c, const Tensor& input, const Dropped& made, double p) {
  DrawingThreads shared(c, input.numel(), 4);
  DropoutBody<T, width> body{};
  body.draws = draw(c, 4 * shared.fours);
  body.threads = shared.threads;
  body.from = input.device_address();
  body.to = made.out.device_address();
  body.mask = made.mask.device_address();
  body.layout = Layout<3>::of(input.sizes(), {made.out, made.mask, input}, width == 1);
  body.keep = static_cast<Computed<T>>(1 - p);
  body.scale = 1 / body.keep;
  int64_t at_once = shared.threads * body.elements;
  for_each(queue_of(c), (input.numel() + at_once - 1) / at_once * shared.threads, body);
}

template <typename T>
void run_dropout(const Call& c, const Tensor& input, const Dropped& made, double p) {
  switch (width_of(input)) {
    case 8:
      if constexpr (sizeof(T) == 2) return run_dropout<T, 8>(c, input, made, p);
      [[fallthrough]];
    case 4:
      if constexpr (sizeof(T) <= 4) return run_dropout<T, 4>(c, input, made, p);
      [[fallthrough]];
    case 2:
      return run_dropout<T, 2>(c, input, made, p);
    default:
      return run_dropout<T, 1>(c, input, made, p);
  }
}

/// Tensors that lie as the input does, if it lies without gaps.
Dropped like(const Call& c, const Tensor& input) {
  if (!is_dense(input))
    return {c.new_empty(input.sizes(), input.dtype()), c.new_empty(input.sizes(), DType::boolean)};
  auto make = [&](DType dtype) {
    return Tensor::empty_strided(input.sizes(), input.strides(), dtype, input.device());
  };
  return {make(input.dtype()), make(DType::boolean)};
}

Dropped dropped(const Call& c, const Tensor& input, double p) {
  Dropped made = like(c, input);
  common::over_floating(input.dtype(), "fused_dropout",
                        [&](auto zero) { run_dropout<decltype(zero)>(c, input, made, p); });
  return made;
}

bool is_fused(double p, const Tensor& input) {
  return p > 0 && p < 1 && input.numel() > 0 && core::is_floating(input.dtype());
}

/// The rest are products with zeros, or nothing.
bool drops(const Call& c) {
  return c.boolean(arg::train) && is_fused(c.floating(arg::p), c.tensor(arg::input));
}
bool drops_natively(const Call& c) {
  bool train = c.is_none(arg::train) || c.boolean(arg::train);
  return train && is_fused(c.floating(arg::p), c.tensor(arg::input));
}

void dropout(Call& c) {
  c.finish(core::Value(dropped(c, c.tensor(arg::input), c.floating(arg::p)).out));
}
void native_dropout(Call& c) {
  Dropped made = dropped(c, c.tensor(arg::input), c.floating(arg::p));
  c.finish(core::Values{made.out, made.mask});
}

constexpr ops::Kernel dropout_table[] = {
    {"aten::dropout", dropout, drops},
    {"aten::native_dropout", native_dropout, drops_natively},
};

}  // namespace

std::span<const ops::Kernel> dropout_kernels() { return dropout_table; }

}  // namespace assay::kernels::cuda
