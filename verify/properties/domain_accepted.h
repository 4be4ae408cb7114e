#pragma once

#include "verify/properties/property.h"

namespace assay::verify {

/// A subject that stands alone takes every input that the spec declares: what it raises at is a
/// fault that is loud. Beside a reference, parity says who may reject what.
class DomainAccepted final : public Property {
 public:
  std::string_view id() const override { return "domain_accepted"; }
  std::string not_applicable(const PropertyContext& context) const override;
  bool compares_values() const override { return false; }
  Judgement judge(const PropertyContext& context, const Case& c) const override;
};

}  // namespace assay::verify
