#include "engine/core/epsilon.h"

namespace assay::core {

double epsilon(DType dtype) {
  switch (real_of(dtype)) {
    case DType::float64:
      return 0x1p-52;
    case DType::float32:
      return 0x1p-23;
    case DType::float16:
      return 0x1p-10;
    case DType::bfloat16:
      return 0x1p-7;
    default:
      return 0;
  }
}

}  // namespace assay::core
