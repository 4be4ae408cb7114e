#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/kernels/common/anywhere.h"

// Numbers drawn by rejection, for the processor and for GPUs. A Source gives what they are made of:
//   double unit();     // In [0, 1).
//   double normal();   // Of mean 0 and deviation 1.
//   bool goes_on();    // Asked before every attempt; false ends what might not end.
namespace assay::kernels::common {

// Poisson: products of uniform numbers, or for great rates the transformed rejection of Hörmann
// 1993, with his constants.

template <typename Source>
ASSAY_ANYWHERE double draw_few_events(Source& source, double rate) {
  double floor = std::exp(-rate), product = source.unit(), events = 0;
  for (; product > floor && source.goes_on(); ++events) product *= source.unit();
  return events;
}

/// Rounded down to what an integer holds.
ASSAY_ANYWHERE inline double whole_events(double k) {
  k = std::floor(k);
  return k >= -0x1p63 && k < 0x1p63 ? k : -0x1p63;
}

template <typename Source>
ASSAY_ANYWHERE double draw_many_events(Source& source, double rate) {
  double b = 0.931 + 2.53 * std::sqrt(rate), a = -0.059 + 0.02483 * b;
  double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), box = 0.9277 - 3.6224 / (b - 2);
  double k = 0;
  while (source.goes_on()) {
    double u = source.unit() - 0.5, v = source.unit(), near = 0.5 - std::fabs(u);
    k = whole_events((2 * a / near + b) * u + rate + 0.43);
    if (near >= 0.07 && v <= box) break;
    if (k < 0 || (near < 0.013 && v > near)) continue;
    double log_v = std::log(v) + std::log(inverse_alpha) - std::log(a / (near * near) + b);
    if (log_v <= -rate + k * std::log(rate) - std::lgamma(k + 1)) break;
  }
  return k;
}

/// The rate is not negative.
template <typename Source>
ASSAY_ANYWHERE double draw_poisson(Source& source, double rate) {
  if (rate == 0) return 0;
  return rate >= 10 ? draw_many_events(source, rate) : draw_few_events(source, rate);
}

// Binomial: sums of geometric numbers, or Hörmann's transformed rejection with squeezing (1993).
// Counts and chances stay in their type, as PyTorch computes.

/// What Stirling's formula leaves of log k!.
ASSAY_ANYWHERE inline double stirling_rest(double k) {
  const double first[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983,
                          0.02079067210376509, 0.0166446911898211, 0.0138761288230707,
                          0.0118967099458917,  0.0104112652619720, 0.00925546218271273,
                          0.00833056343336287};
  if (k <= 9) return first[k > 0 ? static_cast<int>(k) : 0];
  double square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

template <typename T, typename Source>
ASSAY_ANYWHERE T draw_few_hits(Source& source, T count, T chance) {
  double log_miss = std::log1p(-chance), tries = 0;
  T hits = 0;
  while (source.goes_on()) {
    tries += std::ceil(std::log(source.unit()) / log_miss);
    if (tries > static_cast<double>(count)) break;
    hits += 1;
  }
  return hits;
}

template <typename T, typename Source>
ASSAY_ANYWHERE T draw_many_hits(Source& source, T count, T chance) {
  const double deviation = std::sqrt(count * chance * (1 - chance));
  const double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * chance;
  const double center = count * chance + 0.5, box = 0.92 - 4.2 / b;
  const double odds = chance / (1 - chance), alpha = (2.83 + 5.1 / b) * deviation;
  const double m = std::floor((count + 1) * chance);
  T k = 0;
  while (source.goes_on()) {
    double u = source.unit() - 0.5, v = source.unit(), near = 0.5 - std::fabs(u);
    k = static_cast<T>(std::floor((2 * a / near + b) * u + center));
    if (k < 0 || k > count) continue;
    if (near >= 0.07 && v <= box) break;
    v = std::log(v * alpha / (a / (near * near) + b));
    double bound = (m + 0.5) * std::log((m + 1) / (odds * (count - m + 1))) +
                   (count + 1) * std::log((count - m + 1) / (count - k + 1)) +
                   (k + 0.5) * std::log(odds * (count - k + 1) / (k + 1)) + stirling_rest(m) +
                   stirling_rest(count - m) - stirling_rest(k) - stirling_rest(count - k);
    if (v <= bound) break;
  }
  return k;
}

/// The count is finite.
template <typename T, typename Source>
ASSAY_ANYWHERE T draw_binomial(Source& source, T count, T chance) {
  if (count <= 0 || chance <= 0) return 0;
  if (chance >= 1) return count;
  if (std::isnan(chance)) return chance;
  bool turned = chance > T{0.5};
  T less = turned ? static_cast<T>(1.0 - chance) : chance;
  T hits = count * less >= 10 ? draw_many_hits<T>(source, count, less)
                              : draw_few_hits<T>(source, count, less);
  return turned ? count - hits : hits;
}

/// Gamma: Marsaglia and Tsang 2000. The shape is not negative.
template <typename T, typename Source>
ASSAY_ANYWHERE T draw_gamma(Source& source, T shape) {
  constexpr T least = std::numeric_limits<T>::min();
  double scale = 1, drawn = 0;
  if (shape < 1) {
    if (shape == 0) return least;
    scale = std::pow(1 - source.unit(), static_cast<double>(T{1} / shape));
    shape += 1;
  }
  const double d = shape - 1.0f / 3.0f, c = 1 / std::sqrt(9 * d);
  while (source.goes_on()) {
    double x = source.normal(), y = 1 + c * x;
    if (y <= 0) continue;
    double v = y * y * y, u = 1 - source.unit(), square = x * x;
    drawn = scale * d * v;
    if (u < 1 - static_cast<double>(0.0331f) * square * square ||
        std::log(u) < 0.5 * square + d * (1 - v + std::log(v)))
      break;
  }
  return static_cast<T>(drawn) > least ? static_cast<T>(drawn) : least;
}

}  // namespace assay::kernels::common
