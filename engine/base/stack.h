#pragma once

#include <string_view>

namespace assay::base {

/// To be called on each level of a recursion whose depth the input decides: input error that says
/// what is nested too deeply, while there is still stack left to handle it.
void check_stack(std::string_view what);

}  // namespace assay::base
