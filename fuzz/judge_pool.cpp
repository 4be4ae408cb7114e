#include "fuzz/judge_pool.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

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
                     const std::vector<Helper>& helpers, int64_t max_elements)
    : context_(context), properties_(properties), max_elements_(max_elements) {
  contexts_.push_back(context);
  for (const Helper& helper : helpers) {
    auto same = [](const auto& a, const auto& b) { return a && a == b; };
    bool shared = same(helper.subject.runner, context.subject->runner) ||
                  same(helper.subject.optimized, context.subject->optimized) ||
                  (context.reference && same(helper.reference.runner, context.reference->runner));
    base::invariant(!shared, "two threads would run the same model");
    helpers_.push_back(std::make_unique<Helper>(helper));
    verify::PropertyContext own = context;
    own.subject = &helpers_.back()->subject;
    if (context.reference) own.reference = &helpers_.back()->reference;
    contexts_.push_back(own);
  }
  wanted_ = contexts_.size();
}

std::vector<JudgedCase> JudgePool::judge(std::vector<Case> cases, int64_t number) {
  std::vector<JudgedCase> judged(cases.size());
  std::atomic<size_t> next = 0;
  auto work = [&](const verify::PropertyContext& context) {
    for (size_t i = next++; i < cases.size(); i = next++) {
      judged[i] = judge_by_all(context, std::move(cases[i]), number + static_cast<int64_t>(i));
    }
  };
  auto start = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> threads;
    for (size_t k = 1; k < std::min(contexts_.size(), cases.size()); ++k) {
      threads.emplace_back(work, std::cref(contexts_[k]));
    }
    work(contexts_[0]);
  }
  if (contexts_.size() == 1) return judged;
  constexpr std::chrono::milliseconds enough{20};
  constexpr size_t most = 4096;
  bool quick = std::chrono::steady_clock::now() - start < enough;
  wanted_ = std::clamp(quick ? 2 * wanted_ : wanted_ / 2, contexts_.size(), most);
  return judged;
}

Judgement JudgePool::judge(const verify::Property& property, const Case& c) const {
  return judge_in(context_, property, c);
}

JudgedCase JudgePool::judge_by_all(const verify::PropertyContext& context, Case c,
                                   int64_t number) const {
  JudgedCase out;
  try {
    for (const auto& property : properties_) {
      bool concerned = property && property->concerns(context, c) &&
                       (!property->about_assay() || in_sample(number));
      out.judgements.push_back(concerned ? std::optional(judge_in(context, *property, c))
                                         : std::nullopt);
    }
  } catch (...) {
    out.failed = std::current_exception();
  }
  out.tested = std::move(c);
  return out;
}

Judgement JudgePool::judge_in(const verify::PropertyContext& context,
                              const verify::Property& property, const Case& c) const {
  if (elements_of(c) > max_elements_) {
    Judgement too_large;
    too_large.reason = fmt::format("larger than {} elements", max_elements_);
    return too_large;
  }
  return property.judge(context, c);
}

}  // namespace assay::fuzz
