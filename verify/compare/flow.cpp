#include "verify/compare/flow.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/base/text.h"

namespace assay::verify {

namespace {

using Kind = GradientFlow::Kind;
using Numbers = std::vector<double>;

/// No gradient is one of zeros.
double at(const Numbers& gradient, size_t i) { return gradient.empty() ? 0 : gradient[i]; }

bool is_finite(const Numbers& gradient) {
  return std::ranges::all_of(gradient, [](double v) { return std::isfinite(v); });
}

double largest(const Numbers& gradient) {
  double most = 0;
  for (double v : gradient) most = std::max(most, std::abs(v));
  return most;
}

bool can_be_compared(const Numbers& a, const Numbers& b) {
  bool sizes = a.size() == b.size() || a.empty() || b.empty();
  return sizes && is_finite(a) && is_finite(b);
}

/// The element at which two gradients are farthest apart, and how far.
std::pair<size_t, double> farthest(const Numbers& a, const Numbers& b) {
  std::pair<size_t, double> found{0, 0};
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    double apart = std::abs(at(a, i) - at(b, i));
    if (apart > found.second) found = {i, apart};
  }
  return found;
}

double largest_of_all(const GradientFlow& flow) {
  double most = 0;
  for (const auto& [name, gradient] : flow.values)
    if (is_finite(gradient)) most = std::max(most, largest(gradient));
  return most;
}

std::string gradient_text(const Numbers& gradient, size_t i) {
  return gradient.empty() ? "no gradient" : fmt::format("a gradient of {:.6g}", gradient[i]);
}

/// Whether rounding alone moves the reference's gradient by something like the difference.
bool may_be_rounding(const Numbers& reference, const GradientFlow& nudged, const std::string& name,
                     double difference) {
  constexpr double far_more = 16;
  auto moved = nudged.values.find(name);
  if (moved == nudged.values.end() || !can_be_compared(moved->second, reference)) return true;
  return difference <= far_more * farthest(moved->second, reference).second;
}

FlowComparison compare_values(const GradientFlow& subject, const GradientFlow& reference,
                              const std::function<GradientFlow()>& nudged) {
  FlowComparison out;
  double precision = std::max(subject.precision, reference.precision);
  // Sums that cancel leave the rounding of what they cancelled.
  double dust = 64 * precision * std::max(largest_of_all(subject), largest_of_all(reference));
  std::optional<GradientFlow> moved;
  for (const auto& [name, expected] : reference.values) {
    auto found = subject.values.find(name);
    if (found == subject.values.end() || !can_be_compared(found->second, expected)) continue;
    if (found->second.empty() && expected.empty()) continue;
    ++out.compared;
    auto [place, apart] = farthest(found->second, expected);
    double scale = std::max(largest(found->second), largest(expected));
    if (apart <= std::max(dust, std::sqrt(precision) * scale)) continue;
    if (!moved) moved = nudged();
    if (may_be_rounding(expected, *moved, name, apart)) continue;
    out.differences.push_back({Layer::gradients, name, gradient_text(found->second, place),
                               gradient_text(expected, place), std::nullopt, false});
  }
  if (out.compared == 0) out.reason = "no finite gradients stand beside each other";
  return out;
}

std::string cuts_text(const std::vector<std::string>& cuts) {
  return cuts.empty() ? "gradients through all of it"
                      : "gradients that end on the way (" + base::join(cuts, ", ") + ")";
}

/// Whether the reference lost no gradients by the cuts that it has and the subject has not: moving
/// what was cut left the output where it was.
bool is_without_effect(const std::string& place, const std::vector<std::string>& subject,
                       const GradientFlow& reference, const GradientFlow& moved) {
  const std::vector<std::string>& cuts = reference.cuts.at(place);
  auto kept = moved.cuts.find(place);
  auto before = reference.values.find(place), after = moved.values.find(place);
  if (kept == moved.cuts.end() || after == moved.values.end() || before == reference.values.end())
    return false;
  if (!std::ranges::includes(cuts, subject) || !std::ranges::includes(subject, kept->second))
    return false;
  if (before->second.empty() || !can_be_compared(before->second, after->second)) return false;
  double rounding = 64 * reference.precision * largest(before->second);
  return farthest(before->second, after->second).second <= rounding;
}

FlowComparison compare_cuts(const GradientFlow& subject, const GradientFlow& reference,
                            const std::function<GradientFlow()>& nudged) {
  FlowComparison out;
  std::optional<GradientFlow> moved;
  for (const auto& [place, expected] : reference.cuts) {
    auto found = subject.cuts.find(place);
    if (found == subject.cuts.end()) continue;
    ++out.compared;
    if (found->second == expected) continue;
    if (!moved) moved = nudged();
    if (is_without_effect(place, found->second, reference, *moved)) continue;
    out.differences.push_back({Layer::gradients, place, cuts_text(found->second),
                               cuts_text(expected), std::nullopt, false});
  }
  if (out.compared == 0) out.reason = "no tensors stand beside each other";
  if (out.differences.empty() && !reference.own_derivatives.empty()) {
    out.decides = false;
    out.reason = fmt::format(
        "{} has a derivative of its own, which only PyTorch computes; --host pytorch compares it",
        base::join(reference.own_derivatives, ", "));
  }
  return out;
}

bool has_gradients_of_inputs(const GradientFlow& flow) {
  return std::ranges::any_of(flow.values, [](const auto& named) {
    return named.first.starts_with("args") || named.first.starts_with("kwargs");
  });
}

FlowComparison compared_failures(std::vector<Difference> differences) {
  FlowComparison out;
  out.compared = 1;
  out.differences = std::move(differences);
  return out;
}

FlowComparison not_compared(std::string reason) {
  FlowComparison out;
  out.reason = std::move(reason);
  return out;
}

}  // namespace

FlowComparison compare_flows(const GradientFlow& subject, const GradientFlow& reference,
                             const std::function<GradientFlow()>& nudged) {
  bool failed = !subject.failed.empty(), both = failed && !reference.failed.empty();
  if (failed && !both && has_gradients_of_inputs(reference)) {
    return compared_failures({{Layer::gradients, "inputs", fmt::format("error {}", subject.failed),
                               "gradients", std::nullopt, false}});
  }
  if (both && (subject.kind == Kind::unknown || reference.kind == Kind::unknown)) {
    return compared_failures({});
  }
  for (const GradientFlow* flow : {&reference, &subject}) {
    if (flow->kind == Kind::unknown) return not_compared(flow->reason);
  }
  if (subject.kind != reference.kind) return not_compared("one side alone computes gradients");
  return subject.kind == Kind::cuts ? compare_cuts(subject, reference, nudged)
                                    : compare_values(subject, reference, nudged);
}

}  // namespace assay::verify
