#include <cerrno>
#include <cstdio>
#include <cstring>
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
  base::check(file != nullptr, "cannot open ", path, ": ", std::strerror(errno));
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
  // What is there and is no file (a pipe, a device) is written to, never replaced.
  std::error_code error;
  bool in_place = std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path);
  std::string target = in_place ? path : path + ".partial";
  {
    File file = open(target, "wb");
    base::check(file != nullptr, "cannot write ", path, ": ", std::strerror(errno));
    bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
                   std::fflush(file.get()) == 0;
    base::check(written, "cannot write ", path, ": ", std::strerror(errno));
  }
  if (in_place) return;
  std::filesystem::rename(target, path, error);
  base::check(!error, "cannot write ", path, ": ", error.message());
}

}  // namespace assay::cli
