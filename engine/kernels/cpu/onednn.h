#pragma once

#include <cstdint>
#include <dnnl.hpp>
#include <functional>
#include <memory>
#include <unordered_map>

#include "engine/base/small_vector.h"
#include "engine/core/tensor.h"

/// Handles, descriptors and caches for oneDNN; nothing else. All memory is float32.
namespace assay::kernels::cpu::onednn {

using dnnl::memory;

/// The CPU engine; made on first use, so that a process that runs no such kernel pays nothing.
const dnnl::engine& engine();
/// This thread's stream.
dnnl::stream& stream();
/// How many threads a parallel region has now.
int threads();

/// A description of float32 memory of these sizes and strides. Strides of dimensions of size 1 are
/// made canonical, so that equal layouts compare equal.
memory::desc desc_of(core::DimSpan sizes, core::DimSpan strides);
/// As a tensor lies in memory.
memory::desc desc_of(const core::Tensor& t);
memory::dims dims_of(core::DimSpan list);
/// Sizes only; the primitive chooses the layout.
memory::desc any_layout(core::DimSpan sizes);
memory wrap(const memory::desc& desc, const void* data);

/// Whether oneDNN can read the tensor in place: float32, not empty, every element at a place of its
/// own.
bool readable(const core::Tensor& t);

/// Bytes that live until the next request for the same slot by this thread.
void* scratch(size_t slot, size_t bytes);
enum Slot : size_t { for_primitive, for_source, for_destination, for_weights, for_bias, slots };

/// The tensor's elements in the wanted layout: the tensor's own bytes if they lie so, else a copy
/// in scratch memory.
memory in_layout(const core::Tensor& t, const memory::desc& own, const memory::desc& wanted,
                 Slot slot);
/// With a copy that was made before: of small tensors that takes longer than the copy itself.
memory in_layout(const core::Tensor& t, const memory::desc& own, const memory::desc& wanted,
                 const dnnl::reorder& copy, Slot slot);
/// A copy from one layout to another; none where they are the same.
dnnl::reorder copy_between(const memory::desc& from, const memory::desc& to);
/// As in_layout, for weights: a copy is kept for the next call, until somebody writes to the
/// tensor's storage (core::Storage::version). Calls are expected to read the copy from then on, so
/// that the pages of a mapped file that the tensor lies in are given back to the system.
///
/// With a scale (float64, one factor per row), it is a copy of the row-major tensor's rows times
/// their factors, rounded to float32. That is kept with the storage of the scale and goes away with
/// it; the two tensors must not share theirs.
memory packed(const core::Tensor& t, const core::Tensor& scale, const memory::desc& own,
              const memory::desc& wanted);
void reorder(const memory& from, const memory& to);
void reorder(const memory& from, const memory& to, const dnnl::reorder& copy);

/// Attributes of every primitive: its scratch memory comes from scratch().
dnnl::primitive_attr attributes();
/// Input error if so many multiplications cannot be over before the thread's deadline: a primitive
/// cannot be interrupted.
void check_time_for_products(double count);
/// Runs a primitive whose scratch memory is described by `scratchpad`.
void run(const dnnl::primitive& primitive, const memory::desc& scratchpad,
         std::unordered_map<int, memory> arguments);

/// Runs `work` and says whether any thread of it met an invalid operation, such as inf - inf or, on
/// x86, a minimum or maximum of NaN.
bool meets_invalid_operation(const std::function<void()>& work);

/// What a primitive was made for: numbers in an order that its maker fixes.
using Key = base::SmallVector<int64_t, 48>;
void append(Key& key, core::DimSpan list);
/// Sizes and strides.
void append(Key& key, const core::Tensor& t);

/// Primitives and their descriptions, made once per key. `Plan` is null where oneDNN has no
/// implementation.
template <typename Plan>
class Plans {
 public:
  using Make = std::function<std::unique_ptr<Plan>()>;

  const Plan* get(Key key, const Make& make) {
    key.push_back(threads());
    auto found = plans_.find(key);
    if (found != plans_.end()) return found->second.get();
    if (plans_.size() >= limit_) plans_.clear();
    std::unique_ptr<Plan> plan;
    try {
      plan = make();
    } catch (const dnnl::error&) {
      plan = nullptr;
    }
    return plans_.emplace(std::move(key), std::move(plan)).first->second.get();
  }

 private:
  struct Hash {
    size_t operator()(const Key& key) const {
      uint64_t hash = 14695981039346656037ull;
      for (int64_t v : key) hash = (hash ^ static_cast<uint64_t>(v)) * 1099511628211ull;
      return static_cast<size_t>(hash);
    }
  };
  static constexpr size_t limit_ = 2048;
  std::unordered_map<Key, std::unique_ptr<Plan>, Hash> plans_;
};

}  // namespace assay::kernels::cpu::onednn
