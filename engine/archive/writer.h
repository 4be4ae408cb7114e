#pragma once

#include <functional>
#include <map>
#include <string>

#include "engine/core/value.h"
#include "engine/ir/unit.h"

namespace assay::archive {

struct WriteOptions {
  std::string root = "archive";                    ///< Name of the folder in the zip file.
  std::map<std::string, std::string> extra_files;  ///< Go below `extra/`.
  bool source_ranges = true;                       ///< Write `.debug_pkl` records.
};

/// The module as a TorchScript archive that PyTorch and `Reader` load: its state, the source of
/// every class and function that it needs, and where that source comes from. `run` calls the
/// `__getstate__` of classes that define one. Gives the file's bytes.
/// Input error for state or code that the format cannot hold.
std::string write_module(ir::Unit& unit, const core::ObjectRef& module, const WriteOptions& options,
                         const std::function<core::Value(ir::Function&, core::Values)>& run);

}  // namespace assay::archive
