#include "verify/compare/values.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/core/epsilon.h"
#include "engine/core/host_access.h"
#include "verify/compare/structure.h"

namespace assay::verify::compare_detail {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Reads elements one by one whatever the type: as int64 where both sides are whole numbers, else
/// as complex numbers of doubles, which hold every other type exactly.
class Elements {
 public:
  explicit Elements(const core::Tensor& tensor) : tensor_(core::to_host(tensor)) {}

  int64_t integer(int64_t offset) const {
    switch (tensor_.dtype()) {
      case core::DType::boolean:
        return data<core::Bool>(offset);
      case core::DType::uint8:
        return data<uint8_t>(offset);
      case core::DType::int8:
        return data<int8_t>(offset);
      case core::DType::int16:
        return data<int16_t>(offset);
      case core::DType::int32:
        return data<int32_t>(offset);
      default:
        return data<int64_t>(offset);
    }
  }

  core::Complex128 number(int64_t offset) const {
    switch (tensor_.dtype()) {
      case core::DType::float16:
        return static_cast<double>(static_cast<float>(data<core::Half>(offset)));
      case core::DType::bfloat16:
        return static_cast<double>(static_cast<float>(data<core::BFloat16>(offset)));
      case core::DType::float32:
        return static_cast<double>(data<float>(offset));
      case core::DType::float64:
        return data<double>(offset);
      case core::DType::complex64:
        return core::Complex128(data<core::Complex64>(offset));
      case core::DType::complex128:
        return data<core::Complex128>(offset);
      default:
        return static_cast<double>(integer(offset));
    }
  }

 private:
  template <typename T>
  T data(int64_t offset) const {
    return tensor_.device_data<T>()[offset];
  }
  core::Tensor tensor_;
};

/// Calls f(offset in subject, offset in reference, coordinates) for every element.
template <typename F>
void for_each(const core::Tensor& s, const core::Tensor& r, F&& f) {
  core::Dims at(r.sizes().size(), 0);
  int64_t in_s = 0, in_r = 0;
  for (int64_t k = 0; k < r.numel(); ++k) {
    f(in_s, in_r, at);
    for (size_t d = at.size(); d-- > 0;) {
      in_s += s.stride(d);
      in_r += r.stride(d);
      if (++at[d] < r.size(d)) break;
      in_s -= at[d] * s.stride(d);
      in_r -= at[d] * r.stride(d);
      at[d] = 0;
    }
  }
}

size_t decade(double difference) {
  if (difference == 0) return 0;
  if (!std::isfinite(difference)) return 15;
  double exponent = std::floor(std::log10(difference)) + 1;  // 1e-12 <= d < 1e-11 gives -11.
  return static_cast<size_t>(std::clamp(exponent + 13, 1.0, 15.0));
}

std::string element_text(core::Complex128 value, bool is_complex) {
  if (!is_complex) return base::number(value.real());
  return fmt::format("{}{}{}j", base::number(value.real()), value.imag() < 0 ? "" : "+",
                     base::number(value.imag()));
}

/// Difference of two real parts: 0 for NaN at the same place and infinities of equal sign, infinite
/// where only one is finite, or NaN.
double part_difference(double s, double r) {
  if (s == r || (std::isnan(s) && std::isnan(r))) return 0;
  double difference = std::fabs(s - r);
  return std::isfinite(s) && std::isfinite(r) ? difference : infinity;
}

double difference_of(core::Complex128 s, core::Complex128 r) {
  double re = part_difference(s.real(), r.real()), im = part_difference(s.imag(), r.imag());
  return im == 0 ? re : std::hypot(re, im);
}

double magnitude_of(core::Complex128 value) {
  double size = std::abs(value);
  return std::isfinite(size) ? size : 0;
}

/// Gathers what is known about one pair of tensors, element by element in row-major order.
class Gatherer {
 public:
  Gatherer(ValueError& out, const std::vector<double>* spread, bool is_complex)
      : out_(out), spread_(spread), is_complex_(is_complex) {}

  void add(double difference, double magnitude, core::Complex128 s, core::Complex128 r,
           const core::Dims& at) {
    double spread = spread_ ? (*spread_)[static_cast<size_t>(out_.compared)] : 0;
    ++out_.compared;
    out_.nan += std::isnan(s.real()) && std::isnan(r.real());
    ++out_.histogram[decade(difference)];
    if (difference == 0) return;
    double bound = out_.bound.atol + out_.bound.rtol * magnitude;
    double allowed = bound + (spread > 0 ? Spread::reach * spread : 0);
    bool wrong = !(difference <= allowed);
    if (wrong) {
      ++out_.mismatched;
    } else if (difference > bound) {
      adjudicate(difference, spread);
    }
    if (std::isfinite(difference)) out_.max_abs = std::max(out_.max_abs, difference);
    double relative = magnitude > 0 ? difference / magnitude : infinity;
    if (std::isfinite(relative)) out_.max_rel = std::max(out_.max_rel, relative);
    out_.needed_atol = std::max(out_.needed_atol, difference);
    out_.needed_rtol = std::max(out_.needed_rtol, relative);
    note_worst(difference, allowed, s, r, at);
  }

 private:
  void adjudicate(double difference, double spread) {
    ++out_.adjudicated;
    bool nearer = difference * out_.adjudicated_spread >= out_.adjudicated_difference * spread;
    if (out_.adjudicated > 1 && !nearer) return;
    out_.adjudicated_difference = difference;
    out_.adjudicated_spread = spread;
  }

  void note_worst(double difference, double allowed, core::Complex128 s, core::Complex128 r,
                  const core::Dims& at) {
    double badness = allowed > 0 ? difference / allowed : infinity;
    if (std::isinf(difference) && std::isinf(allowed)) badness = 0;  // Rounding makes it infinite.
    // Where nothing is allowed every difference is as bad as any; the larger one is worse.
    bool worse = badness > worst_ || (badness == worst_ && difference > worst_difference_);
    if (!worse) return;
    worst_ = badness;
    out_.excess = badness;
    worst_difference_ = difference;
    out_.worst_index.assign(at.begin(), at.end());
    out_.worst_subject = element_text(s, is_complex_);
    out_.worst_reference = element_text(r, is_complex_);
  }

  ValueError& out_;
  const std::vector<double>* spread_;
  bool is_complex_;
  double worst_ = -1, worst_difference_ = -1;
};

bool is_whole(core::DType dtype) { return core::is_integral(dtype, true); }

double whole_difference(int64_t a, int64_t b) {
  // Doubles of large numbers may read alike.
  return a == b ? 0 : std::max(1.0, std::fabs(static_cast<double>(a) - static_cast<double>(b)));
}

/// Whole numbers: exact in int64, where doubles would round.
void compare_whole(const core::Tensor& s, const core::Tensor& r, Gatherer& gather,
                   ValueError& out) {
  Elements subject(s), reference(r);
  for_each(s, r, [&](int64_t in_s, int64_t in_r, const core::Dims& at) {
    int64_t a = subject.integer(in_s), b = reference.integer(in_r);
    double x = static_cast<double>(a), y = static_cast<double>(b);
    int64_t before = out.mismatched;
    gather.add(whole_difference(a, b), std::fabs(y), x, y, at);
    if (out.mismatched == before) return;
    bool worst = std::equal(at.begin(), at.end(), out.worst_index.begin(), out.worst_index.end());
    if (worst) {  // The exact digits.
      out.worst_subject = std::to_string(a);
      out.worst_reference = std::to_string(b);
    }
  });
}

void compare_floats(const core::Tensor& s, const core::Tensor& r, Gatherer& gather) {
  Elements subject(s), reference(r);
  for_each(s, r, [&](int64_t in_s, int64_t in_r, const core::Dims& at) {
    core::Complex128 a = subject.number(in_s), b = reference.number(in_r);
    gather.add(difference_of(a, b), magnitude_of(b), a, b, at);
  });
}

bool both_whole(const core::Tensor& a, const core::Tensor& b) {
  return is_whole(a.dtype()) && is_whole(b.dtype());
}

/// What rounding moves the elements of a place by, where the user says nothing about it.
const std::vector<double>* spread_at(const std::string& place, const Bound& bound,
                                     const CompareOptions& options) {
  return options.spread && !bound.given ? options.spread->at(place) : nullptr;
}

void compare_tensors(const TensorPair& pair, Collector& out) {
  const core::Tensor &s = pair.subject, &r = pair.reference;
  if (!(s.sizes() == r.sizes()) || r.numel() == 0 || !core::has_bytes(s) || !core::has_bytes(r))
    return;
  core::DType coarser = core::epsilon(s.dtype()) > core::epsilon(r.dtype()) ? s.dtype() : r.dtype();
  Bound bound = out.options->bounds.bound_for(pair.place, coarser);
  const std::vector<double>* spread = spread_at(pair.place, bound, *out.options);
  if (spread && spread->size() != static_cast<size_t>(r.numel())) spread = nullptr;
  ValueError error = compare_values(s, r, bound, spread);
  if (error.compared > error.nan) out.count(Layer::values);
  if (error.mismatched > 0) {
    std::string at = fmt::format(" at {}", error.worst_index);
    out.differences.push_back({Layer::values, pair.place, error.worst_subject + at,
                               error.worst_reference + at, error, !bound.given});
  }
  out.errors.emplace_back(pair.place, std::move(error));
}

void compare_numbers(const NumberPair& pair, Collector& out) {
  out.count(Layer::values);
  double difference = distance(pair.subject, pair.reference);
  if (difference == 0) return;
  double allowed = 0;
  // A Python float most often comes from a float32 tensor, so its error is that of float32.
  core::DType dtype = pair.reference.is_float() ? core::DType::float32 : core::DType::int64;
  Bound bound = out.options->bounds.bound_for(pair.place, dtype);
  if (pair.reference.is_float()) {
    allowed = bound.atol + bound.rtol * std::fabs(pair.reference.to_float());
  }
  const std::vector<double>* spread = spread_at(pair.place, bound, *out.options);
  if (spread && spread->size() == 1) allowed += Spread::reach * (*spread)[0];
  if (difference <= allowed) return;
  out.differences.push_back({Layer::values, pair.place, value_text(pair.subject),
                             value_text(pair.reference), std::nullopt, !bound.given});
}

}  // namespace

ValueError compare_values(const core::Tensor& subject, const core::Tensor& reference,
                          const Bound& bound, const std::vector<double>* spread) {
  base::invariant(subject.sizes() == reference.sizes(), "values of unequal shapes are compared");
  ValueError out;
  out.bound = bound;
  bool complex = core::is_complex(subject.dtype()) || core::is_complex(reference.dtype());
  Gatherer gather(out, spread, complex);
  if (both_whole(subject, reference)) {
    compare_whole(subject, reference, gather, out);
  } else {
    compare_floats(subject, reference, gather);
  }
  return out;
}

void compare_pair_values(const Pairs& pairs, Collector& out) {
  for (const NumberPair& pair : pairs.numbers) compare_numbers(pair, out);
  for (const TensorPair& pair : pairs.tensors) compare_tensors(pair, out);
}

std::vector<double> distances(const core::Tensor& a, const core::Tensor& b) {
  std::vector<double> out;
  out.reserve(static_cast<size_t>(a.numel()));
  Elements first(a), second(b);
  bool whole = both_whole(a, b);
  for_each(a, b, [&](int64_t in_a, int64_t in_b, const core::Dims&) {
    out.push_back(whole ? whole_difference(first.integer(in_a), second.integer(in_b))
                        : difference_of(first.number(in_a), second.number(in_b)));
  });
  return out;
}

double distance(const core::Value& a, const core::Value& b) {
  if (a.is_float() && b.is_float()) return part_difference(a.to_float(), b.to_float());
  if (a.is_int() && b.is_int()) return whole_difference(a.to_int(), b.to_int());
  return a.equals(b) ? 0 : infinity;
}

}  // namespace assay::verify::compare_detail
