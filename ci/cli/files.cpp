#include <cstdio>
#include <filesystem>
#include <memory>

#include "ci/cli/verb.h"
#include "engine/base/error.h"

namespace assay::cli {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File open(const std::string& path, const char* mode) {
  return File(std::fopen(path.c_str(), mode), std::fclose);
}

}  // namespace

std::string read_file(const std::string& path, size_t limit) {
  std::error_code error;
  base::check(!std::filesystem::is_directory(path, error), path, " is a folder, not a file");
  File file = open(path, "rb");
  base::check(file != nullptr, "cannot open ", path);
  std::string text;
  char buffer[1 << 16];
  while (size_t n = std::fread(buffer, 1, sizeof(buffer), file.get())) {
    text.append(buffer, n);
    base::check(text.size() <= limit, path, " is larger than ", limit, " bytes");
  }
  base::check(!std::ferror(file.get()), "cannot read ", path);
  return text;
}

void write_file(const std::string& path, std::string_view text) {
  if (path == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  std::string partial = path + ".partial";
  {
    File file = open(partial, "wb");
    base::check(file != nullptr, "cannot write ", path);
    bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
                   std::fflush(file.get()) == 0;
    base::check(written, "cannot write ", path, ": is the disk full?");
  }
  std::error_code error;
  std::filesystem::rename(partial, path, error);
  base::check(!error, "cannot write ", path, ": ", error.message());
}

}  // namespace assay::cli
