#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "verify/diagnosis/attribution.h"
#include "verify/findings/finding.h"

namespace assay::verify::diagnosis {

/// What variants are made for.
struct VariantRequest {
  const Spec* spec;
  std::shared_ptr<const Export> subject;
  Exporter* exporter;
  const FeatureAxis* axis;  ///< The feature that decides.
  const Case* failing;
  std::optional<Case> right;  ///< A case that holds, where one is known.
};

/// Exports that show what changes along the deciding axis, that at the failing case (`probe`)
/// first: along a letter at sizes that are primes, and one where every letter is large; along
/// values with others of the same sizes; of a recording all that it holds. Along other axes the
/// probe alone.
std::vector<Variant> make_variants(const VariantRequest& request,
                                   const std::shared_ptr<const Export>& probe);

}  // namespace assay::verify::diagnosis
