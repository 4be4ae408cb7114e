#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/value.h"

namespace assay::verify {

/// SHA-256, in hexadecimal, of each parameter's elements in row-major order, by the parameter's
/// path
/// ("encoder.0.weight"). Those that hold the same numbers are equal whatever file they came from.
using WeightHashes = std::map<std::string, std::string>;

WeightHashes weight_hashes(const std::vector<std::pair<std::string, core::Value>>& parameters);

/// One hash of them all; empty for none.
std::string hash_of(const WeightHashes& hashes);

/// Paths that both have, with different elements.
std::vector<std::string> unlike(const WeightHashes& a, const WeightHashes& b);

/// Paths of tensors that both have, alike in type and form, with other bytes.
std::vector<std::string> unlike(const std::vector<std::pair<std::string, core::Value>>& a,
                                const std::vector<std::pair<std::string, core::Value>>& b);

/// SHA-256 of bytes, in hexadecimal.
std::string sha256(std::string_view bytes);

/// The first five of them: "conv.weight, conv.bias, ...".
std::string first_few(std::vector<std::string> names);

}  // namespace assay::verify
