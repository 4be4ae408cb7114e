#include "tests/ci/cli/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace assay::cli::testing {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void limit(int what, rlim_t value) {
  rlimit bound{value, value};
  ::setrlimit(static_cast<__rlimit_resource>(what), &bound);
}

[[noreturn]] void become(const std::string& command, const std::string& out,
                         const std::string& err) {
  constexpr rlim_t seconds = 60;
  limit(RLIMIT_CPU, seconds);
  limit(RLIMIT_CORE, 0);
#if defined(ASSAY_SANITIZED)
  // Programs may make values that hold themselves; nobody collects those before the end.
  const char* options = std::getenv("ASAN_OPTIONS");
  ::setenv(
      "ASAN_OPTIONS",
      (std::string(options ? options : "allocator_may_return_null=1") + ":detect_leaks=0").c_str(),
      1);
#else
  // The address sanitizer reserves terabytes of address space for itself.
  limit(RLIMIT_AS, rlim_t{4} << 30);
#endif
  ::dup2(::open("/dev/null", O_RDONLY), 0);
  ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
  ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
  std::string folder = std::filesystem::path(ASSAY_PROGRAM).parent_path();
  ::setenv("PATH", (folder + ":" + std::getenv("PATH")).c_str(), 1);
  for (const char* name : {"CI", "ASSAY_PROFILE"}) ::unsetenv(name);
  ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
  ::_exit(127);
}

}  // namespace

Outcome run(const std::string& command) {
  Folder folder;
  std::string out = folder.path() + "/out", err = folder.path() + "/err";
  pid_t child = ::fork();
  if (child == 0) become("exec " + command, out, err);
  int status = 0;
  ::waitpid(child, &status, 0);
  Outcome outcome;
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  outcome.out = contents(out);
  outcome.err = contents(err);
  return outcome;
}

std::string Folder::put(const std::string& name, const std::string& contents) const {
  std::string path = this->path() + "/" + name;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << contents;
  return path;
}

void expect_refusal(const std::string& command, const std::vector<std::string>& parts) {
  SCOPED_TRACE(command);
  Outcome outcome = run(command);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  const std::string start = "assay: ";
  EXPECT_TRUE(outcome.err.starts_with(start)) << outcome.err;
  EXPECT_EQ(outcome.err.find("\n" + start), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("internal"), std::string::npos) << outcome.err;
  EXPECT_LT(outcome.err.size(), 4000u);
  for (const std::string& part : parts) {
    EXPECT_NE(outcome.err.find(part), std::string::npos) << "without \"" << part << "\":\n"
                                                         << outcome.err;
  }
}

}  // namespace assay::cli::testing
