#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>

namespace assay::api {

/// A Python that has PyTorch, from ASSAY_PYTHON or the system's; runs archives.py beside this file.
inline bool run_python(const std::string& arguments) {
  const char* python = std::getenv("ASSAY_PYTHON");
  std::string command = std::string("OMP_NUM_THREADS=1 ") + (python ? python : "/usr/bin/python3") +
                        " tests/engine/api/archives.py " + arguments + " >/dev/null";
  return std::system(command.c_str()) == 0;
}

inline bool has_torch() {
  const char* python = std::getenv("ASSAY_PYTHON");
  std::string command =
      std::string(python ? python : "/usr/bin/python3") + " -c 'import torch' >/dev/null 2>&1";
  static const bool found = std::system(command.c_str()) == 0;
  return found;
}

/// The folder with archives that PyTorch made for this run of the tests; nothing without PyTorch.
inline std::optional<std::filesystem::path> archives() {
  if (!has_torch()) return std::nullopt;
  static const std::filesystem::path folder = [] {
    auto made = std::filesystem::temp_directory_path() / ("assay_api_" + std::to_string(getpid()));
    std::filesystem::create_directories(made);
    if (!run_python("make " + made.string())) throw std::runtime_error("archives.py make failed");
    return made;
  }();
  return folder;
}

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace assay::api
