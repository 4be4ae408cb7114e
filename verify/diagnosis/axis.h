#pragma once

#include <optional>
#include <vector>

#include "verify/diagnosis/boundary.h"
#include "verify/findings/finding.h"
#include "verify/spec/spec.h"

namespace assay::verify::diagnosis {

/// The feature that decides a failure.
struct DecidingAxis {
  FeatureAxis axis;
  /// A failing case that differs from the right one in this feature alone, where there is one.
  std::optional<Case> nearest_failure;
  /// Features that would explain the verdicts as well.
  std::vector<FeatureAxis> equally;
};

/// The axis of a letter: the first dimension of an input that it stands alone at.
FeatureAxis dim_axis(const Spec& spec, const std::string& letter);

/// Compares a failing case with a right one, feature by feature: a feature decides if changing it
/// alone makes the right case fail, else if putting it back alone makes the failing case hold.
/// Without a right case, or where no single feature decides, the first feature that is not at its
/// plainest (a size: the lowest declared), else the values. With `only`, no other cases can be
/// judged: the feature of which their verdicts are a function decides, or the one in which most
/// pairs of differing verdict differ alone.
DecidingAxis decide_axis(const Spec& spec, const Case& failing, const std::optional<Case>& right,
                         const Judge& judge, const std::vector<Case>* only = nullptr);

}  // namespace assay::verify::diagnosis
