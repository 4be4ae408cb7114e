#include "verify/compare/bound.h"

#include <fmt/core.h>

#include <optional>

#include "engine/core/epsilon.h"

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

Bound BoundRule::bound_for(std::string_view place, core::DType dtype) const {
  std::optional<double> a = tolerance(atol, place), r = tolerance(rtol, place);
  Bound out;
  if (a || r) {
    out.atol = a.value_or(0);
    out.rtol = r.value_or(0);
    out.given = true;
  } else {
    out.rtol = growth * core::epsilon(dtype);
  }
  return out;
}

std::string Bound::text() const {
  if (atol == 0 && rtol == 0) return "equal";
  return fmt::format("|difference| <= {} + {} * |reference|", atol, rtol);
}

}  // namespace assay::verify
