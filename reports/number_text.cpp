#include "reports/number_text.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "reports/escape.h"

namespace assay::reports {

using nlohmann::json;

std::string number_text(const json& value) {
  if (value.is_number_integer()) {
    std::string digits = value.dump();
    for (size_t at = digits.size(); at > 3 && digits[at - 4] != '-';) {
      at -= 3;
      digits.insert(at, "\xE2\x80\xAF");  // A narrow space that does not break.
    }
    return digits;
  }
  if (!value.is_number()) return escape_markup(value.is_string() ? value.get<std::string>() : "");
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%.4g", value.get<double>());
  return buffer;
}

}  // namespace assay::reports
