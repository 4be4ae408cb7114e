#pragma once

#include <string>
#include <string_view>

namespace assay::verify {

/// Whether a Python file is PyTorch's own, or NumPy's, which computes with tensors as with any
/// objects: never the place of a finding, which is the user's line that called it.
bool is_of_library(const std::string& file);

/// A file's name without its folder: exports of one model are made in several.
std::string_view base_name(std::string_view file);

}  // namespace assay::verify
