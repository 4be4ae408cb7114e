#include "verify/observation/places.h"

namespace assay::verify {

bool is_of_pytorch(const std::string& file) {
  // Also the engine's face of it: engine/python.
  return file.find("-packages/torch/") != std::string::npos ||
         file.find("/assay/torch/") != std::string::npos;
}

std::string_view base_name(std::string_view file) {
  size_t slash = file.find_last_of("/\\");
  return slash == std::string_view::npos ? file : file.substr(slash + 1);
}

}  // namespace assay::verify
