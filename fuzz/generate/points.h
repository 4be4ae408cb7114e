#pragma once

#include <rapidcheck/Gen.h>

#include "fuzz/generate/hints.h"

namespace assay::fuzz {

/// Random points of a spec, drawn more often where exports break (interesting sizes, sizes that are
/// equal, sizes at an end) than elsewhere; RapidCheck's size parameter bounds the rest. They shrink
/// as `shrinkable_point` says. A point that the spec has none for, given what was drawn before,
/// moves to the nearest; a spec without points gives the empty point.
rc::Gen<verify::Point> points(const verify::Spec& spec, const Hints& hints);

}  // namespace assay::fuzz
