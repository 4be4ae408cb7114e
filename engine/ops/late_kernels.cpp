#include "engine/ops/late_kernels.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/restore.h"
#include "engine/ops/deferred_call.h"

namespace assay::ops {

using core::Storage;
using core::Tensor;
using core::TensorImpl;
using core::Value;

namespace {

/// Waiting results hold memory that a program which computes at once would have back by now.
constexpr size_t most_bytes = size_t{256} << 20;

/// Nobody but calls of operators reads or writes such a tensor unseen, and no element of it can be
/// refused, as an index can.
bool can_wait(const Tensor& t) {
  return !t || (t.device().type == core::DeviceType::cpu && !t.storage()->exposed() &&
                core::category_of(t.dtype()) == core::DTypeCategory::floating);
}

bool can_wait(const Value& v) {
  if (v.is_tensor()) return can_wait(v.to_tensor());
  if (v.is_list()) {
    return std::ranges::all_of(v.list().items, [](const Value& item) { return can_wait(item); });
  }
  return v.is_none() || v.is_number() || v.is_string() || v.is_device();
}

/// Training keeps statistics in arguments or draws what is dropped, and no schema says so.
bool trains(const Call& call) {
  auto is_set = [&](ArgName flag) {
    return call.op.has(flag) && call.value(flag).is_bool() && call.boolean(flag);
  };
  return is_set(arg::training) || is_set(arg::train) || is_set(arg::use_input_stats);
}

/// Whether all that the kernel writes are the declared results: fresh ones, or the first argument.
bool writes_results_only(const Call& call, const Operator& called) {
  if (called.writes.empty()) return true;
  return called.is_inplace && call.results.size() == 1 && call.args[0].is_tensor() &&
         call.results[0].to_tensor().same(call.args[0].to_tensor());
}

template <typename Visit>
void for_each_storage(std::span<const Value> values, const Visit& visit) {
  core::for_each_tensor(values, [&](const TensorImpl& t) { visit(t.storage.get()); });
}

}  // namespace

LateKernels::LateKernels() {
  base::invariant(current_ == nullptr, "two that put kernels off");
  current_ = this;
}

LateKernels::~LateKernels() {
  try {
    settle();
  } catch (...) {  // Told where somebody looked, or of use to nobody.
  }
  current_ = nullptr;
}

bool LateKernels::take(const Call& call, const Operator& called,
                       const KernelTable::Choice& choice) {
  bool waits = call.declared() && choice.backend == Backend::cpu &&
               call.device().type == core::DeviceType::cpu &&
               call.op.numeric() != Numeric::random && call.op.numeric() != Numeric::unspecified &&
               call.op.effect() == Effect::none && !trains(call) &&
               writes_results_only(call, called) &&
               std::ranges::all_of(call.args, [](const Value& v) { return can_wait(v); }) &&
               std::ranges::all_of(call.results, [](const Value& v) { return can_wait(v); });
  if (!waits || failure_) return false;
  bool writes = !called.writes.empty();
  waiting_.push_back({std::make_unique<DeferredCall>(call), choice.kernel->run, writes});
  if (!writes) {
    for_each_storage(call.results, [&](const Storage* made) { bytes_ += made->nbytes(); });
  }
  if (bytes_ > most_bytes) finish();
  return true;
}

void LateKernels::run(Waiting& waiting) {
  waiting.run(*waiting.call);
  if (!waiting.writes_argument) return;
  for_each_storage(waiting.call->results, [](Storage* written) { written->mark_written(); });
}

void LateKernels::run_all(const std::vector<bool>* chosen) {
  base::Restore unheard(current_, static_cast<core::LateWork*>(nullptr));
  std::vector<Waiting> all = std::exchange(waiting_, {});
  bytes_ = 0;
  try {
    for (size_t i = 0; i < all.size(); ++i) {
      if (!chosen || (*chosen)[i]) run(all[i]);
      all[i].call = nullptr;  // Its memory serves the next ones.
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
}

void LateKernels::finish() {
  if (!waiting_.empty()) run_all(nullptr);
  if (failure_) std::rethrow_exception(failure_);
}

std::vector<bool> LateKernels::needed() const {
  std::unordered_map<const Storage*, uint32_t> held;  // By the calls that wait.
  auto count = [&](const Storage* storage) { ++held[storage]; };
  for (const Waiting& waiting : waiting_) {
    for_each_storage(waiting.call->args, count);
    // A result that is an argument is one and the same tensor.
    for (const Value& result : waiting.call->results) {
      bool counted = std::ranges::any_of(waiting.call->args, [&](const Value& v) {
        return v.is_tensor() && v.tensor_impl() == result.tensor_impl();
      });
      if (!counted) for_each_storage({&result, 1}, count);
    }
  }
  std::unordered_set<const Storage*> wanted;
  for (const auto& [storage, times] : held) {
    if (storage->use_count() > times) wanted.insert(storage);
  }
  std::vector<bool> out(waiting_.size());
  for (size_t i = waiting_.size(); i-- > 0;) {
    for_each_storage(waiting_[i].call->results,
                     [&](const Storage* written) { out[i] = out[i] || wanted.contains(written); });
    if (!out[i]) continue;
    for_each_storage(waiting_[i].call->args, [&](const Storage* read) { wanted.insert(read); });
  }
  return out;
}

void LateKernels::settle() {
  if (!waiting_.empty()) {
    std::vector<bool> chosen = needed();
    run_all(&chosen);
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace assay::ops
