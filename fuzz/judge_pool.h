#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "verify/properties/property.h"

namespace assay::fuzz {

/// Runs cases on a thread of its own: nothing of it may be shared with another one.
struct Helper {
  verify::Subject subject;
  verify::Reference reference;
};

/// A case with what each property says of it, in the order of the properties; nothing where one
/// does not concern the case.
struct JudgedCase {
  verify::Case tested;
  std::vector<std::optional<verify::Judgement>> judgements;
  std::exception_ptr failed;  ///< What was thrown instead; then there are no judgements.
};

/// Judges cases by properties, several at once where there are helpers.
class JudgePool {
 public:
  using Properties = std::vector<std::shared_ptr<const verify::Property>>;

  /// A null property concerns no case. Larger cases than `max_elements` are not run. All arguments
  /// must live longer.
  JudgePool(const verify::PropertyContext& context, const Properties& properties,
            const std::vector<Helper>& helpers, int64_t max_elements);

  /// How many cases to hand over next: one where there is no helper, else as many as keep all
  /// threads at work for a few hundredths of a second.
  size_t wanted() const { return wanted_; }
  /// Judges all of them, in this order or another one; each judgement depends on its case alone.
  /// The first one is the campaign's case number `number`: properties about assay itself are judged
  /// at every case of a short campaign, and at every so many of a long one.
  std::vector<JudgedCase> judge(std::vector<verify::Case> cases, int64_t number);
  /// One property, at once.
  verify::Judgement judge(const verify::Property& property, const verify::Case& c) const;

 private:
  JudgedCase judge_by_all(const verify::PropertyContext& context, verify::Case c,
                          int64_t number) const;
  verify::Judgement judge_in(const verify::PropertyContext& context,
                             const verify::Property& property, const verify::Case& c) const;

  const verify::PropertyContext& context_;
  const Properties& properties_;
  int64_t max_elements_;
  std::vector<std::unique_ptr<Helper>> helpers_;
  std::vector<verify::PropertyContext> contexts_;  // The caller's, then the helpers'.
  size_t wanted_ = 1;
};

}  // namespace assay::fuzz
