// Edges mirrored and repeated, pixels and channels shuffled, and windows of
// images as columns.

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/layout.h"
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

size_t index(int64_t i) { return static_cast<size_t>(i); }

/// Each index of a padded dimension from the index that mirrors it (without
/// repeating the edge), or from the nearest one.
template <IndexMap::Kind kind>
void pad_edges(Call& c) {
  Tensor self = c.tensor(arg::self);
  Dims pad = c.ints(arg::padding, index(c.op.schema.arguments[1].list_size.value_or(2)));
  auto maps = identity_maps(self);
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    IndexMap& map = maps[maps.size() - 1 - i];
    map.kind = kind;
    map.shift = -pad[2 * i];
  }
  rearrange(c, c.out(), self, maps);
}

/// Views both sides of a pixel shuffle as blocks of factor x factor and copies
/// one to the other.
void copy_blocks(const Call& c, const Tensor& wide, const Tensor& deep, int64_t factor,
                 bool to_wide) {
  if (wide.numel() == 0) return;
  // (..., C, H * r, W * r) as (..., C, r, r, H, W)
  Tensor rows = views::unfold(views::unfold(wide, -2, factor, factor), -2, factor, factor);
  Tensor blocks = views::movedim(rows, Dims{-2, -1}, Dims{-4, -3});
  Dims sizes = deep.sizes(), strides = deep.strides();
  size_t at = sizes.size() - 3;
  sizes[at] /= factor * factor;
  int64_t stride = strides[at];
  strides[at] *= factor * factor;
  for (int64_t step : {stride * factor, stride}) {
    sizes.insert(++at, factor);
    strides.insert(at, step);
  }
  Tensor parts = deep.view(sizes, strides, deep.offset());
  copy_elements(c, to_wide ? blocks : parts, to_wide ? parts : blocks);
}
void pixel_shuffle(Call& c) {
  copy_blocks(c, c.out(), c.tensor(arg::self), c.integer(arg::upscale_factor), true);
}
void pixel_unshuffle(Call& c) {
  copy_blocks(c, c.tensor(arg::self), c.out(), c.integer(arg::downscale_factor), false);
}

/// Channel i * n + k goes to k * groups + i, where each of the groups has n
/// channels.
void channel_shuffle(Call& c) {
  Tensor self = c.tensor(arg::self);
  auto maps = identity_maps(self);
  maps[1].kind = IndexMap::Kind::shuffled;
  maps[1].shift = c.integer(arg::groups);
  rearrange(c, c.out(), self, maps);
}

/// How windows lie on an image along a dimension.
struct WindowSide {
  int64_t size, count, kernel, dilation, padding, stride;
};

struct Windows {
  WindowSide high, wide;
  int64_t planes;

  Windows(const Call& c, const Tensor& image) {
    Dims kernel = c.ints(arg::kernel_size, 2), dilation = c.ints(arg::dilation, 2),
         padding = c.ints(arg::padding, 2), stride = c.ints(arg::stride, 2);
    size_t rank = image.sizes().size();
    auto side = [&](size_t i, int64_t size) {
      int64_t reach = dilation[i] * (kernel[i] - 1) + 1;
      int64_t count = (size + 2 * padding[i] - reach) / stride[i] + 1;
      return WindowSide{size, count, kernel[i], dilation[i], padding[i], stride[i]};
    };
    high = side(0, image.size(rank - 2));
    wide = side(1, image.size(rank - 1));
    planes = image.numel() == 0 ? 0 : image.numel() / (high.size * wide.size);
  }
};

template <typename Word>
struct ToColumns {
  const Word* image;
  Word* columns;
  Windows w;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t rest = i / w.wide.count, x = i - rest * w.wide.count;
    int64_t line = rest / w.high.count, y = rest - line * w.high.count;
    int64_t part = line / w.wide.kernel, kx = line - part * w.wide.kernel;
    int64_t plane = part / w.high.kernel, ky = part - plane * w.high.kernel;
    int64_t row = y * w.high.stride - w.high.padding + ky * w.high.dilation;
    int64_t at = x * w.wide.stride - w.wide.padding + kx * w.wide.dilation;
    bool inside = row >= 0 && row < w.high.size && at >= 0 && at < w.wide.size;
    columns[i] = inside ? image[(plane * w.high.size + row) * w.wide.size + at] : Word{};
  }
};

template <typename Word>
void run_im2col(const Queue& queue, const Tensor& image, const Tensor& out, const Windows& w) {
  for_each(queue, out.numel(),
           ToColumns<Word>{reinterpret_cast<const Word*>(image.device_address()),
                           reinterpret_cast<Word*>(out.device_address()), w});
}

void im2col(Call& c) {
  Tensor self = c.tensor(arg::self), out = c.out();
  if (out.numel() == 0) return;
  if (self.numel() == 0) return fill_elements(c, out, 0);
  Tensor image = contiguous(c, self);
  over_words(static_cast<int64_t>(out.item_size()), [&](auto zero) {
    run_im2col<decltype(zero)>(queue_of(c), image, out, Windows(c, image));
  });
}

/// Each pixel is the sum of the columns' elements that lie on it.
template <typename T>
struct FromColumns {
  const T* columns;
  T* image;
  Windows w;

  using Sum = std::conditional_t<is_float_type<T>, double, Computed<T>>;

  /// The window along a dimension that has element k of its kernel at `at`;
  /// false if none has.
  static ASSAY_ANYWHERE bool window_at(const WindowSide& side, int64_t at, int64_t k,
                                       int64_t& window) {
    int64_t start = at + side.padding - k * side.dilation;
    if (start < 0) return false;
    window = start / side.stride;
    return start == window * side.stride && window < side.count;
  }
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t line = i / w.wide.size, column = i - line * w.wide.size;
    int64_t plane = line / w.high.size, row = line - plane * w.high.size;
    Sum sum{};
    for (int64_t ky = 0; ky < w.high.kernel; ++ky) {
      int64_t y = 0, x = 0;
      if (!window_at(w.high, row, ky, y)) continue;
      for (int64_t kx = 0; kx < w.wide.kernel; ++kx) {
        if (!window_at(w.wide, column, kx, x)) continue;
        int64_t part = (plane * w.high.kernel + ky) * w.wide.kernel + kx;
        sum = sum + convert<Sum>(columns[(part * w.high.count + y) * w.wide.count + x]);
      }
    }
    image[i] = convert<T>(sum);
  }
};

template <typename T>
void run_col2im(const Queue& queue, const Tensor& columns, const Tensor& out, const Windows& w) {
  for_each(queue, out.numel(),
           FromColumns<T>{reinterpret_cast<const T*>(columns.device_address()),
                          reinterpret_cast<T*>(out.device_address()), w});
}

void col2im(Call& c) {
  Tensor out = c.out();
  if (out.numel() == 0) return;
  Tensor columns = contiguous(c, c.tensor(arg::self));
  common::over_all(out.dtype(), "col2im", [&](auto zero) {
    run_col2im<Stored<decltype(zero)>>(queue_of(c), columns, out, Windows(c, out));
  });
}

constexpr ops::Kernel padding_table[] = {
    {"aten::reflection_pad1d", pad_edges<IndexMap::Kind::reflected>},
    {"aten::reflection_pad2d", pad_edges<IndexMap::Kind::reflected>},
    {"aten::reflection_pad3d", pad_edges<IndexMap::Kind::reflected>},
    {"aten::replication_pad1d", pad_edges<IndexMap::Kind::clamped>},
    {"aten::replication_pad2d", pad_edges<IndexMap::Kind::clamped>},
    {"aten::replication_pad3d", pad_edges<IndexMap::Kind::clamped>},
    {"aten::pixel_shuffle", pixel_shuffle},
    {"aten::pixel_unshuffle", pixel_unshuffle},
    {"aten::channel_shuffle", channel_shuffle},
    {"aten::native_channel_shuffle", channel_shuffle},
    {"aten::im2col", im2col},
    {"aten::col2im", col2im},
};

}  // namespace

std::span<const ops::Kernel> padding_kernels() { return padding_table; }

}  // namespace assay::kernels::cuda
