#pragma once

#include <string>
#include <string_view>

namespace assay::reports {

/// Text as it may stand between the tags of HTML and XML and in quoted attributes; control
/// characters become U+FFFD.
std::string escape_markup(std::string_view text);

}  // namespace assay::reports
