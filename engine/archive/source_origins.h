#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/base/source_range.h"

namespace assay::archive {

/// Reads the map from an archive's code to the program that it was exported from: the contents of a
/// `.debug_pkl` record, in the plain format and in the one with a string table. `read` gives the
/// record's bytes; it is called when the first origin is asked for. A broken map is as good as
/// none: no origin is known then, and loading goes on.
std::function<base::SourceRange(size_t)> source_origins(std::function<std::string()> read);

}  // namespace assay::archive
