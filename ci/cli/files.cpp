#include "ci/cli/files.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "engine/base/error.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File open(const std::string& path, const char* mode) {
  return File(std::fopen(path.c_str(), mode), std::fclose);
}

/// What is there and is no file (a pipe, a device) is written to, never replaced.
bool is_written_in_place(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error) && !fs::is_regular_file(path, error);
}

constexpr const char* is_a_folder = "it is a folder; name a file in it";

/// Where a file is written before it gets its name.
std::string partial(const std::string& path) { return path + ".partial"; }

[[noreturn]] void cannot_write(const std::string& path, int why) {
  fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  bool no_folder = why == ENOENT && !folder.empty() && !fs::exists(folder, error);
  base::fail("cannot write ", path, ": ", std::strerror(why),
             no_folder ? "; make the folder " + folder.string() + " first" : "");
}

/// Says why the text could not be written; 0 if it was.
int put(const std::string& path, std::string_view text) {
  File file = open(path, "wb");
  if (file == nullptr) return errno;
  bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
                 std::fflush(file.get()) == 0;
  if (!written) return errno;
  return std::fclose(file.release()) == 0 ? 0
                                          : errno;  // Some disks say only now that they are full.
}

}  // namespace

std::string read_file(const std::string& path, size_t limit) {
  std::error_code error;
  base::check(!fs::is_directory(path, error), path, " is a folder, not a file");
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
    std::fwrite(text.data(), 1, text.size(), stdout);  // finish_output asks how that went.
    return;
  }
  std::error_code error;
  base::check(!fs::is_directory(path, error), "cannot write ", path, ": ", is_a_folder);
  bool in_place = is_written_in_place(path);
  std::string target = in_place ? path : partial(path);
  int why = put(target, text);
  if (why == 0 && !in_place && std::rename(target.c_str(), path.c_str()) != 0) why = errno;
  if (why == 0) return;
  if (!in_place) ::unlink(target.c_str());
  cannot_write(path, why);
}

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  base::check(!error, "cannot make the folder ", path, ": ", error.message());
}

void check_file_writable(const std::string& path) {
  if (path == "-") return;
  std::error_code error;
  base::check(!fs::is_directory(path, error), "cannot write ", path, ": ", is_a_folder);
  if (fs::exists(path, error)) {
    if (::access(path.c_str(), W_OK) != 0) cannot_write(path, errno);
    if (is_written_in_place(path)) return;
  }
  std::string target = partial(path);
  int why = put(target, "");
  ::unlink(target.c_str());
  if (why != 0) cannot_write(path, why);
}

void check_folder_writable(const std::string& path) {
  std::error_code error;
  fs::path made;
  // The topmost one that has to be made: trying it is enough, and it goes away again.
  for (fs::path at = fs::absolute(path).lexically_normal(); !fs::exists(at, error);
       at = at.parent_path()) {
    made = at;
  }
  if (made.empty()) return check_file_writable((fs::path(path) / "case.json").string());
  fs::create_directory(made, error);
  base::check(!error, "cannot make the folder ", path, ": ", error.message());
  fs::remove(made, error);
}

void finish_output() {
  bool lost = std::ferror(stdout) != 0;
  int why = std::fflush(stdout) == 0 ? 0 : errno;
  base::check(!lost && why == 0, "cannot write the output",
              why == 0 ? "" : std::string(": ") + std::strerror(why));
}

}  // namespace assay::cli
