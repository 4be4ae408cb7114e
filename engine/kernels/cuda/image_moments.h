#pragma once

#include <algorithm>
#include <cmath>

#include "engine/core/tensor.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/layout.h"

// Means and variances of the channels of images, or of groups of them: sums in double of distances
// from a row's first element.
namespace assay::kernels::cuda::normalizing {

inline Divider divider(int64_t divisor) { return Divider(std::max<int64_t>(1, divisor)); }

/// Images whose elements lie densely: row-major, or with a place's channels side by side.
struct Images {
  int64_t batch, channels, area;
  bool last = false;

  explicit Images(const core::Tensor& t)
      : batch(t.size(0)), channels(t.dim() > 1 ? t.size(1) : 0), last(!t.is_contiguous()) {
    area = batch * channels == 0 ? 0 : t.numel() / (batch * channels);
  }
  Images(int64_t n, int64_t c, int64_t each) : batch(n), channels(c), area(each) {}
  int64_t numel() const { return batch * channels * area; }
};

/// Which channel and which moments an element of images has, by its place in memory.
struct Places {
  Divider inner, channels, outer, per_group;
  int64_t groups;
  bool narrow;

  /// Moments of groups of channels of each image; without `each`, of channels of all images.
  Places(const Images& images, int64_t group_count, bool each)
      : inner(divider(images.last ? 1 : images.area)),
        channels(divider(images.channels)),
        outer(divider(each ? images.channels * images.area : images.numel())),
        per_group(divider(images.channels / std::max<int64_t>(1, group_count))),
        groups(group_count),
        narrow(images.numel() < (int64_t{1} << 31)) {}

  ASSAY_ANYWHERE int64_t channel(int64_t i) const {
    int64_t row = inner.divide(i, narrow);
    return row - channels.divide(row, narrow) * channels.divisor();
  }
  ASSAY_ANYWHERE int64_t moment(int64_t i, int64_t channel) const {
    return outer.divide(i, narrow) * groups + per_group.divide(channel, narrow);
  }
};

/// Where the elements are that have a mean in common.
struct Rows {
  int64_t count, length;
  Divider groups, run;
  int64_t outer_step, inner_step, run_step;
  bool narrow;

  Rows(int64_t rows, int64_t elements, int64_t inner_rows, int64_t outer, int64_t inner,
       int64_t run_length, int64_t run_distance)
      : count(rows),
        length(elements),
        groups(divider(inner_rows)),
        run(divider(run_length)),
        outer_step(outer),
        inner_step(inner),
        run_step(run_distance),
        narrow(rows < (int64_t{1} << 31) && elements < (int64_t{1} << 31) &&
               inner_rows < (int64_t{1} << 31) && run_length < (int64_t{1} << 31)) {}

  /// A row for each channel.
  static Rows of_channels(const Images& m) {
    return m.last ? Rows(m.channels, m.batch * m.area, m.channels, 0, 1, 1, m.channels)
                  : Rows(m.channels, m.batch * m.area, m.channels, 0, m.area, m.area,
                         m.channels * m.area);
  }
  /// A row for each group of channels of each image.
  static Rows of_groups(const Images& m, int64_t groups) {
    int64_t each = m.channels / groups, image = m.channels * m.area;
    return m.last ? Rows(m.batch * groups, each * m.area, groups, image, each, each, m.channels)
                  : Rows(m.batch * groups, each * m.area, 1, each * m.area, 0, each * m.area, 0);
  }

  ASSAY_ANYWHERE int64_t begin(int64_t row) const {
    int64_t outer = groups.divide(row, narrow);
    return outer * outer_step + (row - outer * groups.divisor()) * inner_step;
  }
  ASSAY_ANYWHERE int64_t offset(int64_t i) const {
    int64_t runs = run.divide(i, narrow);
    return runs * run_step + (i - runs * run.divisor());
  }
};

/// A mean as a sum of two numbers, and 1 / sqrt(var + eps).
template <typename C>
struct Moment {
  C mean, rest, inverse;
};

struct MeanAndVariance {
  double mean, var;
};

/// Numbers that are to be written, one for each row.
struct Target {
  std::byte* data = nullptr;
  core::DType dtype = core::DType::float32;
  int64_t step = 0;

  Target() = default;
  explicit Target(const core::Tensor& t) {
    if (!t) return;
    data = t.device_address();
    dtype = t.dtype();
    step = (t.dim() == 1 ? t.stride(0) : 1) * static_cast<int64_t>(t.item_size());
  }
  ASSAY_ANYWHERE void set(int64_t i, double value) const {
    if (data) store(data + i * step, dtype, value);
  }
  /// value * share + (1 - share) * what was there.
  ASSAY_ANYWHERE void mix(int64_t i, double value, double share) const {
    if (!data) return;
    double before = load<double>(data + i * step, dtype);
    store(data + i * step, dtype, before * (1 - share) + value * share);
  }
};

/// What becomes of the moments of a row.
template <typename C>
struct Observed {
  Moment<C>* moments = nullptr;
  MeanAndVariance* plain = nullptr;
  Target saved_mean, saved_inverse;
  Target running_mean, running_var;
  double momentum = 0, eps = 0;
};

struct Sums {
  double distance, square;
};

template <typename T>
struct Observing {
  const T* x;
  Rows rows;
  Observed<Computed<T>> to;

  struct Row {
    int64_t begin;
    double origin;
  };

  /// Distances from a number in the midst of the others lose little to rounding.
  ASSAY_ANYWHERE double origin(int64_t row) const {
    if (rows.length == 0) return 0;
    auto first = convert<double>(x[rows.begin(row)]);
    return first - first == 0 ? first : 0;  // Not from an infinity.
  }
  ASSAY_ANYWHERE Row begin(int64_t row) const { return {rows.begin(row), origin(row)}; }
  ASSAY_ANYWHERE bool neighbours_are_rows() const {
    return rows.inner_step == 1 && rows.run.divisor() == 1 && rows.length > 1;
  }
  ASSAY_ANYWHERE Sums start() const { return {0, 0}; }
  ASSAY_ANYWHERE Sums load(Row row, int64_t i) const {
    double d = convert<double>(x[row.begin + rows.offset(i)]) - row.origin;
    return {d, d * d};
  }
  /// For reductions that begin each element anew.
  ASSAY_ANYWHERE Sums load(int64_t row, int64_t i) const { return load(begin(row), i); }
  ASSAY_ANYWHERE Sums join(Sums a, Sums b) const {
    return {a.distance + b.distance, a.square + b.square};
  }
  ASSAY_ANYWHERE void finish(int64_t row, Sums total) const {
    using C = Computed<T>;
    auto count = static_cast<double>(rows.length);
    double distance = total.distance / count;
    double mean = origin(row) + distance;
    double var = total.square / count - distance * distance;
    if (var < 0) var = 0;
    double inverse = 1 / std::sqrt(var + to.eps);
    auto near = static_cast<C>(mean);
    double rest = mean - static_cast<double>(near);
    if (!(rest - rest == 0)) rest = 0;
    if (to.moments) to.moments[row] = {near, static_cast<C>(rest), static_cast<C>(inverse)};
    if (to.plain) to.plain[row] = {mean, var};
    to.saved_mean.set(row, mean);
    to.saved_inverse.set(row, inverse);
    to.running_mean.mix(row, mean, to.momentum);
    to.running_var.mix(row, var * count / (count - 1), to.momentum);
  }
};

/// Running statistics of channels of which each image has its own moments: shares of all images.
struct MixingBody {
  const MeanAndVariance* plain;
  int64_t batch, channels, area;
  Target mean, var;
  double momentum;

  ASSAY_ANYWHERE void operator()(int64_t c) const {
    double means = 0, variances = 0, each = static_cast<double>(area);
    for (int64_t n = 0; n < batch; ++n) {
      means += plain[n * channels + c].mean;
      variances += plain[n * channels + c].var * each / (each - 1);
    }
    // Without an image the old values still lose their share.
    double images = batch == 0 ? 1 : static_cast<double>(batch);
    mean.mix(c, means / images, momentum);
    var.mix(c, variances / images, momentum);
  }
};

}  // namespace assay::kernels::cuda::normalizing
