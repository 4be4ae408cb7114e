#include "fuzz/judge_pool.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "engine/base/error.h"

namespace assay::fuzz {

using verify::Case;
using verify::Judgement;

namespace {

int64_t elements_of(const verify::CaseValue& value) {
  int64_t total = value.kind == verify::CaseValue::Kind::tensor ? core::numel(value.shape) : 0;
  for (const verify::CaseValue& child : value.children) total += elements_of(child);
  return total;
}

int64_t elements_of(const Case& c) {
  int64_t total = 0;
  for (const verify::CaseInput& input : c.inputs) total += elements_of(input.value);
  return total;
}

/// Whether properties about assay itself are judged at the campaign's case of this number.
bool in_sample(int64_t number) {
  constexpr int64_t all_of = 100, one_in = 32;
  return number <= all_of || number % one_in == 0;
}

}  // namespace

JudgePool::JudgePool(const verify::PropertyContext& context, const Properties& properties,
                     const std::vector<Helper>& helpers, Options options)
    : context_(context),
      properties_(properties),
      options_(std::move(options)),
      own_{context, Drawer(*context.spec, options_.hints)} {
  for (const Helper& helper : helpers) {
    auto same = [](const auto& a, const auto& b) { return a && a == b; };
    bool shared = same(helper.subject.runner, context.subject->runner) ||
                  same(helper.subject.optimized, context.subject->optimized) ||
                  (context.reference && same(helper.reference.runner, context.reference->runner));
    base::invariant(!shared, "two threads would run the same model");
    helpers_.push_back(std::make_unique<Helper>(helper));
    verify::PropertyContext own = context;
    own.exporter = nullptr;  // It is the first thread's.
    own.subject = &helpers_.back()->subject;
    if (context.reference) own.reference = &helpers_.back()->reference;
    contexts_.push_back(own);
  }
  if (helpers.empty()) return;
  spent_.resize(helpers.size());
  for (size_t k = 0; k < helpers.size(); ++k) threads_.emplace_back([this, k] { help(k); });
}

JudgePool::~JudgePool() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  more_.notify_all();
}

void JudgePool::hand_over(Turn turn, int64_t number) {
  base::invariant(!full(), "a pool is given more cases than it takes");
  if (!open_) {
    open_ = std::make_unique<Batch>();
    open_->number = number;
    open_->turns.reserve(batch_size_);
  }
  open_->turns.push_back(std::move(turn));
  ++held_;
  if (open_->turns.size() >= batch_size_) close_batch();
}

/// Many of quick cases, so that no thread waits for another; few of slow ones, which are judged in
/// vain where the campaign ends before them.
size_t JudgePool::most_batches() const {
  if (threads_.empty()) return 1;
  return (batch_size_ > 1 ? 8 : 2) * (threads_.size() + 1);
}

void JudgePool::close_batch() {
  {
    std::lock_guard lock(mutex_);
    waiting_.push_back(open_.get());
  }
  more_.notify_one();
  given_.push_back(std::move(open_));
}

Stretch& JudgePool::take_back() {
  base::invariant(held_ > 0, "a pool is asked for a case and holds none");
  if (!returned_ || next_ == returned_->judged.size()) next_batch();
  Stretch& next = returned_->judged[next_++];
  held_ -= next.cases();
  return next;
}

/// Gives back the batch whose cases have been taken, and waits for the next one.
void JudgePool::next_batch() {
  if (given_.empty()) close_batch();
  Batch& first = *given_.front();
  std::unique_lock lock(mutex_);
  if (returned_ && returned_->spent) returned_->spent->push_back(std::move(returned_));
  while (!first.done) {
    if (!waiting_.empty()) {
      judge_next(lock, own_);
    } else {
      done_.wait(lock);
    }
  }
  returned_ = std::move(given_.front());
  given_.pop_front();
  next_ = 0;
  // Long enough that threads do not wait for each other, short enough that they end together.
  constexpr double enough = 0.001, most = 0.004;
  constexpr size_t largest = 32;
  if (returned_->seconds < enough) batch_size_ = std::min(2 * batch_size_, largest);
  if (returned_->seconds > most) batch_size_ = std::max<size_t>(batch_size_ / 2, 1);
}

/// Of the batches that wait, the first. Not locked meanwhile.
void JudgePool::judge_next(std::unique_lock<std::mutex>& lock, const Judge& judge) {
  Batch& batch = *waiting_.front();
  waiting_.pop_front();
  Batches over;
  if (judge.spent) over.swap(*judge.spent);
  lock.unlock();
  over.clear();
  auto start = std::chrono::steady_clock::now();
  judge_batch(batch, judge);
  batch.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  batch.spent = judge.spent;
  lock.lock();
  batch.done = true;
}

void JudgePool::judge_batch(Batch& batch, const Judge& judge) const {
  const Stretch none{Counts(context_, properties_), {}, false};
  batch.judged.push_back(none);
  for (size_t i = 0; i < batch.turns.size(); ++i) {
    std::optional<JudgedCase> judged;
    bool on_own_thread = !judge.spent;
    bool wanted = i == 0 || !on_own_thread || !options_.interrupted();
    if (wanted) {
      judged =
          judge_by_all(std::move(batch.turns[i]), batch.number + static_cast<int64_t>(i), judge);
    }
    if (!judged) {
      batch.judged.back().ends = true;
      return;
    }
    if (!looks_at(*judged)) {
      batch.judged.back().counts.add(*judged);
      continue;
    }
    batch.judged.back().last = std::move(judged);
    if (i + 1 < batch.turns.size()) batch.judged.push_back(none);
  }
}

bool JudgePool::looks_at(const JudgedCase& judged) const {
  auto violated = [](const std::optional<Judgement>& judgement) {
    return judgement && judgement->verdict == Judgement::Verdict::violated;
  };
  return judged.failed || std::ranges::any_of(judged.judgements, violated) ||
         options_.looks_at(*judged.tested);
}

/// What a helper's thread does.
void JudgePool::help(size_t helper) {
  const Judge judge{contexts_[helper], Drawer(*context_.spec, options_.hints), &spent_[helper]};
  std::unique_lock lock(mutex_);
  while (true) {
    more_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    judge_next(lock, judge);
    done_.notify_one();
  }
}

Judgement JudgePool::judge(const verify::Property& property, const Case& c) const {
  return judge_in(context_, property, c);
}

/// Nothing where no case can be drawn.
std::optional<JudgedCase> JudgePool::judge_by_all(Turn turn, int64_t number,
                                                  const Judge& judge) const {
  JudgedCase out;
  out.number = number;
  try {
    std::optional<Case> c = judge.drawer.make(std::move(turn));
    if (!c) return std::nullopt;
    out.tested = std::make_shared<const Case>(std::move(*c));
    out.judgements.reserve(properties_.size());
    for (const auto& property : properties_) {
      bool concerned = property && property->concerns(judge.context, *out.tested) &&
                       (!property->about_assay() || in_sample(number));
      out.judgements.push_back(concerned
                                   ? std::optional(judge_in(judge.context, *property, *out.tested))
                                   : std::nullopt);
    }
  } catch (...) {
    out.failed = std::current_exception();
  }
  return out;
}

Judgement JudgePool::judge_in(const verify::PropertyContext& context,
                              const verify::Property& property, const Case& c) const {
  if (elements_of(c) > options_.max_elements) {
    Judgement too_large;
    too_large.of_reference = true;  // Nobody ran it.
    too_large.reason = fmt::format("larger than {} elements", options_.max_elements);
    return too_large;
  }
  return property.judge(context, c);
}

}  // namespace assay::fuzz
