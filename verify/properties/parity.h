#pragma once

#include "verify/properties/property.h"

namespace assay::verify {

/// The subject gives what the reference gives, in the layers of `compare`; where one of them raises
/// the other does. Where the reference gives other values when asked again, its values say nothing
/// (AS116) and the case is not tested; but a subject that draws nothing has fixed what changes.
class Parity final : public Property {
 public:
  std::string_view id() const override { return "parity"; }
  std::string not_applicable(const PropertyContext& context) const override;
  /// Where the reference has certain cases only, no others.
  bool concerns(const PropertyContext& context, const Case& c) const override;
  Judgement judge(const PropertyContext& context, const Case& c) const override;
};

}  // namespace assay::verify
