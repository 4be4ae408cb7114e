#include "verify/host/process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

#include "engine/base/temporary_folder.h"

namespace assay::verify::host {
namespace {

Process shell(const std::string& script) { return Process({{"sh", "-c", script}, {}, {}, 1024}); }

Deadline in(double seconds) {
  return Clock::now() + std::chrono::milliseconds(static_cast<int>(seconds * 1000));
}

std::string read_all(Process& process, size_t count) {
  std::string text(count, '\0');
  size_t got = 0;
  while (got < count)
    got += process.read_some(std::as_writable_bytes(std::span(text)).subspan(got), in(10));
  return text;
}

void expect_lost(Process& process, Ending ending, const std::string& part) {
  std::byte one{};
  try {
    process.read_some(std::span(&one, 1), in(0.5));
    FAIL() << "the process answered";
  } catch (const ProcessLost& lost) {
    EXPECT_EQ(lost.ending, ending);
    EXPECT_NE(lost.message().find(part), std::string::npos) << lost.message();
  }
  EXPECT_FALSE(process.running());
}

TEST(Process, answers_on_its_pipes) {
  Process cat({{"cat"}, {}, {}, 1024});
  std::string big(300000, 'x');
  std::string half = big.substr(0, 50000);
  cat.write(half, in(10));
  EXPECT_EQ(read_all(cat, half.size()), half);
}

TEST(Process, gets_the_environment_and_the_folder) {
  Process process(
      {{"sh", "-c", "echo $ASSAY_WORD $PWD; cat"}, {{"ASSAY_WORD", "w"}}, "/usr", 1024});
  EXPECT_EQ(read_all(process, 7), "w /usr\n");
}

TEST(Process, an_unknown_program_is_an_input_error) {
  try {
    Process process({{"/no/such/program"}, {}, {}, 1024});
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::input);
    EXPECT_NE(error.message().find("/no/such/program: No such file"), std::string::npos);
  }
}

TEST(Process, an_exit_tells_its_code_and_last_words) {
  Process process = shell("echo first >&2; echo the reason >&2; exit 3");
  expect_lost(process, Ending::died, "exited with code 3; its last words:\n  first\n  the reason");
}

TEST(Process, a_signal_is_named) {
  Process process = shell("kill -SEGV $$");
  expect_lost(process, Ending::died, "signal 11");
}

TEST(Process, one_that_the_system_kills_for_want_of_memory_ran_out_of_it) {
  base::TemporaryFolder folder;
  std::string counts = folder.path() / "vmstat";
  auto count = [&](const char* text) { std::ofstream(counts) << text; };
  for (bool counted : {true, false}) {
    count("nr_free_pages 12\noom_kill 3\npgfault 7\n");
    ProcessOptions options{{"sh", "-c", "read line; kill -KILL $$"}, {}, {}, 1024};
    options.system_counts = counts;
    Process process(options);
    if (counted) count("nr_free_pages 1\noom_kill 4\npgfault 7\n");
    process.write("\n", in(10));
    expect_lost(process, counted ? Ending::exhausted : Ending::died,
                counted ? "which had no memory left" : "signal 9");
  }
}

TEST(Process, what_is_killed_here_has_not_run_out_of_memory) {
  ProcessOptions options{{"sleep", "1000"}, {}, {}, 1024};
  base::TemporaryFolder folder;
  options.system_counts = folder.path() / "vmstat";
  Process process(options);
  std::ofstream(options.system_counts) << "oom_kill 1\n";
  process.kill();
  EXPECT_NE(process.ending_text().find("signal 9"), std::string::npos) << process.ending_text();
}

TEST(Process, a_hang_is_killed_with_its_children) {
  Process process = shell("sleep 1000 & echo waiting >&2; sleep 1000");
  expect_lost(process, Ending::timed_out, "within the time allowed");
}

TEST(Process, an_interruption_ends_a_wait_before_its_deadline) {
  bool interrupted = false;
  Process sleeper({{"sh", "-c", "sleep 60"}, {}, {}, 1024, [&] { return interrupted; }});
  interrupted = true;
  auto begun = Clock::now();
  std::byte one{};
  try {
    sleeper.read_some(std::span(&one, 1), in(60));
    FAIL() << "the process answered";
  } catch (const ProcessLost& lost) {
    EXPECT_NE(lost.message().find("before the interruption"), std::string::npos) << lost.message();
  }
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(20));
  EXPECT_FALSE(sleeper.running());
}

TEST(Process, a_child_that_holds_the_pipe_does_not_hide_a_death) {
  Process process = shell("sleep 1000 & exit 4");
  expect_lost(process, Ending::died, "code 4");
}

TEST(Process, much_standard_error_neither_blocks_nor_grows) {
  Process process = shell("seq 1 200000 >&2; echo done; cat");
  EXPECT_EQ(read_all(process, 5), "done\n");
  process.finish(in(5));
  EXPECT_LE(process.last_words().size(), 1024u);
  EXPECT_TRUE(process.last_words().ends_with("\n200000\n"));
}

TEST(Process, writing_to_a_dead_process_is_a_loss_not_a_signal) {
  Process process = shell("exit 0");
  std::string much(10 << 20, 'x');
  EXPECT_THROW(process.write(much, in(10)), ProcessLost);
}

TEST(Process, writing_to_one_that_does_not_read_ends_at_the_deadline) {
  Process process = shell("sleep 1000");
  std::string much(10 << 20, 'x');
  try {
    process.write(much, in(0.3));
    FAIL();
  } catch (const ProcessLost& lost) {
    EXPECT_EQ(lost.ending, Ending::timed_out);
  }
}

}  // namespace
}  // namespace assay::verify::host
