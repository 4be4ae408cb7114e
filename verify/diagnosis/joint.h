#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verify/cases/case.h"
#include "verify/diagnosis/boundary.h"

namespace assay::verify::diagnosis {

/// Sizes at which a property was judged.
struct JudgedSizes {
  Bindings sizes;
  bool fails = false;
};

/// A condition on several sizes together that says where a property fails.
struct JointRule {
  enum class Relation { above, below, equal, unequal, divisible, indivisible };
  /// What is compared, made of these letters.
  enum class Form { product, sum, difference, largest, smallest };
  Form form = Form::product;
  std::vector<std::string> letters;
  Relation relation = Relation::above;
  /// Of above and below: the nearest value seen to fail, and the nearest seen to hold; else what it
  /// is compared with or divided by.
  int64_t fails_at = 0, holds_at = 0;

  int64_t value(const Bindings& sizes) const;
  /// Whether sizes fail by the rule; nothing between the nearest values that were seen.
  std::optional<bool> fails(const Bindings& sizes) const;
  /// "h*w > 64"; "h*w >= 66, not where h*w <= 64" where the values between were not met.
  std::string text() const;

 private:
  /// What is compared as text, and what a difference is compared with where the number is 0.
  std::pair<std::string, std::string> sides() const;
};

/// The rules that give every judgement, the simplest first. None where fewer than three fail or
/// hold, or where a letter has one size only among those: anything would fit.
std::vector<JointRule> joint_rules(const std::vector<JudgedSizes>& judged,
                                   const std::vector<std::string>& letters);

/// The rule behind these judgements: of those that fit, what is left after more sizes were judged
/// where they part or have not been seen, all else as in `base`. Without `judge` the judgements
/// have to leave one form only. Nothing where none fits.
std::optional<JointRule> measure_joint(const Spec& spec, const Case& base,
                                       std::vector<JudgedSizes> judged, const Judge& judge);

/// Whether a judgement says otherwise than the boundary of one letter does.
bool contradicts(const Boundary& boundary, const JudgedSizes& judged);

}  // namespace assay::verify::diagnosis
