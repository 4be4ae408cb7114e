#include "verify/compare/bound.h"

#include <fmt/core.h>

#include <optional>

namespace assay::verify {

namespace {

/// The tolerance for a place: its own, that of an enclosing place ("output" for "output[0]"), or
/// the one for all.
std::optional<double> tolerance(const std::map<std::string, double>& by_place,
                                std::string_view place) {
  std::string at(place);
  while (!at.empty()) {
    auto found = by_place.find(at);
    if (found != by_place.end()) return found->second;
    size_t open = at.find_last_of("[.");
    at = open == std::string::npos ? "" : at.substr(0, open);
  }
  auto all = by_place.find("*");
  if (all == by_place.end()) return std::nullopt;
  return all->second;
}

}  // namespace

double epsilon(core::DType dtype) {
  switch (core::real_of(dtype)) {
    case core::DType::float64:
      return 0x1p-52;
    case core::DType::float32:
      return 0x1p-23;
    case core::DType::float16:
      return 0x1p-10;
    case core::DType::bfloat16:
      return 0x1p-7;
    default:
      return 0;
  }
}

Bound BoundRule::bound_for(std::string_view place, core::DType dtype) const {
  std::optional<double> a = tolerance(atol, place), r = tolerance(rtol, place);
  Bound out;
  if (a || r) {
    out.atol = a.value_or(0);
    out.rtol = r.value_or(0);
  } else if (!core::is_integral(dtype, true)) {
    out.rtol = growth * epsilon(dtype);
    out.scale = growth * epsilon(dtype);
  }
  return out;
}

std::string Bound::text() const {
  if (atol == 0 && rtol == 0 && scale == 0) return "equal";
  std::string out = fmt::format("|difference| <= {} + {} * |reference|", atol, rtol);
  if (scale > 0) out += fmt::format(" + {} * largest |reference|", scale);
  return out;
}

}  // namespace assay::verify
