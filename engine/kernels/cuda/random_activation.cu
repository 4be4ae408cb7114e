// Activations that draw their slopes.

#include "engine/base/error.h"
#include "engine/kernels/common/pointwise/activation.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/draw_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/ops/constraint.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::Tensor;
using ops::Call;

void check_bounds(const Call& c, double lower, double upper) {
  base::check(lower <= upper, c.op.qualified_name, ": the lower bound, ", lower,
              ", should be less than or equal to the upper bound, ", upper);
}

/// leaky_relu with a slope that is drawn for each element that is not positive. Four or two
/// elements of a thread share what it draws at once, as in draw_elements.h.
template <typename T>
struct RectifyBody {
  using W = Computed<T>;
  using Draw = UniformDraw<W>;

  PhiloxDraws draws;
  int64_t threads;
  const std::byte* from;
  std::byte *to, *slopes;
  Layout<3> layout;
  W lower, range;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t four = i / threads, thread = i - four * threads;
    W numbers[Draw::count];
    Draw::make(draws.of(thread, four), numbers);
    for (int k = 0; k < Draw::count; ++k) {
      int64_t element = thread + threads * (k + Draw::count * four);
      if (element >= layout.count) break;
      Offsets<3> at = layout.offsets(element);
      W value = convert<W>(*reinterpret_cast<const T*>(from + at.of[2]));
      W slope = value <= 0 ? std::fma(numbers[k], range, lower) : W(1);
      *reinterpret_cast<T*>(to + at.of[0]) = convert<T>(value * slope);
      *reinterpret_cast<T*>(slopes + at.of[1]) = convert<T>(slope);
    }
  }
};

template <typename T>
void run_rectify(const Call& c, const Tensor& slopes, double lower, double upper) {
  using Body = RectifyBody<T>;
  Tensor in = c.tensor(arg::self), out = c.out();
  Body body{};
  DrawingThreads shared(c, in.numel(), Body::Draw::count);
  body.draws = draw(c, 4 * shared.fours);
  body.threads = shared.threads;
  body.from = in.device_address();
  body.to = out.device_address();
  body.slopes = slopes.device_address();
  body.layout = Layout<3>::of(in.sizes(), {out, slopes, in}, true);
  body.lower = static_cast<Computed<T>>(lower);
  body.range = static_cast<Computed<T>>(upper - lower);
  for_each(queue_of(c), shared.threads * shared.fours, body);
}

/// `noise`, if there is one, receives the slopes; it has as many elements as the tensor.
void rectify_randomly(Call& c, const Tensor& noise, double lower, double upper) {
  Tensor in = c.tensor(arg::self);
  check_bounds(c, lower, upper);
  if (!core::is_floating(in.dtype()))
    common::not_implemented_for(in.dtype(), "rrelu_with_noise_out_cuda");
  if (in.numel() == 0) return;
  bool fits = noise && noise.sizes() == in.sizes();
  Tensor slopes = fits ? noise : c.new_empty(in.sizes(), in.dtype());
  common::over_floating(in.dtype(), "rrelu_with_noise_out_cuda",
                        [&](auto zero) { run_rectify<decltype(zero)>(c, slopes, lower, upper); });
  if (noise && !fits) copy_elements(c, noise, ops::views::view(slopes, noise.sizes()));
}

/// The mean of the bounds for all.
void rectify(Call& c, double lower, double upper) {
  double slope = (lower + upper) / 2;
  ops::check_fits(c.op, c.op.position(arg::upper), slope, c.tensor(arg::self).dtype());
  pointwise::over_floats<Gpu>(c, pointwise::LeakyRectify{slope});
}

void rrelu(Call& c) {
  double lower = c.floating(arg::lower), upper = c.floating(arg::upper);
  check_bounds(c, lower, upper);
  c.boolean(arg::training) ? rectify_randomly(c, {}, lower, upper) : rectify(c, lower, upper);
}

void rrelu_with_noise(Call& c) {
  Tensor in = c.tensor(arg::self), noise = c.tensor(arg::noise);
  double lower = c.floating(arg::lower), upper = c.floating(arg::upper);
  if (!c.boolean(arg::training)) return rectify(c, lower, upper);
  bool fits = noise.dtype() == in.dtype() && noise.numel() == in.numel();
  base::check(fits, "rrelu_with_noise: expected noise of type ", core::script_name(in.dtype()),
              " with ", in.numel(), " elements, but it is of ", core::script_name(noise.dtype()),
              " with shape ", noise.sizes());
  rectify_randomly(c, noise, lower, upper);
}

constexpr ops::Kernel random_activation_table[] = {
    {"aten::rrelu", rrelu},
    {"aten::rrelu_with_noise", rrelu_with_noise},
};

}  // namespace

std::span<const ops::Kernel> random_activation_kernels() { return random_activation_table; }

}  // namespace assay::kernels::cuda
