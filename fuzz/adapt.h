#pragma once

#include <optional>
#include <string>

#include "verify/cases/case.h"

namespace assay::fuzz {

/// A case of an earlier spec in terms of another one.
struct Adapted {
  std::optional<verify::Case> fitting;  ///< Nothing where the spec has no such case.
  /// It is the same call: every argument, size and choice found its place, under the same name.
  bool whole = false;
  std::string why;  ///< Without a fitting case: "n = 40 lies outside its range".
};

/// Inputs are matched by path, whatever their order; those that were renamed by their form (kind,
/// rank, element type). Letters get the sizes that stand where they stand now, also where they are
/// called otherwise; a letter without such a place keeps the size that it had by name. What cannot
/// be placed (an input that is new, a choice that is gone) gets its plain default. There is no
/// fitting case where a size lies outside its range, where a letter would need two sizes, and where
/// nothing of the case is left. Arguments that were given outright fit nowhere else.
Adapted adapt(const verify::Spec& spec, const verify::Case& old);

}  // namespace assay::fuzz
