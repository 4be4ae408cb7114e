#pragma once

#include "verify/cases/case.h"
#include "verify/spec/spec.h"

namespace assay::verify {

/// A case around arguments that are given outright, placed in the spec: each letter that stands
/// alone at some dimension of a tensor, or is the only unknown of a size, gets its size, optional
/// inputs their choice, and what the spec varies (element type, layout, a key that may be absent)
/// what it is here. What it says of whole runs (mode, strict) is its first word. Input error where
/// an argument does not have the declared form: its kind, its number of sizes, those sizes that are
/// numbers.
Case bind_case(const Spec& spec, Call call);

}  // namespace assay::verify
