#include "verify/cases/detail/base64.h"

#include <algorithm>
#include <cstdint>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace assay::verify::detail {

namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string base64url(std::string_view bytes) {
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t word = 0;
    for (size_t k = 0; k < 3; ++k) {
      word = word << 8 | (k < count ? static_cast<uint8_t>(bytes[i + k]) : 0u);
    }
    for (size_t k = 0; k <= count; ++k) out += alphabet[(word >> (18 - 6 * k)) & 63];
  }
  return out;
}

std::string from_base64url(std::string_view text) {
  std::string out;
  uint32_t word = 0;
  int bits = 0;
  for (char c : text) {
    size_t digit = alphabet.find(c);
    base::check(digit != std::string_view::npos,
                "this text is damaged: ", base::python_repr(std::string(1, c)),
                " does not belong into it");
    word = (word << 6 | static_cast<uint32_t>(digit)) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out += static_cast<char>(word >> bits & 0xff);
    }
  }
  return out;
}

}  // namespace assay::verify::detail
