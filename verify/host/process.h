#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "verify/observation/observation.h"

namespace assay::verify::host {

using Clock = std::chrono::steady_clock;
using Deadline = Clock::time_point;

struct ProcessOptions {
  std::vector<std::string> command;  ///< Program (looked up in PATH) and arguments.
  std::vector<std::pair<std::string, std::string>> environment;  ///< Added to this process's own.
  std::string directory;                                         ///< To run in; empty: this one's.
  size_t stderr_kept = size_t{16} << 10;                         ///< Last bytes of standard error.
  /// Whether nobody wants the answer any more: then a wait for it ends soon, as at its deadline.
  std::function<bool()> interrupted = {};
  /// Where the system counts, as `oom_kill`, the processes that it killed for want of memory.
  std::string system_counts = "/proc/vmstat";
};

/// What became of a process that gave no answer: `died`, `timed_out`, or `exhausted` where the
/// system killed it for want of memory. The message says how it ended and quotes its last lines on
/// standard error.
class ProcessLost : public base::Error {
 public:
  ProcessLost(Ending why, std::string message)
      : base::Error(base::ErrorKind::input, std::move(message)), ending(why) {}
  const Ending ending;
};

/// A child process in a process group of its own, with pipes to its standard streams. Its standard
/// error is read along the way, so that it never blocks on it. Not thread-safe.
class Process {
 public:
  /// Input error if the program cannot be started, with the reason.
  explicit Process(const ProcessOptions& options);
  /// Kills the whole group.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Writes all bytes. Throws ProcessLost at the deadline (after killing it) or if it ended.
  void write(std::string_view bytes, Deadline deadline);
  /// Waits for output; at least one byte. Throws ProcessLost as `write` does.
  size_t read_some(std::span<std::byte> into, Deadline deadline);
  /// Closes its standard input, waits until it ends or the deadline, then kills what is left.
  void finish(Deadline deadline);
  void kill();

  bool running();
  /// "exited with code 3", "was killed by signal 11 (Segmentation fault)", "was killed by the
  /// system, which had no memory left"; empty while it runs.
  std::string ending_text() const;
  /// The last bytes of standard error, whole lines where possible.
  std::string last_words() const;

 private:
  enum class Want { read, write };
  /// Waits until the wanted direction is ready or has ended, reading standard error meanwhile.
  void wait_for(Want want, Deadline deadline);
  void drain_stderr();
  void close_all();
  /// Whether it was killed by somebody else, while the system killed for want of memory.
  bool ran_out_of_memory() const;
  /// It has ended, by itself.
  [[noreturn]] void lost_itself();
  [[noreturn]] void lost(Ending why, const std::string& how);

  pid_t pid_ = -1;
  int in_ = -1;   // its standard input
  int out_ = -1;  // its standard output
  int err_ = -1;  // its standard error
  int status_ = 0;
  bool reaped_ = false;
  bool killed_here_ = false;
  size_t stderr_kept_;
  std::string system_counts_;
  int64_t kills_before_;
  std::function<bool()> interrupted_;
  std::string stderr_;
};

}  // namespace assay::verify::host
