#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/core/value.h"

namespace assay::api {

/// A Python that has PyTorch, from ASSAY_PYTHON or the system's.
inline std::string python() {
  const char* chosen = std::getenv("ASSAY_PYTHON");
  return chosen ? chosen : "/usr/bin/python3";
}

/// Runs a script that lies beside this file.
inline bool run_script(const std::string& script, const std::string& arguments) {
  std::string command = "OMP_NUM_THREADS=1 " + python() + " tests/engine/api/" + script + " " +
                        arguments + " >/dev/null";
  return std::system(command.c_str()) == 0;
}

inline bool run_python(const std::string& arguments) {
  return run_script("archives.py", arguments);
}

inline bool has_torch() {
  static const bool found =
      std::system((python() + " -c 'import torch' >/dev/null 2>&1").c_str()) == 0;
  return found;
}

inline bool has_torchvision() {
  static const bool found =
      std::system((python() + " -c 'import torchvision' >/dev/null 2>&1").c_str()) == 0;
  return found;
}

/// A folder of this run of the tests that a script fills; it goes away with the program.
class ScriptFolder {
 public:
  /// Runs `script`, whose arguments are `before` and the folder's path.
  ScriptFolder(const std::string& script, const std::string& before) {
    std::string name = "assay_" + script + "_" + std::to_string(getpid());
    path_ = std::filesystem::temp_directory_path() / name;
    std::filesystem::create_directories(path_);
    if (!run_script(script, before + " " + path_.string())) {
      throw std::runtime_error(script + " failed");
    }
  }
  ~ScriptFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScriptFolder(const ScriptFolder&) = delete;
  ScriptFolder& operator=(const ScriptFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The folder with archives that PyTorch made for this run of the tests; nothing without PyTorch.
inline std::optional<std::filesystem::path> archives() {
  if (!has_torch()) return std::nullopt;
  static const ScriptFolder folder("archives.py", "make");
  return folder.path();
}

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// The tensors in a result, in order.
inline void collect_tensors(const core::Value& value, std::vector<core::Tensor>& out) {
  if (value.is_tensor()) out.push_back(value.to_tensor());
  if (value.is_list()) {
    for (const core::Value& item : value.list().items) collect_tensors(item, out);
  }
  if (value.is_tuple()) {
    for (const core::Value& item : value.tuple().items) collect_tensors(item, out);
  }
  if (value.is_dict()) {
    for (const auto& entry : value.dict().entries()) collect_tensors(entry.value, out);
  }
}

}  // namespace assay::api
