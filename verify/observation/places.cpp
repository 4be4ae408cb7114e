#include "verify/observation/places.h"

#include <algorithm>
#include <array>

namespace assay::verify {

bool is_of_library(const std::string& file) {
  // Also the engine's face of PyTorch: engine/python.
  return std::ranges::any_of(
      std::array{"-packages/torch/", "/assay/torch/", "-packages/numpy/", "<__array_function__"},
      [&](const char* folder) { return file.find(folder) != std::string::npos; });
}

std::string_view base_name(std::string_view file) {
  size_t slash = file.find_last_of("/\\");
  return slash == std::string_view::npos ? file : file.substr(slash + 1);
}

}  // namespace assay::verify
