#include "ci/cli/interruption.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace assay::cli {

namespace {

volatile std::sig_atomic_t interrupted = 0;

/// Calls only what a handler of signals may.
void end_at_once(int received) {
  constexpr std::string_view told =
      "assay: interrupted before the first case: nothing was compared\n";
  [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, told.data(), told.size());
  ::_exit(128 + received);
}

}  // namespace

int interrupted_by() { return interrupted; }

void end_at_once_on_signals() {
  for (int signal : {SIGINT, SIGTERM}) std::signal(signal, end_at_once);
}

void end_in_order_on_signals() {
  struct sigaction action {};
  action.sa_handler = [](int received) { interrupted = received; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

}  // namespace assay::cli
