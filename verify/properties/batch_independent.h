#pragma once

#include "verify/properties/property.h"

namespace assay::verify {

/// f(cat(a, b)) = cat(f(a), f(b)) along the leading dimension: rows do not see each other. A law of
/// many models and not of all (batch statistics, attention over rows), so it is checked where there
/// is no reference, or where the spec asks for it.
class BatchIndependent final : public Property {
 public:
  std::string_view id() const override { return "batch_independent"; }
  std::string not_applicable(const PropertyContext& context) const override;
  Judgement judge(const PropertyContext& context, const Case& c) const override;
};

/// The letter that leads the shape of every tensor input and occurs nowhere else in it; empty where
/// there is none.
std::string batch_letter(const Spec& spec);

}  // namespace assay::verify
