#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "verify/compare/compare.h"
#include "verify/run/export.h"
#include "verify/run/reference.h"
#include "verify/run/subject.h"
#include "verify/spec/spec.h"

namespace assay::verify {

/// What a property says about one case.
struct Judgement {
  enum class Verdict {
    holds,
    violated,
    discarded,   ///< Both sides reject the case.
    not_tested,  ///< Nothing was compared; `reason` says why.
    errored,     ///< The harness failed: a reference died, the engine has no such operator.
  };
  Verdict verdict = Verdict::not_tested;
  std::string reason;
  /// The reference was asked, or was to be asked: this says something of it against the subject.
  bool of_reference = false;
  Comparison comparison;
  Observation subject;
  Observation reference;
};

/// "holds", "not_tested": as the JSON report has it.
std::string_view verdict_name(Judgement::Verdict verdict);

/// What a property may use.
struct PropertyContext {
  const Spec* spec = nullptr;
  Subject* subject = nullptr;
  Reference* reference = nullptr;  ///< Null where there is none.
  CompareOptions compare;
  /// Exports the model at a case whose large difference rounding is to excuse; null where none can
  /// be made, or none is to be.
  Exporter* exporter = nullptr;
};

/// A law that must hold for every case.
///
/// An implementation must be a pure function of the context and the case: no state between cases.
/// It must never answer `holds` where nothing was compared. It leaves both observations in the
/// judgement, so that diagnosis need not run them again.
class Property {
 public:
  virtual ~Property() = default;
  /// "parity": stable, used in reports and test names.
  virtual std::string_view id() const = 0;
  /// Empty where the property applies; else the reason why it is skipped.
  virtual std::string not_applicable(const PropertyContext&) const { return {}; }
  /// False for a case that says nothing of this property: it is not judged and not counted.
  virtual bool concerns(const PropertyContext&, const Case&) const { return true; }
  /// True for a law about assay rather than the model: it is judged at a sample of the cases, is
  /// skipped where none of them can tell, and a violation is no fault of the model.
  virtual bool about_assay() const { return false; }
  /// False for a law about how calls end: it holds although no value was compared.
  virtual bool compares_values() const { return true; }
  virtual Judgement judge(const PropertyContext& context, const Case& c) const = 0;
};

/// The explicit list of all properties that assay knows.
std::vector<std::shared_ptr<const Property>> all_properties();

}  // namespace assay::verify
