#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "verify/properties/property.h"

namespace assay::fuzz {

/// Runs cases on a thread of its own: nothing of it may be shared with another one.
struct Helper {
  verify::Subject subject;
  verify::Reference reference;
};

/// A case with what each property says of it, in the order of the properties; nothing where one
/// does not concern the case.
struct JudgedCase {
  verify::Case tested;
  std::vector<std::optional<verify::Judgement>> judgements;
  std::exception_ptr failed;  ///< What was thrown instead; then there are no judgements.
};

/// Judges cases by properties: cases are handed over and taken back, judged, in the same order.
/// Where there are helpers, their threads judge the cases that wait while the caller goes on.
class JudgePool {
 public:
  using Properties = std::vector<std::shared_ptr<const verify::Property>>;

  /// A null property concerns no case. Larger cases than `max_elements` are not run. All arguments
  /// must live longer.
  JudgePool(const verify::PropertyContext& context, const Properties& properties,
            const std::vector<Helper>& helpers, int64_t max_elements);

  /// Waits for the cases that helpers are at; those that nobody has begun are dropped.
  ~JudgePool();
  JudgePool(const JudgePool&) = delete;
  JudgePool& operator=(const JudgePool&) = delete;

  /// Whether it has as many cases as it takes: one where there is no helper, else what keeps the
  /// helpers at work while the caller draws and counts.
  bool full() const { return given_.size() >= most_batches(); }
  /// Cases that have been handed over and not been taken back.
  int64_t held() const { return held_; }
  /// Only where it is not full. The case is the campaign's case number `number`, one more than the
  /// last: properties about assay itself are judged at every case of a short campaign, and at every
  /// so many of a long one.
  void hand_over(verify::Case c, int64_t number);
  /// The case that was handed over first, of those that it holds: at least one. Judges others that
  /// wait until that one is done. Valid until the next one is taken back.
  JudgedCase& take_back();
  /// One property, at once.
  verify::Judgement judge(const verify::Property& property, const verify::Case& c) const;

 private:
  struct Batch;
  using Batches = std::vector<std::unique_ptr<Batch>>;
  /// Cases that one thread judges in a row: so many that threads meet seldom.
  struct Batch {
    int64_t number = 0;  ///< Of its first case.
    std::vector<verify::Case> cases;
    std::vector<JudgedCase> judged;
    Batches* spent = nullptr;  ///< Of the helper that judged it.
    double seconds = 0;
    bool done = false;
  };

  size_t most_batches() const;
  void close_batch();
  void next_batch();
  void judge_next(std::unique_lock<std::mutex>& lock, const verify::PropertyContext& context,
                  Batches* spent);
  void help(size_t helper);
  JudgedCase judge_by_all(const verify::PropertyContext& context, verify::Case c,
                          int64_t number) const;
  verify::Judgement judge_in(const verify::PropertyContext& context,
                             const verify::Property& property, const verify::Case& c) const;

  const verify::PropertyContext& context_;
  const Properties& properties_;
  int64_t max_elements_;
  std::vector<std::unique_ptr<Helper>> helpers_;
  std::vector<verify::PropertyContext> contexts_;  // The helpers'.

  // The caller's thread alone uses these.
  size_t batch_size_ = 1;
  int64_t held_ = 0;
  std::unique_ptr<Batch> open_;  // To which cases are added.
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
