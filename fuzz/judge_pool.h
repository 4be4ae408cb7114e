#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "fuzz/counts.h"
#include "fuzz/draw.h"
#include "fuzz/judged_case.h"

namespace assay::fuzz {

/// Runs cases on a thread of its own: nothing of it may be shared with another one.
struct Helper {
  verify::Subject subject;
  verify::Reference reference;
};

/// Judged cases in a row: those that need to be counted only, then one at most that the campaign
/// looks at itself. Threads meet over this, rather than over every case: a processor core reads
/// slowly what another one has just written.
struct Stretch {
  Counts counts;
  std::optional<JudgedCase> last;  ///< Not counted in `counts`.
  bool ends = false;               ///< After these no case could be drawn, or the user interrupts.

  int64_t cases() const { return counts.totals().cases + (last ? 1 : 0); }
};

/// Draws cases and judges them by properties: turns are handed over and the judged cases taken
/// back, in the same order. Where there are helpers, their threads are at the turns that wait while
/// the caller goes on.
class JudgePool {
 public:
  /// All of them are given: the campaign's options say what is usual.
  struct Options {
    Hints hints;
    /// Larger cases are not run.
    int64_t max_elements;
    /// Whether the campaign looks at a case itself. One at which a property does not hold it always
    /// does. Asked on every thread.
    std::function<bool(const verify::Case&)> looks_at;
    /// Whether no case is wanted any more. Asked on the caller's thread, between cases.
    std::function<bool()> interrupted;
  };

  /// A null property concerns no case. The context and the properties must live longer.
  JudgePool(const verify::PropertyContext& context, const Properties& properties,
            const std::vector<Helper>& helpers, Options options);

  /// Waits for the cases that helpers are at; those that nobody has begun are dropped.
  ~JudgePool();
  JudgePool(const JudgePool&) = delete;
  JudgePool& operator=(const JudgePool&) = delete;

  /// Whether it has as many turns as it takes: a few where cases are quick, else one where there is
  /// no helper, or what keeps the helpers at work while the caller counts.
  bool full() const { return given_.size() >= most_batches(); }
  /// Turns that have been handed over and whose cases have not been taken back.
  int64_t held() const { return held_; }
  /// How many cases one thread judges of so many.
  int64_t rounds(int64_t cases) const {
    auto threads = static_cast<int64_t>(threads_.size()) + 1;
    return (cases + threads - 1) / threads;
  }
  /// Only where it is not full. It is the campaign's case number `number`, one more than the last:
  /// properties about assay itself are judged at every case of a short campaign, and at every so
  /// many of a long one.
  void hand_over(Turn turn, int64_t number);
  /// The next of the cases that were handed over first, of those that it holds: at least one.
  /// Judges others that wait until these are done. Valid until the next one is taken back.
  Stretch& take_back();
  /// One property, at once.
  verify::Judgement judge(const verify::Property& property, const verify::Case& c) const;

 private:
  struct Batch;
  using Batches = std::vector<std::unique_ptr<Batch>>;
  /// Turns that one thread takes in a row: so many that threads meet seldom.
  struct Batch {
    int64_t number = 0;  ///< Of its first case.
    std::vector<Turn> turns;
    std::vector<Stretch> judged;
    Batches* spent = nullptr;  ///< Of the helper that judged it.
    double seconds = 0;
    bool done = false;
  };
  /// What one thread judges with.
  struct Judge {
    const verify::PropertyContext& context;
    Drawer drawer;
    Batches* spent = nullptr;
  };

  size_t most_batches() const;
  void close_batch();
  void next_batch();
  void judge_next(std::unique_lock<std::mutex>& lock, const Judge& judge);
  void judge_batch(Batch& batch, const Judge& judge) const;
  void help(size_t helper);
  std::optional<JudgedCase> judge_by_all(Turn turn, int64_t number, const Judge& judge) const;
  bool looks_at(const JudgedCase& judged) const;
  verify::Judgement judge_in(const verify::PropertyContext& context,
                             const verify::Property& property, const verify::Case& c) const;

  const verify::PropertyContext& context_;
  const Properties& properties_;
  Options options_;
  std::vector<std::unique_ptr<Helper>> helpers_;
  std::vector<verify::PropertyContext> contexts_;  // The helpers'.

  // The caller's thread alone uses these.
  Judge own_;
  size_t batch_size_ = 1;
  int64_t held_ = 0;
  std::unique_ptr<Batch> open_;  // To which turns are added.
  std::deque<std::unique_ptr<Batch>> given_;
  std::unique_ptr<Batch> returned_;
  size_t next_ = 0;  // In `returned_`.

  std::mutex mutex_;  // Of what follows, and of what `given_` holds.
  std::condition_variable more_, done_;
  std::deque<Batch*> waiting_;
  // What helpers judged, for each of them: memory goes back to the thread that took it.
  std::vector<Batches> spent_;
  bool stopping_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace assay::fuzz
