#pragma once

#include "engine/kernels/cuda/image_moments.h"
#include "engine/kernels/cuda/normalization.h"

// (x - mean) / sqrt(var + eps) * weight + bias for the elements of images.
namespace assay::kernels::cuda::normalizing {

/// Weights and the like where all are of one type P and lie without gaps.
template <typename P>
struct AlikeScales {
  const P *weights, *biases, *means, *vars;

  template <typename C>
  ASSAY_ANYWHERE C weight(int64_t c) const {
    return weights ? convert<C>(weights[c]) : C(1);
  }
  template <typename C>
  ASSAY_ANYWHERE C bias(int64_t c) const {
    return biases ? convert<C>(biases[c]) : C(0);
  }
  template <typename C>
  ASSAY_ANYWHERE C mean(int64_t c) const {
    return convert<C>(means[c]);
  }
  template <typename C>
  ASSAY_ANYWHERE C var(int64_t c) const {
    return convert<C>(vars[c]);
  }
};

struct AnyScales {
  Parameter weights, biases, means, vars;

  template <typename C>
  ASSAY_ANYWHERE C weight(int64_t c) const {
    return weights.at<C>(c, 1);
  }
  template <typename C>
  ASSAY_ANYWHERE C bias(int64_t c) const {
    return biases.at<C>(c, 0);
  }
  template <typename C>
  ASSAY_ANYWHERE C mean(int64_t c) const {
    return means.at<C>(c, 0);
  }
  template <typename C>
  ASSAY_ANYWHERE C var(int64_t c) const {
    return vars.at<C>(c, 0);
  }

  template <typename P>
  bool alike() const {
    for (const Parameter& p : {weights, biases, means, vars}) {
      if (p.data && (p.dtype != core::dtype_of<P> || p.step != sizeof(P))) return false;
    }
    return true;
  }
  template <typename P>
  AlikeScales<P> as() const {
    auto typed = [](const Parameter& p) { return reinterpret_cast<const P*>(p.data); };
    return {typed(weights), typed(biases), typed(means), typed(vars)};
  }
};

/// Moments that were observed, and running statistics.
template <typename C>
struct OwnMoments {
  const Moment<C>* all;

  template <typename Scales>
  ASSAY_ANYWHERE Moment<C> of(int64_t moment, int64_t, const Scales&) const {
    return all[moment];
  }
};
template <typename C>
struct RunningMoments {
  C eps;

  template <typename Scales>
  ASSAY_ANYWHERE Moment<C> of(int64_t, int64_t channel, const Scales& scales) const {
    return {scales.template mean<C>(channel), C(0),
            inverse_root(scales.template var<C>(channel) + eps)};
  }
};

/// Elements in the order of memory, as many at a time as fit into 16 bytes.
template <typename T, typename Scales, typename Moments>
struct NormalizingBody {
  using C = Computed<T>;
  static constexpr int width = 16 / sizeof(T);
  struct alignas(16) Sixteen {
    T of[width];
  };

  const T* x;
  T* y;
  int64_t count;
  Places places;
  Scales scales;
  Moments moments;
  bool aligned;
  bool uniform;  ///< Elements that are read at once have their channel in common.

  struct Line {
    Moment<C> moment;
    C weight, bias;

    ASSAY_ANYWHERE T at(T v) const {
      C distance = (convert<C>(v) - moment.mean) - moment.rest;
      return convert<T>(distance * moment.inverse * weight + bias);
    }
  };

  ASSAY_ANYWHERE Line line(int64_t i) const {
    int64_t channel = places.channel(i);
    return {moments.of(places.moment(i, channel), channel, scales),
            scales.template weight<C>(channel), scales.template bias<C>(channel)};
  }
  ASSAY_ANYWHERE void operator()(int64_t k) const {
    int64_t first = k * width;
    if (!aligned || first + width > count) {
      for (int64_t i = first; i < first + width && i < count; ++i) y[i] = line(i).at(x[i]);
      return;
    }
    Sixteen pack = *reinterpret_cast<const Sixteen*>(x + first);
    if (uniform) {
      Line all = line(first);
      for (int j = 0; j < width; ++j) pack.of[j] = all.at(pack.of[j]);
    } else {
      for (int j = 0; j < width; ++j) pack.of[j] = line(first + j).at(pack.of[j]);
    }
    *reinterpret_cast<Sixteen*>(y + first) = pack;
  }
};

}  // namespace assay::kernels::cuda::normalizing
