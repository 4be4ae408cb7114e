#include "verify/observation/places.h"

namespace assay::verify {

bool is_of_pytorch(const std::string& file) {
  return file.find("-packages/torch/") != std::string::npos;
}

}  // namespace assay::verify
