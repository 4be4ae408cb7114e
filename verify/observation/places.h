#pragma once

#include <string>

namespace assay::verify {

/// Whether a Python file is PyTorch's own: never the place of a finding, which is the user's line
/// that called it.
bool is_of_pytorch(const std::string& file);

}  // namespace assay::verify
