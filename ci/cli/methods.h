#pragma once

#include <string>

#include "engine/api/module.h"

namespace assay::cli {

/// Input error that lists the methods there are, if the module of this file has none of that name.
void check_method(const api::Module& module, const std::string& method, const std::string& path);

}  // namespace assay::cli
