#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/cli/arguments.h"
#include "verify/cases/case.h"
#include "verify/spec/spec.h"

namespace assay::cli {

/// The flags of a spec: --spec, --input, --dim, --devices and so on.
std::vector<Flag> spec_flags();

/// The spec that the flags describe: the file of --spec, refined by the other flags.
verify::Spec spec_of(const Arguments& arguments,
                     const std::optional<verify::Spec>& otherwise = std::nullopt);

/// The arguments of one call, drawn at the plainest point of the spec (each letter's smallest size
/// above 1) with --seed.
verify::Call drawn_inputs(const Arguments& arguments, std::optional<core::Device> device);

/// A case with every feature at its plainest and every letter at its smallest size above 1.
verify::Case plainest_case(const verify::Spec& spec, uint64_t seed);

}  // namespace assay::cli
