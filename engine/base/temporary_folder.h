#pragma once

#include <filesystem>

namespace assay::base {

/// A folder that is gone, with all that lies in it, when this is.
class TemporaryFolder {
 public:
  /// Input error where none can be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace assay::base
