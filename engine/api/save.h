#pragma once

#include <map>
#include <string>

#include "engine/api/module.h"

namespace assay::api {

/// Writes the module as a TorchScript archive that PyTorch loads. `extra_files` are bundled with
/// it. The file is written beside `path` and then renamed, so a reader never sees half of it.
void save(Module& module, const std::string& path,
          const std::map<std::string, std::string>& extra_files = {});
/// The archive's bytes; its root folder is named `name`.
std::string save_bytes(Module& module, const std::string& name = "archive",
                       const std::map<std::string, std::string>& extra_files = {});

}  // namespace assay::api
