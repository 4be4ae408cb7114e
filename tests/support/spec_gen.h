#pragma once

#include <rapidcheck.h>

#include <ostream>

#include "verify/spec/parser.h"

namespace assay::verify {

/// How RapidCheck prints a spec.
inline void showValue(const Spec& spec, std::ostream& os) { os << spec_text(spec); }

}  // namespace assay::verify

/// A legal spec with the letters b (1..4), h (4..8:2) and w (h..2*h). Defined in a file of its own,
/// since RapidCheck's templates take long to compile.
template <>
struct rc::Arbitrary<assay::verify::Spec> {
  static Gen<assay::verify::Spec> arbitrary();
};
