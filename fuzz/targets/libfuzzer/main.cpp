// A libFuzzer program around one byte target, which CMake names.

#include <cstdint>

#include "fuzz/targets/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const assay::fuzz::ByteTarget* target = assay::fuzz::find_byte_target(ASSAY_FUZZ_TARGET);
  assay::fuzz::feed(*target, {reinterpret_cast<const char*>(data), size});
  return 0;
}
