#include <algorithm>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/kernels/common/accumulate.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/rearrange.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::kernels::reference {
namespace {

namespace views = ops::views;
namespace arg = ops::arg;

using common::copy_elements;
using core::Dims;
using core::Tensor;
using ops::Call;

size_t index(int64_t i) { return static_cast<size_t>(i); }

/// Each index of a padded dimension from the index that mirrors it (without repeating the edge), or
/// from the nearest one.
template <bool reflects>
void pad_edges(Call& c) {
  Tensor self = c.tensor(arg::self), out = c.out();
  Dims pad = c.ints(arg::padding, index(c.op.schema.arguments[1].list_size.value_or(2)));
  IndexTable table = identity_indices(self);
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    size_t d = self.sizes().size() - 1 - i;
    int64_t last = self.size(d) - 1;
    table[d].resize(index(out.size(d)));
    for (size_t k = 0; k < table[d].size(); ++k) {
      int64_t at = static_cast<int64_t>(k) - pad[2 * i];
      if (reflects && at < 0) at = -at;
      if (reflects && at > last) at = 2 * last - at;
      table[d][k] = std::clamp<int64_t>(at, 0, last);
    }
  }
  copy_rearranged(out, self, table);
}

/// Views both sides of a pixel shuffle as blocks of factor x factor and copies one to the other.
void copy_blocks(const Tensor& wide, const Tensor& deep, int64_t factor, bool to_wide) {
  auto blocks_of_wide = [&](const Tensor& t) {
    // (..., C, H * r, W * r) as (..., C, r, r, H, W)
    Tensor rows = views::unfold(views::unfold(t, -2, factor, factor), -2, factor, factor);
    return views::movedim(rows, Dims{-2, -1}, Dims{-4, -3});
  };
  auto blocks_of_deep = [&](const Tensor& t) {
    Dims sizes = t.sizes(), strides = t.strides();
    size_t at = sizes.size() - 3;
    sizes[at] /= factor * factor;
    int64_t stride = strides[at];
    strides[at] *= factor * factor;
    for (int64_t step : {stride * factor, stride}) {
      sizes.insert(++at, factor);
      strides.insert(at, step);
    }
    return t.view(sizes, strides, t.offset());
  };
  if (wide.numel() == 0) return;
  Tensor a = blocks_of_wide(wide), b = blocks_of_deep(deep);
  copy_elements(to_wide ? a : b, to_wide ? b : a);
}
void pixel_shuffle(Call& c) {
  copy_blocks(c.out(), c.tensor(arg::self), c.integer(arg::upscale_factor), true);
}
void pixel_unshuffle(Call& c) {
  copy_blocks(c.tensor(arg::self), c.out(), c.integer(arg::downscale_factor), false);
}

/// Channel i * n + k goes to k * groups + i, where each of the groups has n channels.
void channel_shuffle(Call& c) {
  Tensor self = c.tensor(arg::self);
  int64_t groups = c.integer(arg::groups);
  IndexTable table = identity_indices(self);
  auto& channels = table[1];
  int64_t per_group = self.size(1) / groups;
  for (size_t k = 0; k < channels.size(); ++k) {
    auto at = static_cast<int64_t>(k);
    channels[k] = at % groups * per_group + at / groups;
  }
  copy_rearranged(c.out(), self, table);
}

/// Calls `visit(image offset, column offset)` for each pair of an element of the image and one of
/// the columns, both in elements of packed tensors.
template <typename Visit>
void for_each_in_windows(const Call& c, const Tensor& image, Visit visit) {
  Dims kernel = c.ints(arg::kernel_size, 2), dilation = c.ints(arg::dilation, 2),
       padding = c.ints(arg::padding, 2), stride = c.ints(arg::stride, 2);
  size_t rank = image.sizes().size();
  int64_t height = image.size(rank - 2), width = image.size(rank - 1);
  int64_t planes = image.numel() == 0 ? 0 : image.numel() / (height * width);
  auto count = [&](size_t i, int64_t size) {
    return (size + 2 * padding[i] - (dilation[i] * (kernel[i] - 1) + 1)) / stride[i] + 1;
  };
  int64_t high = count(0, height), wide = count(1, width), column = 0;
  base::DeadlineTicker deadline;
  for (int64_t p = 0; p < planes; ++p) {
    for (int64_t i = 0; i < kernel[0]; ++i) {
      for (int64_t j = 0; j < kernel[1]; ++j) {
        for (int64_t y = 0; y < high; ++y) {
          int64_t row = y * stride[0] - padding[0] + i * dilation[0];
          deadline.tick(wide);
          for (int64_t x = 0; x < wide; ++x, ++column) {
            int64_t at = x * stride[1] - padding[1] + j * dilation[1];
            bool inside = row >= 0 && row < height && at >= 0 && at < width;
            if (inside) visit((p * height + row) * width + at, column);
          }
        }
      }
    }
  }
}

void im2col(Call& c) {
  Tensor image = common::packed(c.tensor(arg::self)), out = c.out();
  common::fill_elements(out, 0);
  common::over_sizes(out.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = image.device_words<T>();
    T* to = out.device_words<T>();
    for_each_in_windows(c, image, [&](int64_t i, int64_t k) { to[k] = from[i]; });
  });
}

void col2im(Call& c) {
  Tensor columns = common::packed(c.tensor(arg::self)), out = c.out();
  common::over_all(out.dtype(), "col2im", [&](auto zero) {
    using T = decltype(zero);
    using W = common::Wide<T>;
    std::vector<W> sums(index(out.numel()), W{});
    const T* from = columns.device_data<T>();
    for_each_in_windows(c, out, [&](int64_t i, int64_t k) {
      W& sum = sums[index(i)];
      sum = plus(sum, common::cast<W>(from[k]));
    });
    T* to = out.device_data<T>();
    for (W sum : sums) *to++ = common::cast<T>(sum);
  });
}

constexpr ops::Kernel padding_table[] = {
    {"aten::reflection_pad1d", pad_edges<true>},
    {"aten::reflection_pad2d", pad_edges<true>},
    {"aten::reflection_pad3d", pad_edges<true>},
    {"aten::replication_pad1d", pad_edges<false>},
    {"aten::replication_pad2d", pad_edges<false>},
    {"aten::replication_pad3d", pad_edges<false>},
    {"aten::pixel_shuffle", pixel_shuffle},
    {"aten::pixel_unshuffle", pixel_unshuffle},
    {"aten::channel_shuffle", channel_shuffle},
    {"aten::native_channel_shuffle", channel_shuffle},
    {"aten::im2col", im2col},
    {"aten::col2im", col2im},
};

}  // namespace

std::span<const ops::Kernel> padding_kernels() { return padding_table; }

}  // namespace assay::kernels::reference
