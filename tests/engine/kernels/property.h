#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

namespace assay::kernels::testing {

/// Checks a property on so many calls, unless RC_PARAMS says how many and which; those that `seed`
/// gives where there is one.
template <typename Property>
bool holds(const std::string& name, int calls, Property&& property,
           std::optional<uint64_t> seed = {}) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  if (std::getenv("RC_PARAMS") == nullptr) params.maxSuccess = calls;
  if (seed) params.seed = *seed;
  rc::detail::TestMetadata metadata{name, name};
  auto result = rc::detail::checkTestable(property, metadata, params);
  bool success = result.template is<rc::detail::SuccessResult>();
  if (!success) rc::detail::printResultMessage(result, std::cerr << name << ": ");
  if (!success) std::cerr << '\n';
  return success;
}

/// As `holds`, and that some call reached what the property is about. What is rarely drawn may be
/// missed by every call of a round, so further rounds are drawn, from seeds of their own, until
/// `reached()`: a hundred at most.
template <typename Property, typename Reached>
bool holds_where_reached(const std::string& name, int calls, Property&& property,
                         Reached&& reached) {
  uint64_t seed = rc::detail::configuration().testParams.seed;
  for (uint64_t round = 0; round < 100; ++round) {
    if (!holds(name, calls, property, seed + round)) return false;
    if (reached()) return true;
  }
  std::cerr << name << ": no drawn call reached it\n";
  return false;
}

}  // namespace assay::kernels::testing
