#include "tests/conformance/pool.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/base/heap.h"
#include "engine/core/memory_budget.h"

namespace assay::conformance {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

bool write_all(int fd, const void* data, size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    ssize_t wrote = ::send(fd, at, size, MSG_NOSIGNAL);
    if (wrote <= 0) return false;
    at += wrote;
    size -= static_cast<size_t>(wrote);
  }
  return true;
}

bool read_all(int fd, void* data, size_t size) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    ssize_t got = ::read(fd, at, size);
    if (got <= 0) return false;
    at += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

std::string encode(const std::vector<Result>& results) {
  json out = json::array();
  for (const Result& r : results) {
    out.push_back({r.id, r.group, r.passed, r.reason, r.detail, r.missing, r.seconds});
  }
  return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<Result> decode(const std::string& text) {
  std::vector<Result> results;
  for (const json& r : json::parse(text)) {
    results.push_back({r[0], r[1], r[2], r[3], r[4], r[5], r[6]});
  }
  return results;
}

/// Bounds what this process may take. The address sanitizer reserves far more addresses than it
/// uses: then the limits of the engine have to do.
void limit_process([[maybe_unused]] size_t bytes) {
#ifndef ASSAY_SANITIZED
  rlimit memory{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &memory);
#endif
}

[[noreturn]] void child_main(int fd, int errors, const std::vector<std::filesystem::path>& cases,
                             const PoolOptions& options) {
  // The driver of a GPU reserves far more addresses, too.
  if (options.device.type != core::DeviceType::cuda) limit_process(options.memory_bytes);
  rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  core::MemoryScope budget(base::make_ref<core::MemoryBudget>(options.memory_bytes / 2));
  int null = ::open("/dev/null", O_WRONLY);
  ::dup2(null, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  std::chrono::milliseconds time(static_cast<int64_t>(options.seconds_per_run * 1e3));
  uint64_t index = 0;
  while (read_all(fd, &index, sizeof(index))) {
    base::DeadlineScope deadline(time);
    base::HeapLimit heap(options.memory_bytes / 2);
    std::string answer = encode(run_case(cases[index], options.device));
    uint64_t size = answer.size();
    if (!write_all(fd, &size, sizeof(size)) || !write_all(fd, answer.data(), size)) break;
  }
  ::_exit(0);
}

struct Worker {
  pid_t pid = -1;
  int fd = -1;
  int errors = -1;  ///< A file in memory: what the child says on its standard error.
  std::optional<size_t> current;
  Clock::time_point started;
};

class Pool {
 public:
  Pool(const std::vector<std::filesystem::path>& cases, const PoolOptions& options,
       const std::function<void(const std::vector<Result>&)>& done)
      : cases_(cases), options_(options), done_(done) {}

  void run() {
    workers_.resize(static_cast<size_t>(std::max(1, options_.workers)));
    for (Worker& worker : workers_) give(worker);
    while (busy()) wait();
    for (Worker& worker : workers_) stop(worker);
  }

 private:
  bool busy() const {
    for (const Worker& worker : workers_) {
      if (worker.current) return true;
    }
    return false;
  }

  void start(Worker& worker) {
    int fds[2];
    base::invariant(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0,
                    "no socket pair");
    int errors = ::memfd_create("errors", MFD_CLOEXEC);
    base::invariant(errors >= 0, "no file in memory");
    pid_t pid = ::fork();
    base::invariant(pid >= 0, "cannot fork");
    if (pid == 0) {
      ::close(fds[0]);
      for (const Worker& other : workers_) {
        if (other.fd >= 0) ::close(other.fd);
      }
      child_main(fds[1], errors, cases_, options_);
    }
    ::close(fds[1]);
    worker.pid = pid;
    worker.fd = fds[0];
    worker.errors = errors;
  }

  void stop(Worker& worker) {
    if (worker.fd >= 0) ::close(worker.fd);
    if (worker.errors >= 0) ::close(worker.errors);
    worker.fd = worker.errors = -1;
    if (worker.pid > 0) ::waitpid(worker.pid, nullptr, 0);
    worker.pid = -1;
  }

  void give(Worker& worker) {
    worker.current.reset();
    if (next_ >= cases_.size()) return;
    if (worker.pid < 0) start(worker);
    uint64_t index = next_++;
    worker.current = index;
    worker.started = Clock::now();
    write_all(worker.fd, &index, sizeof(index));
  }

  void wait() {
    std::vector<pollfd> fds;
    std::vector<Worker*> waiting;
    for (Worker& worker : workers_) {
      if (!worker.current) continue;
      fds.push_back({worker.fd, POLLIN, 0});
      waiting.push_back(&worker);
    }
    ::poll(fds.data(), fds.size(), 200);
    for (size_t i = 0; i < waiting.size(); ++i) {
      Worker& worker = *waiting[i];
      std::chrono::duration<double> spent = Clock::now() - worker.started;
      if (fds[i].revents != 0) {
        receive(worker);
      } else if (spent.count() > options_.seconds_per_case) {
        ::kill(worker.pid, SIGKILL);
        lose(worker, "timeout");
      }
    }
  }

  void receive(Worker& worker) {
    uint64_t size = 0;
    std::string answer;
    bool whole = read_all(worker.fd, &size, sizeof(size));
    if (whole) {
      answer.resize(size);
      whole = read_all(worker.fd, answer.data(), size);
    }
    if (!whole) {
      lose(worker, "");
      return;
    }
    done_(decode(answer));
    give(worker);
  }

  /// The end of what the child said on its standard error: a sanitizer's report.
  static std::string last_words(const Worker& worker) {
    constexpr off_t most = 8000;
    off_t size = ::lseek(worker.errors, 0, SEEK_END), from = std::max<off_t>(0, size - most);
    std::string text(static_cast<size_t>(size - from), '\0');
    ssize_t got = ::pread(worker.errors, text.data(), text.size(), from);
    text.resize(got < 0 ? 0 : static_cast<size_t>(got));
    return text;
  }

  /// The child is gone, or about to be; with an empty reason, its exit says why.
  void lose(Worker& worker, std::string reason) {
    int status = 0;
    ::waitpid(worker.pid, &status, 0);
    if (reason.empty()) {
      reason = WIFSIGNALED(status) ? fmt::format("crash: signal {}", WTERMSIG(status))
                                   : fmt::format("crash: exit {}", WEXITSTATUS(status));
    }
    worker.pid = -1;
    std::vector<Result> lost = lost_case(cases_[*worker.current], reason);
    for (Result& result : lost) result.detail = last_words(worker);
    stop(worker);
    done_(lost);
    give(worker);
  }

  const std::vector<std::filesystem::path>& cases_;
  const PoolOptions& options_;
  const std::function<void(const std::vector<Result>&)>& done_;
  std::vector<Worker> workers_;
  size_t next_ = 0;
};

}  // namespace

void run_pool(const std::vector<std::filesystem::path>& cases, const PoolOptions& options,
              const std::function<void(const std::vector<Result>&)>& done) {
  Pool(cases, options, done).run();
}

}  // namespace assay::conformance
