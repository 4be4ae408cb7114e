#pragma once

#include <string>

namespace assay::verify::guards {

/// What Z3 prints for a program in SMT-LIB, the common language of such solvers
/// (https://smt-lib.org, version 2.6): "sat", "unsat" or "unknown" for `(check-sat)`, a list for
/// `(get-value ...)`, "(error ...)" for what it does not take. Each program has a solver of its
/// own.
///
/// The library is opened at the first question: few checks have one, and to find and bind it takes
/// each start of a program half a millisecond. Empty where it is not there.
std::string ask_solver(const std::string& program);

}  // namespace assay::verify::guards
