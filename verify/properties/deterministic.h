#pragma once

#include "verify/properties/property.h"

namespace assay::verify {

/// The subject gives the same bits when it is run again at the same case, with the same seed.
class Deterministic final : public Property {
 public:
  std::string_view id() const override { return "deterministic"; }
  Judgement judge(const PropertyContext& context, const Case& c) const override;
};

}  // namespace assay::verify
