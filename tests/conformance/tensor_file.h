#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "engine/core/tensor.h"

namespace assay::conformance {

/// The tensors of a safetensors file (an 8-byte header length, a JSON header, raw little-endian
/// data), each in a storage of its own. An absent file has none.
std::map<std::string, core::Tensor> read_tensor_file(const std::filesystem::path& path);

}  // namespace assay::conformance
