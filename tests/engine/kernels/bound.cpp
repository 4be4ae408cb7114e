// Bounds are those of the usual error analysis: a sum of n products, each rounded, in any order, is
// within n u / (1 - n u) times the sum of the products' sizes (Higham, Accuracy and Stability of
// Numerical Algorithms, 2nd ed., section 3.1, eq. 3.3); with roundings that are independent of each
// other, within about l sqrt(n) u of it with probability 1 - 2 n e^(-l^2 / 2) (Higham and Mary, A
// New Approach to Probabilistic Rounding Error Analysis, SIAM J. Sci. Comput. 41(5), 2019,
// Theorem 2.4). Here l = 8: at n <= 10^5 that fails less than once in 10^8 elements. The lesser of
// both is used. Elementwise functions may be 4 units in the last place (8 u) off, as verify/compare
// counts them.

#include "tests/engine/kernels/bound.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/core/print.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::kernels::testing {
namespace {

using core::DType;
using core::Scalar;
using core::Tensor;
using core::Value;
using ops::Operator;

double units_of_sum(double length) { return std::min(length, 8 * std::sqrt(length)) + 4; }

const Value& argument(const Operator& op, const core::Values& args, const char* name) {
  auto at = op.schema.find_argument(name);
  base::invariant(at.has_value(), op.qualified_name, " has no argument ", name);
  return args[*at];
}

/// float64, each element changed by f.
template <typename F>
Tensor mapped(const Tensor& t, F f) {
  std::vector<Scalar> items = core::elements(t);
  for (Scalar& item : items) item = Scalar(f(item.to_double()));
  return core::tensor_from(items, t.sizes(), DType::float64);
}

/// The absolute values, of complex numbers, too.
Tensor sizes_of(const Tensor& t) {
  std::vector<Scalar> items = core::elements(t);
  for (Scalar& item : items) item = Scalar(std::abs(item.to_complex()));
  return core::tensor_from(items, t.sizes(), DType::float64);
}

double greatest(const Tensor& t) {
  double most = 0;
  if (!t) return most;
  for (const Scalar& item : core::elements(t)) most = std::max(most, std::fabs(item.to_double()));
  return most;
}

double sum_of_all(const Tensor& t) {
  double sum = 0;
  for (const Scalar& item : core::elements(t)) sum += std::abs(item.to_complex());
  return sum;
}

/// Sizes of everything: the same call of absolute values adds up the sizes of what the call adds
/// up.
Value absolute(const Value& value) {
  if (value.is_tensor()) {
    Tensor t = value.to_tensor();
    bool counts = core::is_floating(t.dtype()) || core::is_complex(t.dtype());
    return counts || t.is_wrapped_number() ? sizes_of(t) : t;
  }
  if (!value.is_list()) return value;
  core::Values items;
  for (const Value& item : value.list().items) items.push_back(absolute(item));
  return core::make_list(value.list().element, items);
}

bool starts(const Operator& op, std::initializer_list<const char*> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const char* prefix) { return op.qualified_name.starts_with(prefix); });
}

Tensor sum_of_sizes(const Operator& op, const core::Values& args, ops::Context& reference) {
  core::Values sizes;
  // Whole numbers that are added up as another type: their sizes are.
  auto type = op.schema.find_argument("dtype");
  bool converts = type && !args[*type].is_none();
  bool adds = starts(op, {"aten::add.", "aten::sub.", "aten::rsub.", "aten::_add_relu."});
  converts = converts || adds;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string& name = op.schema.arguments[i].name;
    bool factor = name == "alpha" || name == "beta";
    bool clamps = name == "low" || name == "high";
    if (clamps) {
      sizes.emplace_back();
    } else if (name == "residual" && args[i].is_tensor()) {
      sizes.push_back(sizes_of(args[i].to_tensor()));
    } else if (factor && args[i].is_number()) {
      sizes.push_back(std::fabs(args[i].to_scalar().to_double()));
    } else if (name == "running_mean" && args[i].is_tensor()) {
      // It is subtracted.
      sizes.push_back(mapped(args[i].to_tensor(), [](double x) { return -std::fabs(x); }));
    } else if (name == "running_var" && args[i].is_tensor()) {
      sizes.push_back(mapped(args[i].to_tensor(), [](double x) { return x; }));
    } else if ((name == "weight" || name == "bias") && args[i].is_tensor() &&
               op.qualified_name.find("_norm") != std::string::npos) {
      // Of any type; of complex numbers the real part.
      Tensor part = args[i].to_tensor();
      if (core::is_complex(part.dtype()))
        part = ops::views::select(ops::views::as_real(part), -1, 0);
      sizes.push_back(sizes_of(part));
    } else if (op.schema.arguments[i].int_kind == "ScalarType") {
      sizes.emplace_back();
    } else if (converts && args[i].is_tensor() && args[i].to_tensor() &&
               core::is_integral(args[i].to_tensor().dtype(), true)) {
      sizes.push_back(sizes_of(args[i].to_tensor()));
    } else {
      sizes.push_back(absolute(args[i]));
    }
  }
  // a - alpha b adds |a| and |alpha b|, also where the sum is clamped.
  bool as_sum = starts(op, {"aten::sub.Tensor", "aten::_add_relu.Tensor"});
  if (op.qualified_name == "aten::rsub.Tensor") {
    std::swap(sizes[0], sizes[1]);
    as_sum = true;
  }
  const Operator& summed = as_sum ? ops::get_operator("aten::add.Tensor") : op;
  return ops::call(reference, summed, sizes)[0].to_tensor();
}

double product_of(const Value& list) {
  double out = 1;
  for (const Value& item : list.list().items) out *= static_cast<double>(item.to_int());
  return out;
}

/// How many numbers one element of the result adds up.
/// Batch normalization, also with results beside it, where the statistics are the batch's own.
bool observes_batch(const Operator& op, const core::Values& args) {
  bool normalizes =
      starts(op, {"aten::batch_norm", "aten::native_batch_norm", "aten::_batch_norm_impl"});
  return normalizes && argument(op, args, "training").to_scalar().to_bool();
}

double length_of(const Operator& op, const core::Values& args, const Tensor& result) {
  Tensor first = args[0].is_tensor() ? args[0].to_tensor() : Tensor();
  auto per_result = static_cast<double>(std::max<int64_t>(1, first.numel())) /
                    static_cast<double>(std::max<int64_t>(1, result.numel()));
  if (op.schema.find_argument("weight") &&
      starts(op, {"aten::conv", "aten::_conv", "aten::mkl", "assay::conv"})) {
    Tensor weight = argument(op, args, "weight").to_tensor();
    return static_cast<double>(weight.numel()) /
               static_cast<double>(std::min(weight.size(0), weight.size(1))) +
           2;
  }
  if (starts(op, {"aten::linear", "aten::mm", "aten::bmm", "aten::mv", "aten::matmul"})) {
    return first.dim() == 0 ? 1 : static_cast<double>(first.sizes().back()) + 1;
  }
  if (starts(op, {"aten::addmm", "aten::baddbmm"})) {
    return static_cast<double>(args[1].to_tensor().sizes().back()) + 3;
  }
  if (starts(op, {"aten::avg_pool"})) {
    return product_of(argument(op, args, "kernel_size")) + 1;
  }
  if (starts(op, {"aten::adaptive_avg"})) {
    auto side = [&](size_t d) {
      return std::ceil(static_cast<double>(first.size(d)) / static_cast<double>(result.size(d))) +
             1;
    };
    size_t rank = first.sizes().size();
    return side(rank - 1) * side(rank - 2) + 1;
  }
  if (starts(op, {"aten::upsample"})) return 16 + 8;  // Taps, and the weights' own roundings.
  if (starts(op, {"aten::layer_norm", "aten::native_layer_norm"})) {
    return product_of(argument(op, args, "normalized_shape")) + 4;
  }
  if (starts(op, {"aten::group_norm"})) {
    auto groups = static_cast<double>(first.size(0) * argument(op, args, "num_groups").to_int());
    return static_cast<double>(first.numel()) / std::max(groups, 1.0) + 4;
  }
  if (starts(op, {"aten::instance_norm"})) {
    auto planes = static_cast<double>(first.size(0) * first.size(1));
    return static_cast<double>(first.numel()) / std::max(planes, 1.0) + 4;
  }
  if (observes_batch(op, args)) {
    return static_cast<double>(first.numel()) / static_cast<double>(first.size(1)) + 4;
  }
  if (starts(op, {"aten::native_group_norm"})) {
    double rows = argument(op, args, "N").to_scalar().to_double() *
                  argument(op, args, "group").to_scalar().to_double();
    return static_cast<double>(first.numel()) / std::max(rows, 1.0) + 4;
  }
  if (op.qualified_name.find("softmax") != std::string::npos) {
    return first.dim() == 0
               ? 1
               : static_cast<double>(*std::max_element(first.sizes().begin(), first.sizes().end()));
  }
  return per_result + 4;
}

/// Whether a product stays in range whichever factors meet first, as float holds them.
bool multiplies_in_range(const Tensor& factors) {
  double least = 1, most = 1;
  for (const Scalar& item : core::elements(factors)) {
    double size = std::abs(item.to_complex());
    if (size > 1) most *= size;
    if (size < 1 && size > 0) least *= size;
  }
  return most < std::numeric_limits<float>::max() && least > std::numeric_limits<float>::min();
}

/// Normalized elements: (x - mean) / deviation * weight + bias. An error in x or the mean, of up to
/// |x|, grows as the deviation's inverse, of which eps is a part.
double size_of_normalized(const Operator& op, const core::Values& args, double length,
                          const Tensor& result, ops::Context& reference) {
  Tensor x = args[0].to_tensor();
  Tensor weight = argument(op, args, "weight").to_tensor(),
         bias = argument(op, args, "bias").to_tensor();
  auto group = static_cast<int64_t>(length) - 4;
  if (x.numel() == 0) return 0;
  if (observes_batch(op, args)) {
    x = ops::call(reference, "aten::transpose.int", {x, 0, 1}).to_tensor();
  }
  Tensor rows =
      ops::call(reference, "aten::reshape",
                {mapped(x, [](double v) { return v; }), core::make_int_list(core::Dims{-1, group})})
          .to_tensor();
  double eps = argument(op, args, "eps").to_scalar().to_double();
  double added = eps > 0 ? eps : 1e-300;  // So that the variance is told where it is not 0.
  auto normal =
      ops::call(reference, ops::get_operator("aten::native_layer_norm"),
                std::vector<Value>{rows, core::make_int_list(core::Dims{group}), {}, {}, added});
  double steepest = greatest(normal[2].to_tensor()), lost = 1;
  if (eps <= 0) {  // What a negative one leaves of a variance has the error of the whole.
    for (const Scalar& inverse : core::elements(normal[2].to_tensor())) {
      double variance = std::pow(inverse.to_double(), -2), left = variance + eps;
      if (!(left > 0)) continue;
      steepest = std::max(steepest, 1 / std::sqrt(left));
      lost = std::max(lost, variance / left);
    }
  }
  double size = lost * (2 * greatest(x) * steepest * (weight ? greatest(weight) : 1) +
                        greatest(bias) + greatest(result));
  return std::isnan(size) ? std::numeric_limits<double>::infinity() : size;  // inf * 0
}

/// Means of values with weights e^score / sum: an error of a score counts as often as the sizes of
/// what the score adds up.
double size_of_attended(const Operator& op, const core::Values& args) {
  Tensor query = argument(op, args, "query").to_tensor();
  double width = query.dim() > 0 ? static_cast<double>(query.sizes().back()) : 1;
  auto scale = op.schema.find_argument("scale");
  double factor = scale && !args[*scale].is_none() ? args[*scale].to_scalar().to_double()
                                                   : 1 / std::sqrt(std::max(width, 1.0));
  double score =
      width * greatest(query) * greatest(argument(op, args, "key").to_tensor()) * std::fabs(factor);
  const Value& mask = argument(op, args, "attn_mask");
  double added = mask.is_tensor() ? greatest(mask.to_tensor()) : 0;
  if (std::isfinite(added)) score += added;
  return greatest(argument(op, args, "value").to_tensor()) * (4 + 2 * score);
}

/// Steps feed their errors to the next ones, whose weights (rows of absolute sum at most 1/2: see
/// the calls' generator) and gates do not let them grow; a cell's state adds up over the steps.
double size_of_recurrent(const core::Values& args) {
  double steps = 1, size = 1;
  for (const Value& arg : args) {
    if (arg.is_int()) steps = std::max(steps, arg.to_scalar().to_double() * 6);
    if (arg.is_tensor() && core::is_floating(arg.to_tensor().dtype()))
      size += greatest(arg.to_tensor());
    if (!arg.is_list()) continue;
    for (const Value& item : arg.list().items) size = std::max(size, greatest(item.to_tensor()));
  }
  return 2 * steps * size;
}

bool is_recurrent(const Operator& op) {
  return starts(op, {"aten::lstm", "aten::gru", "aten::rnn_"});
}

/// Whether a window has weights that are not finite and may lie on zeros around the input: some
/// kernels multiply these and get NaN, others leave them out. PyTorch's kernels differ, too.
bool multiplies_padding(const Operator& op, const core::Values& args) {
  if (!op.schema.find_argument("weight") || !op.schema.find_argument("padding")) return false;
  const Value& padding = argument(op, args, "padding");
  bool none =
      padding.is_list() && std::all_of(padding.list().items.begin(), padding.list().items.end(),
                                       [](const Value& p) { return p.to_int() == 0; });
  // Sums keep NaN.
  auto sum = [&](const char* name) {
    double total = 0;
    auto items = core::elements(argument(op, args, name).to_tensor());
    for (const Scalar& item : items) total += std::fabs(item.to_double());
    return total;
  };
  bool scaled = op.schema.find_argument("scale") && argument(op, args, "scale").is_tensor();
  double most = sum("weight") * (scaled ? sum("scale") : 1);
  return !none && !(most < std::numeric_limits<float>::max());
}

Bound reassociating(const Operator& op, const core::Values& args, const Tensor& result,
                    ops::Context& reference) {
  double length = is_recurrent(op) ? 24 : length_of(op, args, result);
  Bound b{units_of_sum(length), {}, 0, 0x1p-120, 16 + length, result.dtype()};
  // A residual may be wider than what is convolved.
  if (op.schema.find_argument("residual")) b.dtype = args[0].to_tensor().dtype();
  b.promises = !multiplies_padding(op, args);
  if (auto alpha = op.schema.find_argument("alpha")) {
    // The product is formed before it is scaled.
    double scale = std::fabs(args[*alpha].to_scalar().to_double());
    b.overflow /= std::min(1.0, scale);
    b.underflow *= std::max(1.0, scale);
  }
  auto divisor = op.schema.find_argument("divisor_override");
  if (divisor && !args[*divisor].is_none()) {
    // The sum is formed before it is divided.
    b.overflow *= std::max(1.0, std::fabs(args[*divisor].to_scalar().to_double()));
  }
  if (starts(op, {"aten::prod", "aten::cumprod"})) {
    b.promises = multiplies_in_range(args[0].to_tensor());
  }
  if (op.qualified_name.find("log_softmax") != std::string::npos) {
    // x - max - log(sum): the first difference is no larger than the result.
    b.least = 1;
  } else if (op.qualified_name.find("softmax") != std::string::npos) {
    // e^(x - max) / sum: an error of the difference d counts |d| times, and |d| <= |log r|.
    b.magnitude = mapped(result, [](double r) { return r > 0 ? r * (4 - std::log(r)) : r; });
  } else if (is_recurrent(op)) {
    b.least = size_of_recurrent(args);
  } else if (starts(op, {"aten::layer_norm", "aten::native_layer_norm", "aten::group_norm",
                         "aten::instance_norm", "aten::native_group_norm"}) ||
             observes_batch(op, args)) {
    b.least = size_of_normalized(op, args, length, result, reference);
    // The variance of larger numbers overflows float; PyTorch gives NaN there.
    b.promises = greatest(args[0].to_tensor()) < 0x1p63;
  } else if (starts(op, {"aten::upsample"})) {
    // Cubic weights are of either sign; the sizes of a place's sum to at most 1.375^2 < 2.
    b.least = 2 * greatest(args[0].to_tensor());
  } else if (op.qualified_name.find("scaled_dot_product") != std::string::npos) {
    b.least = size_of_attended(op, args);
  } else if (starts(op, {"aten::_transform"})) {
    b.least = greatest(args[0].to_tensor()) + greatest(args[1].to_tensor());
  } else if (starts(op, {"aten::_fft"})) {
    // Every result adds up all elements, turned by angles; those of positive numbers cancel, too.
    b.least = sum_of_all(args[0].to_tensor());
    b.promises = std::isfinite(b.least);
  } else {
    Tensor sizes = sum_of_sizes(op, args, reference);
    // Other results than the first one are of their own size.
    if (sizes.sizes() == result.sizes()) b.magnitude = sizes;
  }
  return b;
}

/// One rounding. Where a factor is rounded before the sum there are two.
Bound rounded(const Operator& op, const core::Values& args, const Tensor& result,
              ops::Context& reference) {
  Bound b;
  auto alpha = op.schema.find_argument("alpha");
  if (!alpha || std::fabs(args[*alpha].to_scalar().to_double()) == 1) return b;
  return {4, sum_of_sizes(op, args, reference), 0, 0x1p-120, 4, result.dtype()};
}

/// Most of 4 units in the last place. gelu is x (1 + erf) / 2: 1 + erf is rounded at 1.
Bound few_ulps(const Operator& op, const core::Values& args, const Tensor& result) {
  Bound b{8, {}, 0, 0x1p-126, 0, result.dtype()};
  if (op.schema.name == "aten::gelu") {
    b.magnitude = sizes_of(args[0].to_tensor());
  }
  // 1 - P and sums whose terms cancel have errors of the size of their terms.
  if (op.schema.name == "aten::igammac" || op.schema.name == "aten::special_ndtri")
    b.least = 0x1p-30;
  if (op.schema.name == "aten::special_zeta") {
    Tensor q = args[1].is_tensor() ? args[1].to_tensor() : Tensor();
    b.promises = q && q.numel() > 0 &&
                 std::ranges::all_of(core::elements(q),
                                     [](const core::Scalar& v) { return v.to_double() > 0; });
  }
  // Where an end is infinite, complex arithmetic makes NaN of different parts.
  if (core::is_complex(result.dtype()) && starts(op, {"aten::linspace", "aten::logspace"}))
    b.promises = std::isfinite(sum_of_all(result));
  // A power that rounding puts to either side of an integer, stored as one.
  if (core::is_integral(result.dtype(), true) && starts(op, {"aten::logspace"})) {
    b.units = std::max(b.units, 1.0);
    b.underflow = 1;
  }
  // e^-x overflows before x e^x underflows.
  if (op.schema.name == "aten::silu") b.underflow = 0x1p-119;
  // x times a number of [0, 6], over 6.
  if (op.schema.name == "aten::hardswish") b.overflow = 6;
  return b;
}

/// Of a type: the roundoff of a number of size 1, the largest number, and the distance between the
/// smallest ones, to which a result that underflows is rounded.
struct Precision {
  double unit, top, step;
};

Precision precision_of(DType dtype) {
  switch (core::real_of(dtype)) {
    case DType::float64:
      return {0x1p-53, 0x1p1023, 0x1p-1074};
    case DType::float16:
      return {0x1p-11, 65504, 0x1p-24};
    case DType::bfloat16:
      return {0x1p-8, 3.3e38, 0x1p-133};
    default:
      return {0x1p-24, 3.4e38, 0x1p-149};
  }
}

bool same_bits(double a, double e) {
  return (std::isnan(a) && std::isnan(e)) || (a == e && std::signbit(a) == std::signbit(e));
}

bool same_bits(const Scalar& a, const Scalar& e) {
  if (a.is_int() || a.is_bool()) return a.to_int() == e.to_int();
  auto left = a.to_complex(), right = e.to_complex();
  return same_bits(left.real(), right.real()) && same_bits(left.imag(), right.imag());
}

/// Of real numbers.
bool near(double a, double e, double magnitude, const Bound& bound, Precision p) {
  if (std::isnan(e)) return std::isnan(a);
  if (std::isnan(magnitude) || bound.overflow * magnitude > p.top) return true;
  if (std::isinf(e)) return a == e;
  return std::fabs(a - e) <= (bound.units + 1) * p.unit * magnitude + p.step + bound.underflow;
}

bool near(const Scalar& a, const Scalar& e, double magnitude, const Bound& bound, Precision p) {
  auto left = a.to_complex(), right = e.to_complex();
  return near(left.real(), right.real(), magnitude, bound, p) &&
         near(left.imag(), right.imag(), magnitude, bound, p);
}

std::optional<std::string> elements(const Tensor& actual, const Tensor& expected,
                                    const Bound& bound) {
  if (!bound.promises) return {};
  auto got = core::elements(actual), wanted = core::elements(expected);
  std::vector<Scalar> sizes = bound.magnitude ? core::elements(bound.magnitude) : wanted;
  if (sizes.size() != got.size()) return "the bound is for another shape";
  Precision p = precision_of(actual.dtype()), computed = precision_of(bound.dtype);
  p = {std::max(p.unit, computed.unit), std::min(p.top, computed.top),
       std::max(p.step, computed.step)};
  for (size_t i = 0; i < got.size(); ++i) {
    if (same_bits(got[i], wanted[i])) continue;
    double magnitude = std::abs(sizes[i].to_complex()) + bound.least;
    // In another order infinity may meet 0 or its opposite, or not; so may a part of a complex
    // number.
    bool lost =
        std::isnan(magnitude) || (std::isinf(magnitude) && core::is_complex(actual.dtype()));
    if (bound.magnitude && lost) continue;
    if (bound.units > 0 && near(got[i], wanted[i], magnitude, bound, p)) continue;
    return fmt::format("element {} is {} instead of {} with {} units of {}", i, core::repr(got[i]),
                       core::repr(wanted[i]), bound.units, magnitude);
  }
  return std::nullopt;
}

std::optional<std::string> tensors(const Tensor& actual, const Tensor& expected,
                                   const Bound& bound) {
  if (actual.dtype() != expected.dtype() || actual.sizes() != expected.sizes()) {
    return fmt::format("{}{} instead of {}{}", core::python_name(actual.dtype()), actual.sizes(),
                       core::python_name(expected.dtype()), expected.sizes());
  }
  if (actual.numel() > 0 && actual.strides() != expected.strides()) {
    return fmt::format("strides {} instead of {}", actual.strides(), expected.strides());
  }
  if (actual.device().type == core::DeviceType::meta) return std::nullopt;
  return elements(actual, expected, bound);
}

std::optional<std::string> lists(const core::Values& actual, const core::Values& expected,
                                 const Bound& bound) {
  if (actual.size() != expected.size()) {
    return fmt::format("{} items instead of {}", actual.size(), expected.size());
  }
  for (size_t i = 0; i < actual.size(); ++i) {
    if (auto differs = difference(actual[i], expected[i], bound)) {
      return fmt::format("item {}: {}", i, *differs);
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Bound> bounds_of(const Operator& op, const core::Values& args,
                             const core::Values& results, ops::Context& reference) {
  std::vector<Bound> bounds;
  for (const Value& result : results) {
    Tensor t = result.is_tensor() ? result.to_tensor() : Tensor();
    if (!t || !(core::is_floating(t.dtype()) || core::is_complex(t.dtype())) || t.numel() == 0) {
      bounds.emplace_back();
      continue;
    }
    switch (op.numeric()) {
      case ops::Numeric::correctly_rounded:
        bounds.push_back(rounded(op, args, t, reference));
        break;
      case ops::Numeric::ulp:
        bounds.push_back(few_ulps(op, args, t));
        break;
      case ops::Numeric::reassociating:
        bounds.push_back(reassociating(op, args, t, reference));
        break;
      default:
        bounds.emplace_back();
    }
  }
  return bounds;
}

std::optional<std::string> difference(const Value& actual, const Value& expected,
                                      const Bound& bound) {
  if (actual.tag() != expected.tag()) {
    return fmt::format("{} instead of {}", actual.kind_name(), expected.kind_name());
  }
  if (actual.is_tensor()) return tensors(actual.to_tensor(), expected.to_tensor(), bound);
  if (actual.is_list()) return lists(actual.list().items, expected.list().items, bound);
  // NaN is written as NaN.
  bool same = actual.equals(expected) || core::repr(actual) == core::repr(expected);
  return same ? std::nullopt : std::optional<std::string>("another value");
}

}  // namespace assay::kernels::testing
