#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::base {

/// Shortest decimal text that reads back to the same double. "inf", "-inf", "nan" for the
/// non-finite. No trailing ".0": 3.0 gives "3".
std::string number(double value);
/// As Python's repr of a float: 3.0 gives "3.0", 1e16 gives "1e+16".
std::string python_float(double value);
/// As Python's repr of a str: single quotes unless the text has one and no double quote.
std::string python_repr(std::string_view text);

std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::vector<std::string> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
/// Decimal digits with an optional sign, the whole text; false on anything else or overflow.
bool parse_int(std::string_view text, int64_t& out);
/// A decimal or scientific number, the whole text; "inf", "-inf" and "nan" included.
bool parse_double(std::string_view text, double& out);

}  // namespace assay::base
