// Fast kernels against reference kernels, over every operator of the catalog that has a fast one.

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>

#include "engine/api/engine.h"
#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/base/heap.h"
#include "engine/core/elements.h"
#include "engine/core/host_access.h"
#include "engine/core/memory_budget.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/late_kernels.h"
#include "engine/ops/promotion.h"
#include "tests/engine/kernels/bound.h"
#include "tests/engine/kernels/calls.h"
#include "tests/engine/kernels/draw.h"
#include "tests/engine/kernels/hostile.h"
#include "tests/engine/kernels/outcome.h"
#include "tests/engine/kernels/property.h"

namespace assay::kernels::testing {
namespace {

using core::Tensor;
using core::Value;
using ops::Operator;

/// Which kernels answered.
struct Answers final : ops::Handler {
  std::string last;
  bool by_fast = false;        ///< The last call.
  std::set<std::string> fast;  ///< Operators that a fast kernel answered.
  void answered(const Operator& op, std::string_view kernel) override {
    last = kernel;
    bool slow = kernel == "reference" || kernel == "composite" || kernel == "rule";
    by_fast = !slow;
    if (by_fast) fast.insert(op.qualified_name);
  }
};

const ops::KernelTable& table() {
  static const api::Engine engine = engine_of(false);
  return *engine.context().kernels;
}

/// The rows that a fast kernel may answer; with `variants`, in-place, out and Scalar rows of them.
std::vector<const Operator*> rows_with_fast_kernels(bool variants) {
  std::vector<const Operator*> found;
  for (size_t id = 0; id < ops::catalog_rows().size(); ++id) {
    const Operator& op = ops::operator_of(id);
    bool fast = table().has(*op.functional, ops::Backend::cpu);
    if (fast && asked_for(op) && (op.functional != &op) == variants) found.push_back(&op);
  }
  return found;
}

/// What the numeric class allows a fast kernel; the same kernel gives the same bits.
std::vector<Bound> allowed(const Operator& op, const core::Values& args, const Outcome& plain,
                           const api::Engine& reference, const Answers& answers) {
  if (!answers.by_fast) return std::vector<Bound>(plain.results.size());
  return bounds_of(op, args, plain.results, reference.context());
}

TEST(FastKernels, AgreeWithReferenceKernelsAndAreAllReached) {
  api::Engine fast = engine_of(false), reference = engine_of(true);
  Answers answers;
  ops::HandlerScope listening(fast.context(), answers);
  for (const Operator* op : rows_with_fast_kernels(false)) {
    auto agree = [&] {
      core::Values args = draw_call(*op);
      RC_LOG() << describe(*op, args) << '\n';
      Outcome plain = run(reference, *op, deep_copy(args));
      Outcome quick = run(fast, *op, deep_copy(args));
      RC_LOG() << "by " << answers.last << '\n';
      RC_ASSERT(!quick.internal && !plain.internal);
      RC_ASSERT(quick.error == plain.error);
      RC_ASSERT(quick.results.size() == plain.results.size());
      auto bounds = allowed(*op, args, plain, reference, answers);
      for (size_t i = 0; i < plain.results.size(); ++i) {
        auto differs = difference(quick.results[i], plain.results[i], bounds[i]);
        if (differs) RC_FAIL(fmt::format("result {}: {}", i, *differs));
      }
    };
    auto by_a_fast_kernel = [&] { return answers.fast.count(op->qualified_name) > 0; };
    EXPECT_TRUE(holds_where_reached(op->qualified_name, 300, agree, by_a_fast_kernel));
  }
}

/// A call of a variant: its own arguments, and those of the functional operator that it stands for.
struct VariantCall {
  core::Values own, functional;
  std::vector<Tensor> targets;  ///< What it writes.
};

VariantCall draw_variant_call(const Operator& op) {
  VariantCall call;
  call.functional = draw_call(*op.functional);
  size_t given = op.schema.arguments.size() - op.out_count;
  for (size_t i = 0; i < call.functional.size(); ++i) {
    if (i >= given) {
      call.functional[i] = *op.functional->schema.arguments[i].default_value;
    } else if (op.wrap[i]) {
      core::Scalar number = draw_number();
      call.functional[i] = ops::wrapped_number(number, core::DType::float32);
      call.own.push_back(number);
      continue;
    }
    if (i < given) call.own.push_back(call.functional[i]);
  }
  call.functional = deep_copy(call.functional);
  call.own = deep_copy(call.own);
  if (op.is_inplace) call.targets.push_back(call.own[0].to_tensor());
  return call;
}

/// Tensors for a variant to write: of the right size in some layout, or empty.
void add_targets(const Operator& op, const core::Values& results, VariantCall& call) {
  for (size_t i = 0; i < op.out_count; ++i) {
    bool known = i < results.size() && results[i].is_tensor();
    core::DType dtype = known && !chance(10) ? results[i].to_tensor().dtype() : draw_dtype();
    core::Dims sizes = known && !chance(25) ? results[i].to_tensor().sizes() : core::Dims{0};
    call.targets.push_back(draw_tensor(sizes, dtype, Fill::normal));
    call.own.emplace_back(call.targets.back());
  }
}

/// Of several elements. PyTorch writes to a tensor without elements whatever its strides.
bool repeats_memory(const Tensor& t) {
  if (t.numel() == 0) return false;
  for (size_t d = 0; d < t.sizes().size(); ++d) {
    if (t.size(d) > 1 && t.stride(d) == 0) return true;
  }
  return false;
}

/// Whether the target may be written with the result.
bool may_hold(const Operator& op, const Tensor& target, const Tensor& result) {
  return ops::can_cast(result.dtype(), target.dtype()) &&
         (op.is_out || target.sizes() == result.sizes()) &&
         !(target.sizes() == result.sizes() && repeats_memory(target));
}

/// The result as a tensor of the target's type and layout.
Tensor as_written(const Tensor& result, const Tensor& target, const api::Engine& reference) {
  Tensor out = Tensor::empty_strided(target.sizes(), target.strides(), target.dtype());
  return ops::call(reference.context(), "aten::copy_", {out, result}).to_tensor();
}

TEST(FastKernels, VariantsAgreeWithTheFunctionalOperator) {
  api::Engine fast = engine_of(false), reference = engine_of(true);
  Answers answers;
  ops::HandlerScope listening(fast.context(), answers);
  std::set<std::string> done;
  for (const Operator* op : rows_with_fast_kernels(true)) {
    auto agree = [&] {
      VariantCall call = draw_variant_call(*op);
      Outcome plain = run(reference, *op->functional, deep_copy(call.functional));
      add_targets(*op, plain.results, call);
      RC_LOG() << describe(*op, call.own) << '\n';
      bool fits = plain.error.empty();
      for (size_t i = 0; fits && i < call.targets.size(); ++i) {
        fits = may_hold(*op, call.targets[i], plain.results[i].to_tensor());
      }
      Outcome own = run(fast, *op, call.own);
      RC_LOG() << "by " << answers.last << ", error: " << own.error << '\n';
      RC_ASSERT(!own.internal);
      RC_ASSERT(own.error.empty() == fits);
      if (!fits) return;
      auto bounds = allowed(*op->functional, call.functional, plain, reference, answers);
      for (size_t i = 0; i < own.results.size(); ++i) {
        Value expected = plain.results[i];
        if (i < call.targets.size()) {
          RC_ASSERT(own.results[i].to_tensor().same(call.targets[i]));
          expected = as_written(expected.to_tensor(), call.targets[i], reference);
        }
        auto differs = difference(own.results[i], expected, bounds[i]);
        if (differs) RC_FAIL(fmt::format("result {}: {}", i, *differs));
      }
      done.insert(op->qualified_name);
    };
    auto ran = [&] { return done.count(op->qualified_name) > 0; };
    EXPECT_TRUE(holds_where_reached(op->qualified_name, 120, agree, ran));
  }
}

/// Numbers of size 1 or less without a pattern, and their negatives.
Tensor numbers(core::DimSpan sizes, core::DType dtype = core::DType::float32) {
  std::vector<core::Scalar> items;
  for (int64_t i = 0; i < core::numel(sizes); ++i) {
    items.emplace_back(static_cast<double>(i * 7919 % 2003 - 1001) / 1024);
  }
  return core::tensor_from(items, sizes, dtype);
}

/// A call of an operator that packs `weight`, and `scale` if that is defined.
struct WeightedCall {
  const Operator& op;
  Tensor weight, scale;
  core::Values args;
};

std::vector<WeightedCall> weighted_calls() {
  auto pair = [](int64_t n) { return core::make_int_list(core::Dims{n, n}); };
  Tensor image = numbers(core::Dims{1, 16, 6, 6}), w = numbers(core::Dims{32, 16, 3, 3});
  Tensor scaled = numbers(core::Dims{32, 16, 3, 3}), scale = numbers({{32}}, core::DType::float64);
  Tensor transposed = numbers(core::Dims{16, 32, 3, 3});
  Tensor rows = numbers(core::Dims{3, 200}), linear = numbers(core::Dims{96, 200});
  // As few products as convolve_few_positions takes: the reference kernel forms each by itself.
  Tensor large = numbers(core::Dims{256, 256, 2, 2}), small = numbers(core::Dims{1, 256, 2, 2});
  return {
      {ops::get_operator("aten::conv2d"),
       large,
       {},
       {small, large, Value(), pair(1), pair(0), pair(1), 1}},
      {ops::get_operator("aten::conv2d"), w, {}, {image, w, Value(), pair(1), pair(1), pair(1), 1}},
      {ops::get_operator("aten::conv_transpose2d.input"),
       transposed,
       {},
       {image, transposed, Value(), pair(1), pair(1), pair(0), 1, pair(1)}},
      {ops::get_operator("aten::linear"), linear, {}, {rows, linear, Value()}},
      {ops::get_operator("assay::convolution"),
       scaled,
       scale,
       {image, scaled, Value(), Value(), pair(1), pair(1), pair(1), 1, 0.0, Value(), true, scale,
        false}},
  };
}

/// The fast kernel's answer, given twice, is the reference kernel's.
void expect_agreement(const api::Engine& fast, const api::Engine& reference,
                      const WeightedCall& call, const char* when) {
  Outcome plain = run(reference, call.op, call.args);
  ASSERT_EQ(plain.error, "");
  auto bounds = bounds_of(call.op, call.args, plain.results, reference.context());
  for (int again : {0, 1}) {
    Outcome quick = run(fast, call.op, call.args);
    auto differs = difference(quick.results.at(0), plain.results[0], bounds[0]);
    EXPECT_FALSE(differs) << call.op.qualified_name << " " << when << ", call " << again << ": "
                          << *differs;
  }
}

TEST(FastKernels, PackWeightsAnewAfterAWrite) {
  api::Engine fast = engine_of(false), reference = engine_of(true);
  auto write = [&](const char* name, core::Values args) {
    ops::call(fast.context(), ops::get_operator(name), args);
  };
  for (const WeightedCall& call : weighted_calls()) {
    expect_agreement(fast, reference, call, "at first");
    write("aten::mul_.Scalar", {call.weight, -1.5});
    expect_agreement(fast, reference, call, "after a write");
    Value row = ops::call(fast.context(), "aten::select.int", {call.weight, 0, 3});
    write("aten::fill_.Scalar", {row, 2});
    expect_agreement(fast, reference, call, "after a write to a view");
    if (!call.scale) continue;
    write("aten::mul_.Scalar", {call.scale, 0.75});
    expect_agreement(fast, reference, call, "after a write to the scale");
  }
}

TEST(FastKernels, PackWeightsAnewAfterAWriteThatWaited) {
  api::Engine fast = engine_of(false), reference = engine_of(true);
  for (const WeightedCall& call : weighted_calls()) {
    Value before;
    {
      ops::LateKernels late;
      // Both wait: what the first one packs has the version that the weight has after the write.
      before = ops::call(fast.context(), call.op, call.args)[0];
      ops::call(fast.context(), ops::get_operator("aten::relu_"), std::array{Value(call.weight)});
    }
    expect_agreement(fast, reference, call, "after a write that waited");
  }
}

// Rows before the one that does not exist may have been written.
TEST(FastKernels, PackWeightsAnewAfterAWriteThatRaised) {
  api::Engine fast = engine_of(false), reference = engine_of(true);
  core::Dims sizes{96, 200};
  Tensor linear = numbers(sizes), values = numbers(core::Dims{3, 200});
  Tensor rows = core::tensor_from({0, 1, 1000}, core::Dims{3}, core::DType::int64);
  Tensor indices = core::Tensor::empty(core::Dims{3, 200}, core::DType::int64);
  for (int64_t i = 0; i < 600; ++i) indices.data<int64_t>()[i] = i / 200 == 2 ? 1000 : i / 200;
  const Operator& op = ops::get_operator("aten::linear");
  WeightedCall call{op, linear, {}, {numbers(core::Dims{3, 200}), linear, Value()}};
  expect_agreement(fast, reference, call, "at first");
  std::vector<std::pair<const char*, core::Values>> writes = {
      {"aten::index_copy_", {linear, 0, rows, values}},
      {"aten::index_add_", {linear, 0, rows, values, 1}},
      {"aten::index_fill_.int_Scalar", {linear, 0, rows, 5}},
      {"aten::scatter_.src", {linear, 0, indices, values}},
      {"aten::scatter_add_", {linear, 0, indices, values}},
      {"aten::put_", {linear, rows, numbers(core::Dims{3}), false}},
      {"aten::index_put_",
       {linear, core::make_list(core::tensor_type(), {Value(rows)}), values, false}},
  };
  writes[5].second[1] = core::tensor_from({0, 1, 1000000}, core::Dims{3}, core::DType::int64);
  for (const auto& [name, args] : writes) {
    EXPECT_NE(run(fast, ops::get_operator(name), args).error, "") << name;
    expect_agreement(fast, reference, call, name);
  }
}

// A minimum or maximum of NaN is NaN: oneDNN's own clamps would hide that an input is broken.
TEST(FastKernels, ClampsKeepNaN) {
  api::Engine fast = engine_of(false), reference = engine_of(true);
  Answers answers;
  ops::HandlerScope listening(fast.context(), answers);
  const Operator& op = ops::get_operator("assay::convolution");
  auto pair = [](int64_t n) { return core::make_int_list(core::Dims{n, n}); };
  for (bool channels_last : {false, true}) {
    for (Value high : {Value(), Value(6.0)}) {
      Tensor image = numbers(core::Dims{1, 16, 16, 16}), weight = numbers(core::Dims{8, 16, 3, 3});
      image.data<float>()[40] = std::numeric_limits<float>::quiet_NaN();
      image.data<float>()[3000] = -std::numeric_limits<float>::infinity();
      core::Values args{image, weight, Value(), Value(),       pair(1), pair(1), pair(1),
                        1,     0.0,    high,    channels_last, Value(), false};
      Outcome plain = run(reference, op, args), quick = run(fast, op, args);
      ASSERT_EQ(quick.error, "");
      EXPECT_TRUE(answers.by_fast);
      auto bounds = bounds_of(op, args, plain.results, reference.context());
      auto differs = difference(quick.results.at(0), plain.results.at(0), bounds[0]);
      EXPECT_FALSE(differs) << *differs;
      auto elements = core::elements(quick.results[0].to_tensor());
      auto nan = [](const core::Scalar& v) { return std::isnan(v.to_double()); };
      EXPECT_GE(std::count_if(elements.begin(), elements.end(), nan), 8 * 3 * 3);
    }
  }
}

// As in PyTorch: `identity + conv(x)` lies as the identity does, whatever x is, `conv(x) +
// identity` as the convolution.
TEST(FastKernels, SumsWithConvolutionsLieAsTheirFirstSummand) {
  api::Engine fast = engine_of(false), reference = engine_of(true);
  const Operator& op = ops::get_operator("assay::convolution");
  auto pair = [](int64_t n) { return core::make_int_list(core::Dims{n, n}); };
  auto last = static_cast<int64_t>(core::MemoryFormat::channels_last);
  Tensor rows = numbers(core::Dims{2, 16, 5, 6}), weight = numbers(core::Dims{16, 16, 3, 3});
  Tensor pixels = ops::call(fast.context(), "aten::contiguous", {rows, last}).to_tensor();
  for (bool image_last : {false, true}) {
    for (bool residual_first : {false, true}) {
      Value image = image_last ? pixels : rows, residual = image_last ? rows : pixels;
      core::Values args{image, weight,  Value(), residual, pair(1), pair(1),       pair(1),
                        1,     Value(), Value(), false,    Value(), residual_first};
      Outcome plain = run(reference, op, args), quick = run(fast, op, args);
      ASSERT_EQ(quick.error, "");
      Tensor sum = quick.results.at(0).to_tensor();
      EXPECT_EQ(core::is_channels_last(sum.sizes(), sum.strides()), image_last != residual_first);
      auto bounds = bounds_of(op, args, plain.results, reference.context());
      auto differs = difference(quick.results.at(0), plain.results.at(0), bounds[0]);
      EXPECT_FALSE(differs) << *differs;
    }
  }
}

// The storage of a weight that is gone may be where the next one's is.
TEST(FastKernels, PoolingEndsAtTheDeadlineOfItsCaller) {
  api::Engine fast;
  auto twice = [](int64_t size) { return core::make_int_list(core::Dims{size, size}); };
  for (core::MemoryFormat format :
       {core::MemoryFormat::contiguous, core::MemoryFormat::channels_last}) {
    Value image = Tensor::empty(core::Dims{1, 2, 512, 512}, core::DType::float32);
    image = ops::call(fast.context(), "aten::contiguous", {image, static_cast<int64_t>(format)});
    // 512 x 512 windows of 511 x 511 elements each: many seconds of work.
    core::Values args{image, twice(511), twice(1), twice(255), twice(1), false};
    base::DeadlineScope deadline(std::chrono::milliseconds(20));
    EXPECT_THROW(ops::call(fast.context(), "aten::max_pool2d", args), base::Error);
  }
}

// Sizes of tensors without elements cost nothing: a program may ask for any.
TEST(Kernels, DoNotWalkOverRowsOfNothing) {
  constexpr int64_t many = int64_t{1} << 40;
  auto empty = [](core::Dims sizes) { return Value(Tensor::empty(sizes, core::DType::float32)); };
  Value rows = empty({many, 0}), none = empty({0, 0}), batch = empty({many, 0, 0});
  const std::vector<std::pair<const char*, core::Values>> calls{
      {"aten::tril", {rows, 0}},
      {"aten::triu", {rows, 0}},
      {"aten::mm", {rows, none}},
      {"aten::bmm", {batch, batch}},
      {"aten::addmm", {rows, rows, none, 1, 1}},
      {"aten::softmax.int", {rows, 1, {}}},
      {"aten::cumsum", {rows, 1, {}}},
      {"aten::sort", {rows, 1, false}},
      {"aten::renorm", {rows, 2.0, 0, 1.0}}};
  for (bool reference : {false, true}) {
    api::Engine engine = engine_of(reference);
    for (const auto& [name, args] : calls) {
      SCOPED_TRACE(name);
      core::Tensor result = ops::call(engine.context(), name, args).to_tensor();
      EXPECT_EQ(result.numel(), 0);
      EXPECT_EQ(result.size(0), many);
    }
  }
}

TEST(FastKernels, DoNotMistakeANewWeightForAnOldOne) {
  api::Engine fast = engine_of(false), reference = engine_of(true);
  for (WeightedCall& call : weighted_calls()) {
    core::Dims sizes = call.weight.sizes();
    for (double factor : {1.0, 2.0, 3.0}) {
      call.args[1] = call.weight = Tensor();
      call.weight = numbers(sizes);
      for (int64_t i = 0; i < call.weight.numel(); ++i) {
        call.weight.device_data<float>()[i] *= static_cast<float>(factor);
      }
      call.args[1] = call.weight;
      expect_agreement(fast, reference, call, "with a new weight");
    }
  }
}

// A caller's pointer stays, and nobody sees what is written through it.
TEST(FastKernels, SeeWhatCallersWriteThroughPointers) {
  api::Engine fast = engine_of(false), reference = engine_of(true);
  for (WeightedCall& call : weighted_calls()) {
    expect_agreement(fast, reference, call, "before");
    float* elements = call.weight.data<float>();
    for (int i = 0; i < 3; ++i) {
      elements[call.weight.numel() / 2] += 2;
      expect_agreement(fast, reference, call, "after a write through a pointer");
    }
  }
}

TEST(FastKernels, SeeWhatHostViewsWrite) {
  api::Engine fast = engine_of(false), reference = engine_of(true);
  for (WeightedCall& call : weighted_calls()) {
    core::HostView view(call.weight.storage(), core::Access::write);
    for (int i = 0; i < 3; ++i) {
      expect_agreement(fast, reference, call, "while a view is open");
      *call.weight.device_data<float>() += 2;
    }
  }
}

/// Whether two tensors, or those of two lists, have the same bytes; other values count as equal.
bool tensors_equal(const Value& a, const Value& b) {
  if (a.is_list() && b.is_list()) {
    return std::ranges::equal(a.list().items, b.list().items,
                              [](const Value& x, const Value& y) { return tensors_equal(x, y); });
  }
  if (!a.is_tensor() || !b.is_tensor() || !a.to_tensor() || !b.to_tensor()) return true;
  Tensor x = a.to_tensor(), y = b.to_tensor();
  if (x.dtype() != y.dtype() || x.sizes() != y.sizes() || x.strides() != y.strides()) return false;
  if (x.device().type == core::DeviceType::meta) return true;
  static const api::Engine engine;
  auto packed = [&](const Tensor& t) {
    Value format(static_cast<int64_t>(core::MemoryFormat::contiguous));
    return ops::call(engine.context(), "aten::clone", {t, format}).to_tensor();
  };
  return core::same_bytes(packed(x), packed(y));
}

struct Seen {
  Outcome outcome;
  uint32_t next_number = 0;  ///< That the generator gives after the call.
};

Seen run_at_once(const api::Engine& engine, const Operator& op, const core::Values& args) {
  Outcome outcome = run(engine, op, args);
  return {std::move(outcome), engine.context().generator->random()};
}

Seen run_late(const api::Engine& engine, const Operator& op, const core::Values& args) {
  ops::LateKernels late;
  Seen seen = run_at_once(engine, op, args);
  try {
    late.finish();
  } catch (const base::Error& e) {
    seen.outcome.error = std::string(e.message()) + " (told late)";
    seen.outcome.ran_out_of = e.ran_out_of();
  }
  return seen;
}

void check_late(const api::Engine& engine, const Operator& op, const core::Values& args) {
  constexpr size_t memory_limit = size_t{1} << 26;
  core::Values mine = deep_copy(args), other = deep_copy(args);
  Seen at_once, late;
  {
    core::MemoryScope memory(base::make_ref<core::MemoryBudget>(memory_limit));
    base::HeapLimit heap(4 * memory_limit);
    at_once = run_at_once(engine, op, mine);
    late = run_late(engine, op, other);
  }
  const Outcome &expected = at_once.outcome, &given = late.outcome;
  if (expected.ran_out() || given.ran_out()) return;
  RC_LOG() << describe(op, args) << '\n' << expected.error << '\n' << given.error << '\n';
  RC_ASSERT(given.error == expected.error);
  RC_ASSERT(late.next_number == at_once.next_number);
  if (!expected.error.empty() || op.numeric() == ops::Numeric::unspecified) return;
  for (size_t i = 0; i < expected.results.size(); ++i)
    RC_ASSERT(tensors_equal(given.results[i], expected.results[i]));
  for (size_t i = 0; i < args.size(); ++i) RC_ASSERT(tensors_equal(other[i], mine[i]));
}

TEST(FastKernels, GiveAndWriteLateWhatTheyDoAtOnce) {
  api::Engine engine = engine_of(false);
  for (size_t id = 0; id < ops::catalog_rows().size(); ++id) {
    const Operator& op = ops::operator_of(id);
    bool fast = engine.context().kernels->has(*op.functional, ops::Backend::cpu);
    if (!fast || op.is_out || !asked_for(op)) continue;
    if (op.schema.arguments.size() != op.functional->schema.arguments.size()) continue;
    for (auto draw : {draw_call, draw_hostile_call}) {
      EXPECT_TRUE(holds(op.qualified_name, 25, [&] {
        check_late(engine, op, draw(*op.functional));
      })) << op.qualified_name;
    }
  }
}

/// Gives whether the memory of an argument was used.
bool check_spending(const api::Engine& engine, const Operator& op, const core::Values& args) {
  core::Values spent = deep_copy(args);
  const core::TensorImpl* first = spent[0].is_tensor() ? spent[0].tensor_impl() : nullptr;
  Outcome expected = run(engine, op, deep_copy(args));
  if (!expected.error.empty()) return false;  // Of which the other properties speak.
  Outcome given = run_spending(engine, op, std::move(spent));
  if (given.ran_out()) return false;
  RC_LOG() << describe(op, args) << '\n' << given.error << '\n';
  RC_ASSERT(given.error.empty());
  RC_ASSERT(given.results.size() == expected.results.size());
  for (size_t i = 0; i < given.results.size(); ++i)
    RC_ASSERT(tensors_equal(given.results[i], expected.results[i]));
  return first && given.results[0].is_tensor() && given.results[0].tensor_impl() == first;
}

TEST(Elementwise, CallsGiveTheSameInTheMemoryOfAnArgumentThatIsSpent) {
  for (bool reference : {false, true}) {
    api::Engine engine = engine_of(reference);
    std::set<std::string> reached;
    for (size_t id = 0; id < ops::catalog_rows().size(); ++id) {
      const Operator& op = ops::operator_of(id);
      bool drawn =
          op.numeric() == ops::Numeric::random || op.numeric() == ops::Numeric::unspecified;
      bool meant = op.functional == &op && op.rule().elementwise && !drawn;
      if (!meant || op.schema.arguments.empty() || !asked_for(op)) continue;
      EXPECT_TRUE(holds(op.qualified_name, 20, [&] {
        if (check_spending(engine, op, draw_call(op))) reached.insert(op.qualified_name);
      })) << op.qualified_name;
    }
    EXPECT_GT(reached.size(), 60u) << "in the memory of an argument";
  }
}

}  // namespace
}  // namespace assay::kernels::testing
