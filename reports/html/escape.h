#pragma once

#include <string>
#include <string_view>

namespace assay::reports {

/// Text as it may stand between tags and in quoted attributes; control characters become U+FFFD.
std::string escape_html(std::string_view text);

}  // namespace assay::reports
