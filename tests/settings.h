#pragma once

#include <cstdint>
#include <cstdlib>

namespace assay {

/// What an environment variable says, such as ASSAY_SEED: a number of the person who runs a test.
inline uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace assay
