#pragma once

#include "verify/cases/case.h"
#include "verify/spec/spec.h"

namespace assay::verify {

/// A case around arguments that are given outright, placed in the spec: each letter that stands
/// alone at some dimension of a tensor gets that dimension's size, optional inputs their choice.
/// Input error where an argument does not have the declared form: its kind, its number of sizes,
/// those sizes that are numbers.
Case bind_case(const Spec& spec, Call call);

}  // namespace assay::verify
