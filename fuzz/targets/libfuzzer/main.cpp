// A libFuzzer program around one byte target, which CMake names.

#include <cstdint>

#include ASSAY_FUZZ_HEADER

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay::fuzz;
  static const ByteTarget* target = find_target(ASSAY_FUZZ_TARGETS(), ASSAY_FUZZ_TARGET);
  feed(*target, {reinterpret_cast<const char*>(data), size});
  return 0;
}
