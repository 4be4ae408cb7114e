#pragma once

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/base/temporary_folder.h"
#include "engine/core/value.h"

namespace assay::api {

/// A Python that has PyTorch, from ASSAY_PYTHON or the system's.
inline std::string python() {
  const char* chosen = std::getenv("ASSAY_PYTHON");
  return chosen ? chosen : "/usr/bin/python3";
}

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// What a command prints.
inline std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return out;
  for (int c = 0; (c = fgetc(pipe)) != EOF;) out += static_cast<char>(c);
  pclose(pipe);
  return out;
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

inline bool has_module(const std::string& name) {
  return std::system((python() + " tests/has_modules.py " + name + " 2>/dev/null").c_str()) == 0;
}

inline bool has_torch() {
  static const bool found = has_module("torch");
  return found;
}

inline bool has_torchvision() {
  static const bool found = has_module("torchvision");
  return found;
}

/// A folder of this run of the tests that a script fills; it goes away with the program.
class ScriptFolder {
 public:
  /// Runs `script`, whose arguments are `before` and the folder's path.
  ScriptFolder(const std::string& script, const std::string& before) {
    if (!run_script(script, before + " " + path().string())) {
      throw std::runtime_error(script + " failed");
    }
  }
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  base::TemporaryFolder folder_;
};

/// A folder in the build tree that a script fills once and that is only read: it is there for
/// further runs of the tests too, until the script, those it stands on, or PyTorch change. For what
/// takes long to make.
inline std::filesystem::path kept_folder(const std::string& script,
                                         const std::vector<std::string>& stands_on) {
  namespace fs = std::filesystem;
  std::string origin =
      output_of(python() + " -c 'import torch; print(torch.__file__, torch.__version__)'");
  for (const std::string& name : stands_on) origin += contents("tests/engine/api/" + name);
  fs::path kept =
      fs::path("build") /
      fmt::format("{}-{:016x}", script,
                  std::hash<std::string>()(origin + contents("tests/engine/api/" + script)));
  if (fs::exists(kept)) return fs::absolute(kept);
  for (const fs::directory_entry& old : fs::directory_iterator("build")) {
    if (old.path().filename().string().starts_with(script + "-")) fs::remove_all(old.path());
  }
  fs::path fresh = fmt::format("{}.{}", kept.string(), getpid());
  fs::create_directories(fresh);
  if (!run_script(script, fresh.string())) throw std::runtime_error(script + " failed");
  fs::rename(fresh, kept);
  return fs::absolute(kept);
}

/// The folder with archives that PyTorch made for this run of the tests; nothing without PyTorch.
inline std::optional<std::filesystem::path> archives() {
  if (!has_torch()) return std::nullopt;
  static const ScriptFolder folder("archives.py", "make");
  return folder.path();
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
