#pragma once

#include <rapidcheck/Gen.h>
#include <rapidcheck/Random.h>

#include <optional>
#include <variant>

#include "fuzz/generate/hints.h"
#include "verify/cases/case.h"

namespace assay::fuzz {

/// A random case before it is drawn: the same one whoever draws it.
struct Draw {
  rc::Random random;
  int size;  ///< RapidCheck's: how far wide domains are searched.
};

/// A case of a campaign, known or to be drawn.
using Turn = std::variant<verify::Case, Draw>;

/// Makes the cases of a spec's turns. Every thread has its own: a generator counts its references.
class Drawer {
 public:
  /// The spec must live longer.
  Drawer(const verify::Spec& spec, const Hints& hints);

  /// Nothing where no point of the spec is found.
  std::optional<verify::Case> make(Turn turn) const;

 private:
  const verify::Spec& spec_;
  rc::Gen<verify::Point> generator_;
};

}  // namespace assay::fuzz
