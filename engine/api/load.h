#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/api/module.h"

namespace assay::api {

struct LoadOptions {
  /// Puts every tensor on this device, wherever it was saved.
  std::optional<core::Device> map_location;
};

/// Loads a program by what the file is (archive/importer.h lists the formats). Tensors stay in the
/// mapped file where they can; code is parsed when it is first needed. Nothing of the file runs but
/// `__setstate__` of its own classes. Errors: input (not a valid file), unsupported.
Module load(const Engine& engine, const std::string& path, const LoadOptions& options = {});
/// From the bytes of such a file, which are copied.
Module load_bytes(const Engine& engine, std::string_view bytes, const LoadOptions& options = {});

}  // namespace assay::api
