#pragma once

#include <span>
#include <string_view>

namespace assay::verify::host {

/// One file of the folder assay_host, put into the program at build time (embed.cmake).
struct HostModule {
  std::string_view name;  ///< "assay_host.frames"
  std::string_view text;
};

std::span<const HostModule> host_modules();

}  // namespace assay::verify::host
