#include "verify/compare/values.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "engine/base/error.h"
#include "engine/base/text.h"
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

/// Gathers what is known about one pair of tensors, element by element.
class Gatherer {
 public:
  Gatherer(ValueError& out, bool is_complex) : out_(out), is_complex_(is_complex) {}

  void add(double difference, double allowed, double magnitude, core::Complex128 s,
           core::Complex128 r, const core::Dims& at) {
    ++out_.compared;
    ++out_.histogram[decade(difference)];
    if (difference == 0) return;
    bool wrong = !(difference <= allowed);
    if (wrong) ++out_.mismatched;
    if (std::isfinite(difference)) out_.max_abs = std::max(out_.max_abs, difference);
    double relative = magnitude > 0 ? difference / magnitude : infinity;
    if (std::isfinite(relative)) out_.max_rel = std::max(out_.max_rel, relative);
    out_.needed_atol = std::max(out_.needed_atol, difference);
    out_.needed_rtol = std::max(out_.needed_rtol, relative);
    double badness = allowed > 0 ? difference / allowed : infinity;
    // Where nothing is allowed every difference is as bad as any; the larger one is worse.
    if (badness > worst_ || (badness == worst_ && difference > worst_difference_)) {
      worst_ = badness;
      out_.excess = badness;
      worst_difference_ = difference;
      out_.worst_index.assign(at.begin(), at.end());
      out_.worst_subject = element_text(s, is_complex_);
      out_.worst_reference = element_text(r, is_complex_);
    }
  }

 private:
  ValueError& out_;
  bool is_complex_;
  double worst_ = -1, worst_difference_ = -1;
};

bool is_whole(core::DType dtype) { return core::is_integral(dtype, true); }

/// Whole numbers: exact in int64, where doubles would round.
void compare_whole(const core::Tensor& s, const core::Tensor& r, ValueError& out) {
  Elements subject(s), reference(r);
  Gatherer gather(out, false);
  for_each(s, r, [&](int64_t in_s, int64_t in_r, const core::Dims& at) {
    int64_t a = subject.integer(in_s), b = reference.integer(in_r);
    double x = static_cast<double>(a), y = static_cast<double>(b);
    double difference = a == b ? 0 : std::max(1.0, std::fabs(x - y));
    double allowed = out.bound.atol + out.bound.rtol * std::fabs(y);
    gather.add(difference, allowed, std::fabs(y), x, y, at);
    if (a != b && difference > allowed) {
      // Doubles of large numbers may read alike; the exact digits must not.
      bool worst = std::equal(at.begin(), at.end(), out.worst_index.begin(), out.worst_index.end());
      if (worst) {
        out.worst_subject = std::to_string(a);
        out.worst_reference = std::to_string(b);
      }
    }
  });
}

void compare_numbers(const core::Tensor& s, const core::Tensor& r, ValueError& out) {
  Elements subject(s), reference(r);
  double largest = 0;
  if (out.bound.scale > 0) {
    for_each(r, r, [&](int64_t in_r, int64_t, const core::Dims&) {
      largest = std::max(largest, magnitude_of(reference.number(in_r)));
    });
  }
  Gatherer gather(out, core::is_complex(s.dtype()) || core::is_complex(r.dtype()));
  for_each(s, r, [&](int64_t in_s, int64_t in_r, const core::Dims& at) {
    core::Complex128 a = subject.number(in_s), b = reference.number(in_r);
    double magnitude = magnitude_of(b);
    double allowed = out.bound.atol + out.bound.rtol * magnitude + out.bound.scale * largest;
    gather.add(difference_of(a, b), allowed, magnitude, a, b, at);
  });
}

}  // namespace

ValueError compare_values(const core::Tensor& subject, const core::Tensor& reference,
                          const Bound& bound) {
  base::invariant(subject.sizes() == reference.sizes(), "values of unequal shapes are compared");
  ValueError out;
  out.bound = bound;
  if (is_whole(subject.dtype()) && is_whole(reference.dtype())) {
    compare_whole(subject, reference, out);
  } else {
    compare_numbers(subject, reference, out);
  }
  return out;
}

void compare_pair_values(const TensorPair& pair, Collector& out) {
  const core::Tensor &s = pair.subject, &r = pair.reference;
  if (!(s.sizes() == r.sizes()) || r.numel() == 0 || !core::has_bytes(s) || !core::has_bytes(r))
    return;
  core::DType coarser = epsilon(s.dtype()) > epsilon(r.dtype()) ? s.dtype() : r.dtype();
  ValueError error = compare_values(s, r, out.options->bounds.bound_for(pair.place, coarser));
  out.count(Layer::values);
  if (error.mismatched > 0) {
    std::string at = fmt::format(" at {}", error.worst_index);
    out.differences.push_back(
        {Layer::values, pair.place, error.worst_subject + at, error.worst_reference + at, error});
  }
  out.errors.emplace_back(pair.place, std::move(error));
}

}  // namespace assay::verify::compare_detail
