// What rows of the catalog declare of their results, over every operator that gives any.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <set>

#include "engine/api/engine.h"
#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/core/memory_budget.h"
#include "engine/ops/dispatch.h"
#include "tests/engine/kernels/calls.h"
#include "tests/engine/kernels/draw.h"
#include "tests/engine/kernels/outcome.h"
#include "tests/engine/kernels/property.h"

namespace assay::kernels::testing {
namespace {

using core::MemoryFormat;
using core::Tensor;
using core::Value;
using ops::Operator;

/// Tensors among the values and in lists among them.
std::vector<Tensor> tensors_of(std::span<const Value> values) {
  std::vector<Tensor> found;
  for (const Value& v : values) {
    if (v.is_tensor()) found.push_back(v.to_tensor());
    if (!v.is_list()) continue;
    for (const Value& item : v.list().items) {
      if (item.is_tensor()) found.push_back(item.to_tensor());
    }
  }
  return found;
}

/// Nothing where the call raises, or where these arguments make it long or large.
std::optional<ops::Results> results_of(const api::Engine& engine, const Operator& op,
                                       const core::Values& args) {
  core::MemoryScope memory(base::make_ref<core::MemoryBudget>(size_t{1} << 26));
  base::DeadlineScope deadline(std::chrono::milliseconds(100));
  try {
    return ops::call(engine.context(), op, args);
  } catch (const base::Error&) {
    return std::nullopt;
  }
}

template <typename Check>
void for_each_functional_operator(Check check) {
  for (size_t id = 0; id < ops::catalog_rows().size(); ++id) {
    const Operator& op = ops::operator_of(id);
    if (op.functional == &op && !op.is_host()) check(op);
  }
}

TEST(Rows, ResultsShareWithArgumentsOnlyWhereTheySaySo) {
  api::Engine engine;
  for_each_functional_operator([&](const Operator& op) {
    if (!op.gives_fresh_tensors()) return;
    EXPECT_TRUE(holds(op.qualified_name, 25, [&] {
      core::Values args = draw_call(op);
      auto results = results_of(engine, op, args);
      if (!results) return;
      std::set<const core::Storage*> taken;
      for (const Tensor& t : tensors_of(args)) {
        if (t) taken.insert(t.storage().get());
      }
      RC_LOG() << describe(op, args) << '\n';
      for (const Tensor& t : tensors_of(*results)) {
        RC_ASSERT(!t || taken.count(t.storage().get()) == 0);
      }
    }));
  });
}

/// Arguments that leave an operator that converts, drops or flattens nothing to do.
core::Values idle_call(const Operator& op, core::DType dtype) {
  const core::Dims sizes{2, 2, 2};
  core::Values args;
  for (const ops::Argument& a : op.schema.arguments) {
    if (a.type->is(core::TypeKind::tensor)) {
      args.emplace_back(Tensor::empty(sizes, dtype));
    } else if (a.name == "end_dim") {
      args.emplace_back(0);
    } else if (a.default_value) {
      args.push_back(*a.default_value);
    } else if (a.name == "dtype") {
      args.emplace_back(static_cast<int64_t>(dtype));
    } else if (a.name == "device") {
      args.emplace_back(core::Device());
    } else if (a.type->is(core::TypeKind::list)) {
      args.emplace_back(core::make_int_list(sizes));
    } else if (a.type->is(core::TypeKind::boolean)) {
      args.emplace_back(false);
    } else {
      args.emplace_back(a.type->is(core::TypeKind::floating) ? Value(0.5) : Value(1));
    }
  }
  return args;
}

TEST(Rows, ThatMayGiveTheirArgumentDoSoWhereThereIsNothingToDo) {
  api::Engine engine;
  for_each_functional_operator([&](const Operator& op) {
    bool elsewhere = op.schema.name == "aten::cuda";  // There is no such device here.
    if (op.sharing() != ops::Sharing::may_be_argument || elsewhere) return;
    bool given = false;
    for (int64_t number = 0; !given && number < 16; ++number) {
      auto dtype = core::dtype_from_number(number);
      if (!dtype) continue;
      core::Values args = idle_call(op, *dtype);
      auto results = results_of(engine, op, args);
      given = results && (*results)[0].to_tensor().same(args[0].to_tensor());
    }
    EXPECT_TRUE(given) << op.qualified_name;
  });
}

/// The arguments with images of one shape in channels-last layout; false where others of more than
/// one dimension are among them.
bool lay_channels_last(const api::Engine& engine, core::Values& args) {
  std::optional<core::Dims> sizes;
  for (Value& v : args) {
    if (!v.is_tensor() || !v.to_tensor() || v.to_tensor().dim() <= 1) continue;
    Tensor t = v.to_tensor();
    if (t.dim() != 4 || (sizes && *sizes != t.sizes())) return false;
    sizes = t.sizes();
    auto format = static_cast<int64_t>(MemoryFormat::channels_last);
    v = ops::call(engine.context(), "aten::clone", {t, Value(format)});
  }
  return sizes.has_value();
}

TEST(Rows, ChannelsLastPassesThroughWhereTheySaySo) {
  api::Engine engine;
  for_each_functional_operator([&](const Operator& op) {
    bool passes =
        op.layout() == ops::Layout::joins_layouts || op.layout() == ops::Layout::keeps_layout;
    if (!passes) return;
    EXPECT_TRUE(holds(op.qualified_name, 25, [&] {
      core::Values args = draw_call(op);
      bool image = !args.empty() && args[0].is_tensor() && args[0].to_tensor() &&
                   args[0].to_tensor().dim() == 4 && args[0].to_tensor().numel() > 0;
      if (!image || !lay_channels_last(engine, args)) return;
      auto results = results_of(engine, op, args);
      if (!results) return;
      RC_LOG() << describe(op, args) << '\n';
      for (const Tensor& t : tensors_of(*results)) {
        if (t && t.dim() == 4 && t.numel() > 0)
          RC_ASSERT(t.is_contiguous(MemoryFormat::channels_last));
      }
    }));
  });
}

Tensor on_device(const api::Engine& engine, const Tensor& t, core::Device device) {
  Value dtype(static_cast<int64_t>(t.dtype()));
  return ops::call(engine.context(), "aten::to.device", {t, Value(device), dtype}).to_tensor();
}

/// Counts the copies between devices.
struct Copies final : ops::Handler {
  int count = 0;
  void copied(core::Device, core::Device, size_t) override { ++count; }
};

TEST(Rows, IndicesOnTheCpuAreCopiedToTheIndexedTensor) {
  api::Engine engine;
  core::Device fake{core::DeviceType::fake, 0};
  Tensor there = on_device(engine, int_tensor(core::Dims{3}, {10, 20, 30}), fake);
  Value indices(core::make_tensor_list({int_tensor(core::Dims{2}, {2, 0})}));
  Copies copies;
  ops::HandlerScope scope(engine.context(), copies);
  Tensor picked = ops::call(engine.context(), "aten::index.Tensor", {there, indices}).to_tensor();
  EXPECT_EQ(copies.count, 1);
  EXPECT_EQ(picked.device(), fake);
  Tensor back = on_device(engine, picked, core::Device{});
  EXPECT_EQ(std::vector<int64_t>(back.data<int64_t>(), back.data<int64_t>() + 2),
            (std::vector<int64_t>{30, 10}));
}

/// The tensors of a call, each on the CPU or on `device`.
core::Values spread(const core::Values& args, core::Device device) {
  core::Values out;
  for (const Value& v : args) {
    if (!v.is_list()) {
      out.push_back(deep_copy({v}, chance(50) ? device : core::Device{})[0]);
      continue;
    }
    core::Values items = spread(v.list().items, device);
    out.push_back(core::make_list(v.list().element, std::move(items)));
  }
  return out;
}

// Memory of the fake device ends a program that follows its addresses as the host does.
TEST(Rows, ArgumentsOnSeveralDevicesGiveAResultOrAnError) {
  api::Engine engine;
  core::Device fake{core::DeviceType::fake, 0};
  for_each_functional_operator([&](const Operator& op) {
    EXPECT_TRUE(holds(op.qualified_name, 15, [&] {
      core::Values drawn = draw_call(op);
      RC_LOG() << describe(op, drawn) << '\n';
      results_of(engine, op, spread(drawn, fake));
    }));
  });
}

TEST(Rows, AWrittenTensorLiesWhereTheCallRuns) {
  // Expected: PyTorch 1.13's error for a CPU scalar to which a tensor on `meta` is added in place.
  api::Engine engine;
  core::Device fake{core::DeviceType::fake, 0};
  Tensor scalar = Tensor::empty(core::Dims{}, core::DType::float32);
  Tensor other = Tensor::empty(core::Dims{}, core::DType::float32, fake);
  EXPECT_FALSE(
      results_of(engine, ops::get_operator("aten::add_.Tensor"), {scalar, other, Value(1)}));
  EXPECT_TRUE(
      results_of(engine, ops::get_operator("aten::add_.Tensor"), {other, scalar, Value(1)}));
}

// The next position of such a window would lie beyond the largest integer.
TEST(Rows, AWindowOfOnePlaceMayBeDilatedWithoutEnd) {
  api::Engine engine = engine_of(true);
  auto pooled = [&](int64_t dilation) {
    Tensor x = Tensor::empty(core::Dims{1, 1, 2, 3}, core::DType::float32);
    for (int i = 0; i < 6; ++i) x.data<float>()[i] = static_cast<float>(i);
    auto ints = [](int64_t a, int64_t b) {
      return Value(core::make_int_list(std::array<int64_t, 2>{a, b}));
    };
    const Operator& op = ops::get_operator("aten::max_pool2d");
    core::Values args{x, ints(2, 1), ints(1, 1), ints(0, 0), ints(1, dilation), Value(false)};
    Outcome outcome = run(engine, op, args);
    EXPECT_EQ(outcome.error, "");
    return core::elements(outcome.results.at(0).to_tensor());
  };
  std::vector<core::Scalar> result = pooled(INT64_MAX);
  ASSERT_EQ(result.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(result[static_cast<size_t>(i)].to_double(), i + 3);
}

}  // namespace
}  // namespace assay::kernels::testing
