#include "verify/host/host_program.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "engine/base/temporary_folder.h"
#include "tests/verify/host/with_torch.h"

namespace assay::verify::host {
namespace {

/// The compiled forms of the host's own program that lie in a folder, with their sizes.
std::map<std::string, uintmax_t> compiled_in(const std::filesystem::path& folder) {
  std::map<std::string, uintmax_t> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::string name = entry.path().filename();
    if (name.starts_with("assay_host")) found[name] = entry.file_size();
  }
  return found;
}

TEST_F(WithTorch, the_hosts_program_is_compiled_once_beside_the_engines_package) {
  base::TemporaryFolder folder;
  HostOptions options = with_package("engine_package");
  std::filesystem::copy(options.engine_package, folder.path() / "package",
                        std::filesystem::copy_options::recursive);
  options.engine_package = folder.path() / "package";
  auto kept = folder.path() / "package" / "assay" / "__pycache__";
  std::filesystem::remove_all(kept);
  EXPECT_TRUE(PytorchHost(options).facts().engine);  // Where there is no folder for them.
  std::filesystem::create_directory(kept);
  EXPECT_TRUE(PytorchHost(options).facts().engine);
  auto compiled = compiled_in(kept);
  EXPECT_GE(compiled.size(), 5u);
  // What is damaged is made again: cut off in different places.
  uintmax_t left = 0;
  for (const auto& [name, size] : compiled) std::filesystem::resize_file(kept / name, left += 7);
  EXPECT_TRUE(PytorchHost(options).facts().engine);
  EXPECT_EQ(compiled_in(kept), compiled);
}

}  // namespace
}  // namespace assay::verify::host
