#pragma once

#include <memory>
#include <vector>

#include "verify/diagnosis/attribution.h"

namespace assay::verify::diagnosis {

/// Numbers that were drawn while a graph was traced: by the signs of Python's and NumPy's
/// generators, and by further exports at the same inputs.
class Draws {
 public:
  /// `at`: where the probe was exported.
  Draws(Exporter& exporter, const Case& at) : exporter_(exporter), at_(at) {}

  /// A further export at the same inputs that is not the graph `subject`, after a few tries: the
  /// one before drew the same numbers as the subject by chance.
  std::shared_ptr<const Export> other_than(const Program& subject);

  /// Makes AS113 of the literals that were drawn; all that come from one line are.
  void name(const ExportDiff& view, const Escapes& escapes, std::vector<Attribution>& found);

 private:
  /// The k-th further export; null where there is none.
  std::shared_ptr<const Export> further(size_t k);
  /// What speaks for a drawn literal; empty where nothing does.
  std::string sign_of(const ExportDiff& view, const Attribution& a);
  /// Whether a generator decided which steps there are: a shuffled list of modules.
  bool chose_steps(const ExportDiff& view, const Attribution& a, const Escapes& escapes);

  Exporter& exporter_;
  const Case& at_;
  std::vector<std::shared_ptr<const Export>> made_;
};

}  // namespace assay::verify::diagnosis
