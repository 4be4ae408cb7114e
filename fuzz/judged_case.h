#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "verify/properties/property.h"

namespace assay::fuzz {

using Properties = std::vector<std::shared_ptr<const verify::Property>>;

/// A case with what each property says of it, in the order of the properties; nothing where one
/// does not concern the case.
struct JudgedCase {
  int64_t number = 0;                          ///< Of the campaign's cases: from 1.
  std::shared_ptr<const verify::Case> tested;  ///< Null where drawing it failed.
  std::vector<std::optional<verify::Judgement>> judgements;
  std::exception_ptr failed;  ///< What was thrown instead; then there are no judgements.
};

}  // namespace assay::fuzz
