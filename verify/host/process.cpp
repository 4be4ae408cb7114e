#include "verify/host/process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

extern char** environ;

namespace assay::verify::host {

namespace {

constexpr auto kLook = std::chrono::milliseconds(100);  // How often to see whether it still runs.
constexpr auto kPatience = std::chrono::seconds(1);     // With an answer, after an interruption.

class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }
  void reset(int fd = -1) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

struct Pipe {
  Fd ours, theirs;
};

void open_pipe(Fd& reading, Fd& writing) {
  std::array<int, 2> ends{};
  base::check(::pipe2(ends.data(), O_CLOEXEC) == 0, "no pipe: ", std::strerror(errno));
  reading.reset(ends[0]);
  writing.reset(ends[1]);
}

void make_nonblocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

std::vector<std::string> merged_environment(
    const std::vector<std::pair<std::string, std::string>>& extra) {
  std::vector<std::string> out;
  for (char** at = environ; *at; ++at) {
    std::string_view line = *at;
    bool replaced = std::any_of(extra.begin(), extra.end(), [&](const auto& pair) {
      return line.starts_with(pair.first) && line.substr(pair.first.size()).starts_with('=');
    });
    if (!replaced) out.emplace_back(line);
  }
  for (const auto& [name, value] : extra) out.push_back(name + "=" + value);
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

/// In the child, between fork and exec: nothing here may allocate or lock.
[[noreturn]] void become(char* const* arguments, char* const* variables, const char* directory,
                         std::array<int, 3> streams, int report) {
  ::setpgid(0, 0);
  for (int number = 0; number < 3; ++number) ::dup2(streams[static_cast<size_t>(number)], number);
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  for (int number : {SIGINT, SIGTERM, SIGPIPE, SIGCHLD}) ::sigaction(number, &plain, nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (*directory == '\0' || ::chdir(directory) == 0) ::execvpe(arguments[0], arguments, variables);
  int why = errno;
  [[maybe_unused]] auto written = ::write(report, &why, sizeof why);
  ::_exit(127);
}

/// How many processes the system has killed for want of memory; 0 where it does not say.
int64_t kills_for_memory(const std::string& counts) {
  std::ifstream in(counts);
  std::string name;
  for (int64_t count = 0; in >> name >> count;) {
    if (name == "oom_kill") return count;
  }
  return 0;
}

}  // namespace

Process::Process(const ProcessOptions& options)
    : stderr_kept_(options.stderr_kept),
      system_counts_(options.system_counts),
      kills_before_(kills_for_memory(system_counts_)),
      interrupted_(options.interrupted) {
  base::invariant(!options.command.empty(), "no command");
  Pipe in, out, err;
  Fd report_read, report_write;
  std::array<int, 2> ends{};
  // A socket, since writing to one whose reader is gone can be kept from raising SIGPIPE.
  base::check(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0,
              "no socket: ", std::strerror(errno));
  in.ours.reset(ends[0]);
  in.theirs.reset(ends[1]);
  open_pipe(out.ours, out.theirs);
  open_pipe(err.ours, err.theirs);
  open_pipe(report_read, report_write);

  std::vector<std::string> command = options.command;
  std::vector<std::string> environment = merged_environment(options.environment);
  std::vector<char*> arguments = pointers(command);
  std::vector<char*> variables = pointers(environment);
  pid_ = ::fork();
  base::check(pid_ >= 0, "cannot start another process: ", std::strerror(errno));
  if (pid_ == 0)
    become(arguments.data(), variables.data(), options.directory.c_str(),
           {in.theirs.get(), out.theirs.get(), err.theirs.get()}, report_write.get());

  ::setpgid(pid_, pid_);  // Also here, so that it holds before the first kill.
  report_write.reset();
  int why = 0;
  if (::read(report_read.get(), &why, sizeof why) == sizeof why) {
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
    base::fail("cannot start ", command[0], ": ", std::strerror(why));
  }
  in_ = in.ours.release();
  out_ = out.ours.release();
  err_ = err.ours.release();
  for (int fd : {in_, out_, err_}) make_nonblocking(fd);
}

Process::~Process() {
  kill();
  close_all();
}

void Process::close_all() {
  for (int* fd : {&in_, &out_, &err_}) {
    if (*fd >= 0) ::close(*fd);
    *fd = -1;
  }
}

void Process::drain_stderr() {
  std::array<char, 4096> piece{};
  while (err_ >= 0) {
    ssize_t got = ::read(err_, piece.data(), piece.size());
    if (got == 0) {
      ::close(err_);
      err_ = -1;
    }
    if (got <= 0) return;
    stderr_.append(piece.data(), static_cast<size_t>(got));
    if (stderr_.size() > 2 * stderr_kept_) stderr_.erase(0, stderr_.size() - stderr_kept_);
  }
}

void Process::wait_for(Want want, Deadline deadline) {
  bool interrupted = false;
  for (;;) {
    if (!interrupted && interrupted_ && interrupted_()) {
      interrupted = true;
      deadline = std::min(deadline, Clock::now() + kPatience);
    }
    std::array<pollfd, 2> set{};
    set[0].fd = want == Want::read ? out_ : in_;
    set[0].events = want == Want::read ? POLLIN : POLLOUT;
    set[1].fd = err_;  // Negative once closed: ignored by poll.
    set[1].events = POLLIN;
    auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) {
      drain_stderr();
      kill();
      lost(Ending::timed_out, interrupted
                                  ? "gave no answer before the interruption and was killed"
                                  : "gave no answer within the time allowed and was killed");
    }
    auto pause = std::min<std::chrono::milliseconds>(left, kLook);
    int ready = ::poll(set.data(), set.size(), static_cast<int>(pause.count()));
    if (set[1].revents != 0) drain_stderr();
    if (ready > 0 && set[0].revents != 0) return;
    // A grandchild may hold the pipe open after the process itself has ended.
    if (ready == 0 && !running()) lost_itself();
  }
}

void Process::write(std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    wait_for(Want::write, deadline);
    ssize_t sent = ::send(in_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) finish(Clock::now() + 10 * kLook);
    if (sent < 0 && reaped_) lost_itself();
    if (sent > 0) bytes.remove_prefix(static_cast<size_t>(sent));
  }
}

size_t Process::read_some(std::span<std::byte> into, Deadline deadline) {
  for (;;) {
    wait_for(Want::read, deadline);
    ssize_t got = ::read(out_, into.data(), into.size());
    if (got > 0) return static_cast<size_t>(got);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    finish(Clock::now() + 10 * kLook);
    lost_itself();
  }
}

void Process::finish(Deadline deadline) {
  if (in_ >= 0) ::close(in_);
  in_ = -1;
  while (running() && Clock::now() < deadline) {
    drain_stderr();
    ::poll(nullptr, 0, 5);
  }
  drain_stderr();
  kill();
}

void Process::kill() {
  if (pid_ < 0) return;
  if (running()) {
    killed_here_ = true;
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
    reaped_ = true;
  }
  drain_stderr();
}

bool Process::running() {
  if (pid_ >= 0 && !reaped_ && ::waitpid(pid_, &status_, WNOHANG) == pid_) {
    reaped_ = true;
    ::kill(-pid_, SIGKILL);  // What it left behind in its group, while the number is still its own.
  }
  return pid_ >= 0 && !reaped_;
}

bool Process::ran_out_of_memory() const {
  bool killed = reaped_ && WIFSIGNALED(status_) && WTERMSIG(status_) == SIGKILL;
  return killed && !killed_here_ && kills_for_memory(system_counts_) > kills_before_;
}

std::string Process::ending_text() const {
  if (!reaped_) return {};
  if (ran_out_of_memory()) return "was killed by the system, which had no memory left";
  if (WIFSIGNALED(status_))
    return fmt::format("was killed by signal {} ({})", WTERMSIG(status_),
                       std::string(::strsignal(WTERMSIG(status_))));
  return fmt::format("exited with code {}", WEXITSTATUS(status_));
}

std::string Process::last_words() const {
  if (stderr_.size() <= stderr_kept_) return stderr_;
  std::string tail = stderr_.substr(stderr_.size() - stderr_kept_);
  size_t line = tail.find('\n');
  return line == std::string::npos ? tail : tail.substr(line + 1);
}

void Process::lost_itself() {
  lost(ran_out_of_memory() ? Ending::exhausted : Ending::died, ending_text());
}

void Process::lost(Ending why, const std::string& how) {
  std::vector<std::string> lines = base::split(base::trim(last_words()), '\n');
  if (lines.size() > 10) lines.erase(lines.begin(), lines.end() - 10);
  std::string words = base::join(lines, "\n  ");
  std::string message = fmt::format("the process {}", how);
  if (!words.empty()) message += "; its last words:\n  " + words;
  throw ProcessLost(why, message);
}

}  // namespace assay::verify::host
