#pragma once

#include "verify/properties/property.h"

namespace assay::verify {

/// The subject's optimized form (engine/optimize) gives what the subject gives, within the bounds
/// of its arithmetic, and raises where it raises. A violation is a fault of assay's engine (AS118).
class OptimizationNeutral final : public Property {
 public:
  std::string_view id() const override { return "optimization_neutral"; }
  std::string not_applicable(const PropertyContext& context) const override;
  bool about_assay() const override { return true; }
  Judgement judge(const PropertyContext& context, const Case& c) const override;
};

}  // namespace assay::verify
