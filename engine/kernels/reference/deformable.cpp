// torchvision's convolution whose taps are moved by offsets and weighed by a mask.

#include <cmath>
#include <type_traits>

#include "engine/base/deadline.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {
namespace {

using core::Tensor;
using ops::Call;
namespace arg = ops::arg;

/// A plane at a place between its pixels, with zeros around it.
template <typename T>
double between_pixels(const T* plane, int64_t height, int64_t width, double y, double x) {
  if (!(y > -1 && y < double(height) && x > -1 && x < double(width))) return 0;
  auto top = static_cast<int64_t>(std::floor(y)), left = static_cast<int64_t>(std::floor(x));
  auto at = [&](int64_t row, int64_t column) -> double {
    if (row < 0 || row >= height || column < 0 || column >= width) return 0;
    return static_cast<double>(plane[row * width + column]);
  };
  double down = y - double(top), across = x - double(left);
  return (1 - down) * ((1 - across) * at(top, left) + across * at(top, left + 1)) +
         down * ((1 - across) * at(top + 1, left) + across * at(top + 1, left + 1));
}

/// Where the taps of a filter lie along one side: of the result's place `out`, before it is moved.
struct Side {
  int64_t stride, pad, dilation;
  double place(int64_t out, int64_t tap) const {
    return double(out * stride - pad + tap * dilation);
  }
};

/// The operands, row by row.
struct Deformed {
  Tensor input, weight, offset, mask, bias;
  Side down, across;
  int64_t groups, moved;

  explicit Deformed(const Call& c)
      : input(common::packed(c.tensor(arg::input))),
        weight(common::packed(c.tensor(arg::weight))),
        offset(common::packed(c.tensor(arg::offset))),
        bias(common::packed(c.tensor(arg::bias))),
        down{c.integer(arg::stride_h), c.integer(arg::pad_h), c.integer(arg::dilation_h)},
        across{c.integer(arg::stride_w), c.integer(arg::pad_w), c.integer(arg::dilation_w)},
        groups(c.integer(arg::groups)),
        moved(c.integer(arg::offset_groups)) {
    if (c.boolean(arg::use_mask)) mask = common::packed(c.tensor(arg::mask));
  }

  /// What every tap of every channel reads at one place of the result, in the weights' order.
  template <typename T>
  void read(std::vector<double>& taps, const Tensor& out, int64_t image, int64_t y,
            int64_t x) const {
    int64_t height = input.size(2), width = input.size(3), channels = input.size(1);
    int64_t rows = weight.size(2), columns = weight.size(3), area = out.size(2) * out.size(3);
    const T* plane = input.device_data<T>() + image * channels * height * width;
    int64_t place = y * out.size(3) + x, tap = 0;
    for (int64_t channel = 0; channel < channels; ++channel, plane += height * width) {
      int64_t group = channel / (channels / moved) + image * moved;
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j, ++tap) {
          int64_t number = group * rows * columns + i * columns + j;
          const T* move = offset.device_data<T>() + 2 * number * area + place;
          double value = between_pixels(plane, height, width, down.place(y, i) + double(move[0]),
                                        across.place(x, j) + double(move[area]));
          if (mask) value *= double(mask.device_data<T>()[number * area + place]);
          taps[static_cast<size_t>(tap)] = value;
        }
      }
    }
  }

  /// One place of the result, in all of its channels, of what the taps read.
  template <typename T>
  void sum(const std::vector<double>& taps, T* to, int64_t step) const {
    int64_t filter = weight.numel() / weight.size(0), out = weight.size(0);
    const T* factors = weight.device_data<T>();
    for (int64_t channel = 0; channel < out; ++channel, to += step) {
      int64_t first = channel / (out / groups) * filter;
      double total = 0;
      for (int64_t i = 0; i < filter; ++i)
        total += double(*factors++) * taps[static_cast<size_t>(first + i)];
      *to = static_cast<T>(total + double(bias.device_data<T>()[channel]));
    }
  }
};

void deform_conv2d(Call& c) {
  Deformed d(c);
  Tensor out = c.out();
  if (out.numel() == 0) return;
  int64_t area = out.size(2) * out.size(3);
  int64_t taps = d.input.size(1) * d.weight.size(2) * d.weight.size(3);
  common::over_floating(out.dtype(), "deform_conv2d", [&](auto zero) {
    using T = decltype(zero);
    std::vector<double> read(static_cast<size_t>(taps));
    base::DeadlineTicker ticker;
    for (int64_t image = 0; image < out.size(0); ++image) {
      for (int64_t place = 0; place < area; ++place) {
        ticker.tick(taps * (1 + out.size(1) / d.groups));
        d.read<T>(read, out, image, place / out.size(3), place % out.size(3));
        d.sum(read, out.device_data<T>() + image * out.size(1) * area + place, area);
      }
    }
  });
}

constexpr ops::Kernel deformable_table[] = {
    {"torchvision::deform_conv2d", deform_conv2d},
};

}  // namespace

std::span<const ops::Kernel> deformable_kernels() { return deformable_table; }

}  // namespace assay::kernels::reference
