#pragma once

#include <string>
#include <string_view>

namespace assay::verify::detail {

/// RFC 4648, section 5, without padding.
std::string base64url(std::string_view bytes);
/// Input error on a character that is not of the alphabet.
std::string from_base64url(std::string_view text);

}  // namespace assay::verify::detail
