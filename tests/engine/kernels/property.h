#pragma once

#include <rapidcheck.h>

#include <cstdlib>
#include <iostream>
#include <string>

namespace assay::kernels::testing {

/// Checks a property on so many calls: the same ones in every run, unless RC_PARAMS asks for
/// others.
template <typename Property>
bool holds(const std::string& name, int calls, Property&& property) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  if (std::getenv("RC_PARAMS") == nullptr) {
    params.seed = 20231;
    params.maxSuccess = calls;
  }
  rc::detail::TestMetadata metadata{name, name};
  auto result = rc::detail::checkTestable(property, metadata, params);
  bool success = result.template is<rc::detail::SuccessResult>();
  if (!success) rc::detail::printResultMessage(result, std::cerr << name << ": ");
  return success;
}

}  // namespace assay::kernels::testing
