#pragma once

#include <array>
#include <cstdint>

#include "engine/core/tensor.h"
#include "engine/kernels/cuda/layout.h"

namespace assay::kernels::cuda {

/// An element of a batch of images: which image, channel and place. Images of fewer dimensions have
/// the leading places 0.
struct ImageIndex {
  int64_t image, channel;
  int64_t place[3];
};

/// A batch of images of one to three dimensions: how it lies in memory, in elements, and its
/// elements in about the order in which they lie.
struct Images {
  int64_t count = 0;
  int64_t images = 0, channels = 0;
  int64_t sizes[3]{1, 1, 1};
  int64_t image_step = 0, channel_step = 0;
  int64_t steps[3]{};

  explicit Images(const core::Tensor& t)
      : count(t.numel()),
        images(t.size(0)),
        channels(t.size(1)),
        image_step(t.stride(0)),
        channel_step(t.stride(1)),
        narrow_(count < (int64_t{1} << 31)) {
    size_t spatial = t.sizes().size() - 2;
    for (size_t d = 0; d < spatial; ++d) {
      sizes[3 - spatial + d] = t.size(2 + d);
      steps[3 - spatial + d] = t.stride(2 + d);
    }
    channels_last_ = channel_step < steps[2];
    if (count == 0) return;
    by_channels_ = Divider(channels);
    for (int d = 0; d < 3; ++d) by_sizes_[d] = Divider(sizes[d]);
  }

  /// The i-th element of all.
  ASSAY_ANYWHERE ImageIndex at(int64_t i) const {
    ImageIndex index{};
    if (channels_last_) index.channel = take(i, by_channels_);
    for (int d = 2; d >= 0; --d) index.place[d] = take(i, by_sizes_[d]);
    if (!channels_last_) index.channel = take(i, by_channels_);
    index.image = i;
    return index;
  }
  ASSAY_ANYWHERE int64_t offset(const ImageIndex& at) const {
    int64_t offset = at.image * image_step + at.channel * channel_step;
    for (int d = 0; d < 3; ++d) offset += at.place[d] * steps[d];
    return offset;
  }

 private:
  ASSAY_ANYWHERE int64_t take(int64_t& i, const Divider& by) const {
    int64_t rest = by.divide(i, narrow_), index = i - rest * by.divisor();
    i = rest;
    return index;
  }

  bool narrow_;
  bool channels_last_ = false;
  Divider by_channels_, by_sizes_[3];
};

}  // namespace assay::kernels::cuda
