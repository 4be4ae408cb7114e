#pragma once

#include "verify/observation/observation.h"

namespace assay::verify {

/// A line of the model that is not to have its effect in a call. Where the model then gives what
/// its export gives, that line is what the export lacks.
struct Omission {
  enum class Kind {
    check,     ///< The `raise`, the `assert` or the call that stands there is not made.
    write,     ///< Memory of a tensor that is handed out there is a copy's: writes to it are lost.
    question,  ///< Whether a trace is being made is answered there as in one.
    state,     ///< What is assigned to a module's attribute there is gone after the call.
  };
  Kind kind = Kind::check;
  SourceLocation place;
};

}  // namespace assay::verify
