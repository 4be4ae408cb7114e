// torchvision's convolution whose taps are moved by offsets and weighed by a mask: what the taps
// read is written down, and multiplied with the weights as matrices.

#include <cmath>

#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::Tensor;
using ops::Call;

/// Where the taps of a filter lie along one side: of the result's place `out`, before it is moved.
struct Side {
  int64_t stride, pad, dilation;
  ASSAY_ANYWHERE double place(int64_t out, int64_t tap) const {
    return double(out * stride - pad + tap * dilation);
  }
};

/// What one tap of one channel reads for one place of the result. All operands are row by row.
template <typename T>
struct TapBody {
  const T *input, *offset, *mask;
  T* columns;
  Side down, across;
  int64_t channels, height, width;
  int64_t rows, columns_of_filter, out_height, out_width;
  int64_t offset_groups, first_image;

  ASSAY_ANYWHERE double pixel(const T* plane, int64_t row, int64_t column) const {
    bool inside = row >= 0 && row < height && column >= 0 && column < width;
    return inside ? convert<double>(plane[row * width + column]) : 0;
  }
  /// A plane at a place between its pixels, with zeros around it.
  ASSAY_ANYWHERE double between(const T* plane, double y, double x) const {
    bool inside = y > -1 && y < double(height) && x > -1 && x < double(width);
    if (!inside) return 0;
    auto top = static_cast<int64_t>(std::floor(y)), left = static_cast<int64_t>(std::floor(x));
    double below = y - double(top), right = x - double(left);
    double upper = (1 - right) * pixel(plane, top, left) + right * pixel(plane, top, left + 1);
    double lower =
        (1 - right) * pixel(plane, top + 1, left) + right * pixel(plane, top + 1, left + 1);
    return (1 - below) * upper + below * lower;
  }
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t area = out_height * out_width, taps = rows * columns_of_filter;
    int64_t rest = i / area, place = i - rest * area;
    int64_t tap = rest % taps, channel = rest / taps % channels;
    int64_t image = first_image + rest / taps / channels;
    int64_t y = place / out_width, x = place - y * out_width;
    int64_t row = tap / columns_of_filter, column = tap - row * columns_of_filter;
    int64_t group = channel / (channels / offset_groups) + image * offset_groups;
    int64_t number = group * taps + tap;
    const T* move = offset + 2 * number * area + place;
    const T* plane = input + (image * channels + channel) * height * width;
    double value = between(plane, down.place(y, row) + convert<double>(move[0]),
                           across.place(x, column) + convert<double>(move[area]));
    if (mask != nullptr) value *= convert<double>(mask[number * area + place]);
    columns[i] = convert<T>(value);
  }
};

template <typename T>
struct BiasBody {
  const T *product, *bias;
  T* out;
  int64_t area, channels;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    using W = Computed<T>;
    out[i] = convert<T>(convert<W>(product[i]) + convert<W>(bias[i / area % channels]));
  }
};

/// The operands, row by row.
struct Operands {
  Tensor input, weight, offset, mask, bias, out;

  explicit Operands(const Call& c)
      : input(contiguous(c, c.tensor(arg::input))),
        weight(contiguous(c, c.tensor(arg::weight))),
        offset(contiguous(c, c.tensor(arg::offset))),
        bias(contiguous(c, c.tensor(arg::bias))),
        out(c.out()) {
    if (c.boolean(arg::use_mask)) mask = contiguous(c, c.tensor(arg::mask));
  }
};

template <typename T>
TapBody<T> tap_body(const Call& c, const Operands& o) {
  TapBody<T> body{};
  body.input = o.input.device_data<T>();
  body.offset = o.offset.device_data<T>();
  body.mask = o.mask ? o.mask.device_data<T>() : nullptr;
  body.down = {c.integer(arg::stride_h), c.integer(arg::pad_h), c.integer(arg::dilation_h)};
  body.across = {c.integer(arg::stride_w), c.integer(arg::pad_w), c.integer(arg::dilation_w)};
  body.channels = o.input.size(1);
  body.height = o.input.size(2);
  body.width = o.input.size(3);
  body.rows = o.weight.size(2);
  body.columns_of_filter = o.weight.size(3);
  body.out_height = o.out.size(2);
  body.out_width = o.out.size(3);
  body.offset_groups = c.integer(arg::offset_groups);
  return body;
}

/// As many images at a time as need no more than 256 MiB for what their taps read.
int64_t images_at_once(const Operands& o) {
  int64_t taps = o.input.size(1) * o.weight.size(2) * o.weight.size(3);
  int64_t nbytes = taps * o.out.size(2) * o.out.size(3) * static_cast<int64_t>(o.out.item_size());
  return std::max<int64_t>(1, (int64_t{1} << 28) / std::max<int64_t>(1, nbytes));
}

template <typename T>
void run_deformed(const Call& c) {
  Operands o(c);
  Queue queue = queue_of(c);
  TapBody<T> body = tap_body<T>(c, o);
  int64_t groups = c.integer(arg::groups), out_channels = o.out.size(1);
  int64_t area = o.out.size(2) * o.out.size(3), filter = o.weight.numel() / out_channels;
  Tensor factors = ops::views::view(o.weight, Dims{1, groups, out_channels / groups, filter});
  int64_t step = images_at_once(o);
  for (; body.first_image < o.out.size(0); body.first_image += step) {
    int64_t images = std::min(step, o.out.size(0) - body.first_image);
    Tensor columns = c.new_empty(Dims{images, groups, filter, area}, o.out.dtype());
    body.columns = columns.device_data<T>();
    for_each(queue, columns.numel(), body);
    Tensor product = contiguous(c, c.call_tensor("aten::matmul", {factors, columns}));
    T* out = o.out.device_data<T>() + body.first_image * out_channels * area;
    for_each(
        queue, images * out_channels * area,
        BiasBody<T>{product.device_data<T>(), o.bias.device_data<T>(), out, area, out_channels});
  }
}

void deform_conv2d(Call& c) {
  if (c.out().numel() == 0) return;
  common::over_floating(c.out().dtype(), "deform_conv2d",
                        [&](auto zero) { run_deformed<decltype(zero)>(c); });
}

constexpr ops::Kernel deformable_table[] = {
    {"torchvision::deform_conv2d", deform_conv2d},
};

}  // namespace

std::span<const ops::Kernel> deformable_kernels() { return deformable_table; }

}  // namespace assay::kernels::cuda
