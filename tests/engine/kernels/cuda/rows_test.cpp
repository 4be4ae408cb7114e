// The kernels for GPUs against the reference kernels on the CPU, over every row that has one.

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>

#include "engine/base/error.h"
#include "engine/core/memory_budget.h"
#include "engine/ops/dispatch.h"
#include "tests/engine/kernels/bound.h"
#include "tests/engine/kernels/calls.h"
#include "tests/engine/kernels/cuda/gpu.h"
#include "tests/engine/kernels/cuda/ties.h"
#include "tests/engine/kernels/draw.h"
#include "tests/engine/kernels/hostile.h"
#include "tests/engine/kernels/outcome.h"
#include "tests/engine/kernels/property.h"

namespace assay::kernels::testing {
namespace {

using core::Value;
using ops::Operator;

constexpr core::Device gpu{core::DeviceType::cuda, 0};

/// Whether a kernel for GPUs answered the last call by itself.
struct Answer final : ops::Handler {
  std::string kernel;
  void answered(const Operator&, std::string_view name) override { kernel = name; }
};

class CudaRows : public OnGpu<> {
 protected:
  void SetUp() override {
    OnGpu::SetUp();
    if (IsSkipped()) return;
    subject_.emplace(gpu_engine());
    listening_.emplace(subject_->context(), answer_);
  }

  std::vector<const Operator*> rows() const {
    std::vector<const Operator*> found;
    for (size_t id = 0; id < ops::catalog_rows().size(); ++id) {
      const Operator& op = ops::operator_of(id);
      bool has = subject_->context().kernels->has(op, ops::Backend::cuda);
      bool comparable = op.functional == &op && !tells_devices_apart(op);
      if (has && comparable && asked_for(op)) found.push_back(&op);
    }
    return found;
  }

  /// Arguments on the GPU, but for the counts of packed sequences.
  static core::Values on_gpu(const Operator& op, const core::Values& args) {
    core::Values moved = deep_copy(args, gpu);
    for (const char* counts : {"batch_sizes", "lengths"}) {
      auto at = op.schema.find_argument(counts);
      if (at && op.devices() == ops::Devices::counts_on_cpu) moved[*at] = deep_copy({args[*at]})[0];
    }
    return moved;
  }

  /// Tensors without elements to copy, and few elements expanded to more than can be compared, are
  /// for the tests of the dispatcher.
  static bool can_be_moved(const Value& value) {
    if (value.is_tensor()) {
      core::Tensor t = value.to_tensor();
      return !t || (t.device().type == core::DeviceType::cpu && t.numel() < 1 << 22);
    }
    return !value.is_list() || std::ranges::all_of(value.list().items, can_be_moved);
  }

  /// Whether a tensor that is written has elements in one place, which are written in any order.
  static bool writes_over_itself(const Operator& op, const core::Values& args) {
    for (size_t i = 0; i < args.size(); ++i) {
      const auto& alias = op.schema.arguments[i].alias;
      if (!alias || !alias->writes || !args[i].is_tensor()) continue;
      core::Tensor t = args[i].to_tensor();
      if (t && core::overlaps_itself(t.sizes(), t.strides())) return true;
    }
    return false;
  }

  /// Whether all that a call gave lies where it ran.
  static bool all_on(core::Device device, const core::Values& results) {
    return std::ranges::all_of(results, [&](const Value& v) {
      if (v.is_tensor()) return !v.to_tensor() || v.to_tensor().device() == device;
      return !v.is_list() || all_on(device, v.list().items);
    });
  }

  /// What is asked for a device answers otherwise on another one.
  static bool tells_devices_apart(const Operator& op) {
    return op.devices() == ops::Devices::any_device ||
           op.qualified_name.starts_with("aten::_autocast_to");
  }

  /// A library on the GPU rounds otherwise than LAPACK, and errors grow with the conditions of
  /// matrices: factorizations_test.cpp says what its factors are.
  static bool is_of_a_library(const Operator& op) {
    static const std::set<std::string_view> factors = {"aten::linalg_lu_factor_ex",
                                                       "aten::linalg_lu_solve",
                                                       "aten::geqrf",
                                                       "aten::linalg_qr",
                                                       "aten::linalg_householder_product",
                                                       "aten::ormqr",
                                                       "aten::linalg_cholesky_ex",
                                                       "aten::linalg_cholesky",
                                                       "aten::cholesky_solve",
                                                       "aten::cholesky_inverse",
                                                       "aten::linalg_solve_triangular",
                                                       "aten::_linalg_eigh",
                                                       "aten::_linalg_svd"};
    return is_real_gpu() && factors.count(op.qualified_name) != 0;
  }

  /// Recurrent layers that drop elements between them: each device draws its own.
  static bool drops(const Operator& op, const core::Values& args) {
    auto train = op.schema.find_argument("train"), dropout = op.schema.find_argument("dropout");
    return train && dropout && args[*train].to_scalar().to_bool() &&
           args[*dropout].to_scalar().to_double() != 0;
  }

  static bool holds_values(const Operator& op) {
    if (is_of_a_library(op)) return false;
    return op.numeric() != ops::Numeric::random && op.numeric() != ops::Numeric::unspecified;
  }

  void expect_agreement(const Operator& op, const core::Values& args) {
    if (!std::ranges::all_of(args, can_be_moved) || writes_over_itself(op, args)) return;
    RC_LOG() << describe(op, args) << '\n';
    if (std::getenv("ASSAY_ROW")) std::cerr << describe(op, args) << std::endl;
    Outcome plain = run(reference_, op, deep_copy(args));
    // Nothing ends a kernel for GPUs early, and what plays the GPU elsewhere would take minutes.
    if (plain.ran_out_of == base::Resource::time && !is_real_gpu()) return;
    core::Values there = on_gpu(op, args);
    Outcome quick = run(*subject_, op, there, gpu);
    RC_LOG() << "by " << answer_.kernel << '\n';
    if (quick.internal) RC_FAIL("internal error: " + quick.error);
    if (quick.ran_out() || plain.ran_out()) return;
    if (quick.error.empty() != plain.error.empty()) {
      // What PyTorch refuses on the CPU a GPU may do.
      bool cpu_only = plain.error.find("not implemented for") != std::string::npos ||
                      plain.error.find("on CUDA devices only") != std::string::npos ||
                      plain.error.find("but must be of one of") != std::string::npos ||
                      plain.error.find("not supported on CPU") != std::string::npos ||
                      // The reference kernels run on no GPU, to which the call copies.
                      plain.error.find("has no kernel for device cuda") != std::string::npos;
      // cuSOLVER gives infinities.
      cpu_only = cpu_only || plain.error.find("the matrix has no inverse") != std::string::npos;
      // Roundings decide whether a matrix near the border is positive-definite.
      bool at_border = (plain.error + quick.error).find("positive-definite") != std::string::npos;
      if (cpu_only || at_border) return;
      RC_FAIL("error '" + quick.error + "', of the reference kernels '" + plain.error + "'");
    }
    if (!quick.error.empty()) return;
    RC_ASSERT(quick.results.size() == plain.results.size());
    if (!all_on(core::Device{}, plain.results) || !all_on(gpu, quick.results)) return;
    if (!std::ranges::all_of(plain.results, can_be_moved)) return;
    // What kernels for GPUs leave to a composite may draw random numbers.
    if (!holds_values(op) || answer_.kernel == "composite" || drops(op, args)) return;
    core::Values results = deep_copy(quick.results, core::Device{});
    if (leaves_ties_open(op, args)) {
      for (core::Values* some : {&results, &plain.results}) {
        std::string wrong = settle_ties(op, args, *some, reference_.context());
        if (!wrong.empty()) RC_FAIL(wrong);
      }
    }
    auto bounds = bounds_of(op, args, plain.results, reference_.context());
    for (size_t i = 0; i < results.size(); ++i) {
      auto differs = difference(results[i], plain.results[i], bounds[i]);
      if (differs) RC_FAIL(fmt::format("result {}: {}", i, *differs));
    }
  }

  std::optional<api::Engine> subject_;
  api::Engine reference_ = engine_of(true);
  Answer answer_;
  std::optional<ops::HandlerScope> listening_;
};

TEST_F(CudaRows, GiveWhatReferenceKernelsGive) {
  for (const Operator* op : rows()) {
    EXPECT_TRUE(holds(op->qualified_name, is_real_gpu() ? 60 : 100,
                      [&] { expect_agreement(*op, draw_call(*op)); }));
  }
}

TEST_F(CudaRows, SurviveHostileArguments) {
  core::MemoryScope memory(base::make_ref<core::MemoryBudget>(size_t{1} << 28));
  for (const Operator* op : rows()) {
    EXPECT_TRUE(
        holds(op->qualified_name, 25, [&] { expect_agreement(*op, draw_hostile_call(*op)); }));
  }
}

/// Nothing that runs on the CPU is refused on a GPU. Tells of builds with the libraries only, on
/// any machine.
TEST(CudaTable, HasAKernelForWhateverTheCpuHas) {
  api::Engine engine = gpu_engine();
  const ops::KernelTable& table = *engine.context().kernels;
  if (!is_real_gpu()) GTEST_SKIP() << "kernels over libraries are not part of this build";
  for (size_t id = 0; id < ops::catalog_rows().size(); ++id) {
    const Operator& op = ops::operator_of(id);
    auto has = [&](ops::Backend backend) { return table.has(op, backend); };
    bool on_cpu = has(ops::Backend::reference) || has(ops::Backend::cpu);
    if (op.functional != &op || op.is_host() || !on_cpu) continue;
    EXPECT_TRUE(has(ops::Backend::cuda) || has(ops::Backend::composite)) << op.qualified_name;
  }
}

}  // namespace
}  // namespace assay::kernels::testing
