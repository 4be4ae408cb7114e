// Every row of the catalog on hostile arguments, held against the reference kernels: a call gives
// what they give, or an error that blames the arguments. Nothing else may happen, above all nothing
// that a sanitizer reports.
//
// ASSAY_PROPERTY_SECONDS=N goes on for that long (by default 6 under sanitizers, else 5, since
// every call takes a fraction of the time), ASSAY_SEED=N begins at a seed (a new one in each run by
// default), ASSAY_ROW=name looks at one row only. A failure names what repeats it.

#include <gtest/gtest.h>
#include <poll.h>
#include <rapidcheck.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>
#include <random>

#include "engine/base/heap.h"
#include "engine/core/memory_budget.h"
#include "engine/ops/dispatch.h"
#include "tests/engine/kernels/bound.h"
#include "tests/engine/kernels/calls.h"
#include "tests/engine/kernels/hostile.h"
#include "tests/engine/kernels/outcome.h"
#include "tests/engine/kernels/property.h"
#include "tests/settings.h"

namespace assay::kernels::testing {
namespace {

using core::Value;
using ops::Operator;

constexpr size_t memory_limit = size_t{1} << 28;
constexpr double longest_call = 4;  ///< Seconds: some loops ask for their deadline late.
constexpr int calls_in_a_row = 6;

/// Which kernel answered the last call, and whether a fast one had a part in it.
struct Answer final : ops::Handler {
  std::string kernel;
  bool fast = false;
  bool wants_nested() const override { return true; }
  void answered(const Operator&, std::string_view name) override {
    kernel = name;
    fast |= name != "reference" && name != "composite" && name != "rule";
  }
};

struct Engines {
  api::Engine fast = engine_of(false), reference = engine_of(true);
  Answer answer;
  ops::HandlerScope listening{fast.context(), answer};
};

/// What an error may be: of the arguments or of what assay lacks, and of both engines. One may go
/// beyond a limit where the other does not.
void expect_errors_agree(const Outcome& quick, const Outcome& plain) {
  if (quick.internal || plain.internal) {
    RC_FAIL("internal error: " + (quick.internal ? quick : plain).error);
  }
  bool limits = quick.ran_out() || plain.ran_out();
  if (quick.error.empty() == plain.error.empty() || limits) return;
  RC_FAIL("error '" + quick.error + "', of the reference kernels '" + plain.error + "'");
}

/// Some are expanded from few elements to more than can be compared.
bool is_large(const Value& value) {
  if (value.is_tensor()) return value.tensor_impl() && value.to_tensor().numel() > 1 << 22;
  return value.is_list() &&
         std::any_of(value.list().items.begin(), value.list().items.end(), is_large);
}

void expect_results_agree(Engines& engines, const Operator& op, const core::Values& args,
                          const Outcome& quick, const Outcome& plain) {
  RC_ASSERT(quick.results.size() == plain.results.size());
  // Nobody says how far a fast kernel's roundings carry in what others make of its results.
  if (engines.answer.fast && engines.answer.kernel == "composite") return;
  if (std::any_of(plain.results.begin(), plain.results.end(), is_large)) return;
  std::vector<Bound> bounds(plain.results.size());
  if (engines.answer.fast) {
    bounds = bounds_of(*op.functional, args, plain.results, engines.reference.context());
  }
  for (size_t i = 0; i < plain.results.size(); ++i) {
    auto differs = difference(quick.results[i], plain.results[i], bounds[i]);
    if (differs) RC_FAIL("result " + std::to_string(i) + ": " + *differs);
  }
}

void expect_survival(Engines& engines, const Operator& op) {
  core::Values args = draw_hostile_call(op);
  std::string call = describe(op, args);
  RC_LOG() << call << '\n';
  if (std::getenv("ASSAY_ROW")) std::cerr << call << std::endl;  // One may end the process.
  core::Values own = deep_copy(args), others = deep_copy(args);
  Outcome plain = run(engines.reference, op, own);
  engines.answer.fast = false;
  Outcome quick = run(engines.fast, op, others);
  RC_LOG() << "by " << engines.answer.kernel << '\n';
  expect_errors_agree(quick, plain);
  RC_ASSERT(std::max(quick.seconds, plain.seconds) < longest_call);
  bool compares = quick.error.empty() && plain.error.empty() && op.functional == &op &&
                  op.numeric() != ops::Numeric::random && op.numeric() != ops::Numeric::unspecified;
  if (compares) expect_results_agree(engines, op, args, quick, plain);
}

std::vector<const Operator*> rows() {
  std::vector<const Operator*> found;
  for (size_t id = 0; id < ops::catalog_rows().size(); ++id) {
    const Operator& op = ops::operator_of(id);
    if (asked_for(op)) found.push_back(&op);
  }
  return found;
}

bool survives(Engines& engines, const Operator& op, uint64_t seed) {
  return holds(
      op.qualified_name, calls_in_a_row, [&] { expect_survival(engines, op); }, seed);
}

/// One visit of a row.
struct Visit {
  const Operator* op;
  uint64_t seed;

  std::string how_to_repeat() const {
    return "ASSAY_ROW='" + op->qualified_name + "' ASSAY_SEED=" + std::to_string(seed) +
           " ASSAY_PROPERTY_SECONDS=0 engine_kernels_tests --gtest_filter='EveryRow.*'";
  }
};

#ifdef ASSAY_SANITIZED
constexpr uint64_t usual_seconds = 6;
#else
constexpr uint64_t usual_seconds = 5;
#endif

/// The order of visits: all rows again and again, in an order that the seed decides.
class Visits {
 public:
  explicit Visits(uint64_t seed) : seed_(seed), rows_(rows()) {
    if (rows_.size() > 1) std::shuffle(rows_.begin(), rows_.end(), std::mt19937_64(seed));
  }
  size_t rows_in_all() const { return rows_.size(); }
  Visit operator[](size_t i) const { return {rows_[i % rows_.size()], seed_ + i}; }

 private:
  uint64_t seed_;
  std::vector<const Operator*> rows_;
};

/// What a worker says before each visit, and in the end of one that failed.
struct Word {
  uint64_t visit;
  uint64_t failed;
};

/// The worker: visits rows from `from` on until the process is ended.
[[noreturn]] void visit_rows(uint64_t from, int to) {
  Visits visits(number_from("ASSAY_SEED", 0));
  core::MemoryScope memory(base::make_ref<core::MemoryBudget>(memory_limit));
  base::HeapLimit heap(4 * memory_limit);
  Engines engines;
  for (uint64_t i = from;; ++i) {
    Word word{i, 0};
    if (::write(to, &word, sizeof word) != sizeof word) ::_exit(0);
    if (survives(engines, *visits[i].op, visits[i].seed)) continue;
    word.failed = 1;
    (void)!::write(to, &word, sizeof word);
  }
}

/// A worker is this very program, begun anew: threads do not survive a fork.
class Worker {
 public:
  Worker(uint64_t seed, uint64_t from) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    std::string at = std::to_string(from) + "," + std::to_string(ends[1]);
    ::setenv(work_variable, at.c_str(), 1);
    ::setenv("ASSAY_SEED", std::to_string(seed).c_str(), 1);
    const char* words[] = {"engine_kernels_tests", "--gtest_filter=EveryRow.*", nullptr};
    int failed = ::posix_spawn(&pid_, "/proc/self/exe", nullptr, nullptr,
                               const_cast<char* const*>(words), environ);
    ::unsetenv(work_variable);
    if (failed != 0) std::abort();
    ::close(ends[1]);
    from_ = ends[0];
  }
  ~Worker() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    ::close(from_);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Nothing where the worker died, or said nothing for a minute.
  std::optional<Word> hear() {
    pollfd waits{from_, POLLIN, 0};
    Word word{};
    bool said = ::poll(&waits, 1, 60000) == 1 && ::read(from_, &word, sizeof word) == sizeof word;
    return said ? std::optional(word) : std::nullopt;
  }

  static constexpr const char* work_variable = "ASSAY_EVERY_ROW_WORK";

 private:
  pid_t pid_ = -1;
  int from_ = -1;
};

TEST(EveryRow, GivesTheReferenceKernelsResultOrBlamesTheArguments) {
  if (const char* work = std::getenv(Worker::work_variable)) {
    visit_rows(std::strtoull(work, nullptr, 10), std::atoi(std::strchr(work, ',') + 1));
  }
  uint64_t seed = number_from("ASSAY_SEED", std::random_device()());
  std::chrono::seconds time(number_from("ASSAY_PROPERTY_SECONDS", usual_seconds));
  Visits visits(seed);
  ASSERT_GT(visits.rows_in_all(), 0u) << "no row is called " << std::getenv("ASSAY_ROW");
  std::cout << "seed " << seed << ", " << time.count() << " s" << std::endl;
  auto end = std::chrono::steady_clock::now() + time;
  uint64_t next = 0;
  size_t failures = 0;
  auto goes_on = [&] {
    return next == 0 || (std::chrono::steady_clock::now() < end && failures < 20);
  };
  while (goes_on()) {
    Worker worker(seed, next);
    // At least the first visit is brought to its end.
    for (bool lives = true; lives && (next < 2 || goes_on());) {
      auto word = worker.hear();
      lives = word.has_value();
      if (lives && !word->failed) next = word->visit + 1;
      if (lives && !word->failed) continue;
      ++failures;
      ADD_FAILURE() << (lives ? "" : "the process died or hung; ")
                    << "to repeat: " << visits[next == 0 ? 0 : next - 1].how_to_repeat();
    }
  }
  std::cout << next * calls_in_a_row << " calls of " << std::min<size_t>(next, visits.rows_in_all())
            << " rows" << std::endl;
}

}  // namespace
}  // namespace assay::kernels::testing
