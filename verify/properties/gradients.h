#pragma once

#include "verify/properties/property.h"

namespace assay::verify {

/// With gradients switched on, the subject's outputs ask for gradients where the reference's do,
/// and what flows back through equal outputs is equal: a trace does not keep `no_grad`. The subject
/// runs in PyTorch for it where there is one.
class Gradients final : public Property {
 public:
  std::string_view id() const override { return "gradients"; }
  std::string not_applicable(const PropertyContext& context) const override;
  bool concerns(const PropertyContext& context, const Case& c) const override;
  bool compares_values() const override { return false; }
  Judgement judge(const PropertyContext& context, const Case& c) const override;
};

}  // namespace assay::verify
