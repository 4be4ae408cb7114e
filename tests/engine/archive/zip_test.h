#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/archive/zip_reader.h"
#include "engine/archive/zip_writer.h"

namespace assay::archive {

/// A zip file with these members below the folder "m".
inline std::string zip_of(const std::vector<std::pair<std::string, std::string>>& members) {
  ZipWriter writer("m");
  for (const auto& [name, contents] : members) writer.add(name, contents);
  return writer.finish();
}

inline ZipReader open_zip(const std::string& bytes) { return ZipReader(FileBytes::copy(bytes)); }

}  // namespace assay::archive
