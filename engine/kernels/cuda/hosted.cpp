#include "engine/kernels/cuda/hosted.h"

#include <array>

#include "engine/core/host_access.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {
namespace {

using core::Tensor;
using core::Value;
using ops::Call;

size_t bytes_of(const Tensor& t) { return static_cast<size_t>(t.numel()) * t.item_size(); }

/// A value with copies of its tensors in place of those on the device.
Value on_host(const Call& c, const Value& value) {
  if (value.is_tensor()) {
    Tensor tensor = value.to_tensor();
    if (!tensor || tensor.device() != c.device()) return value;
    c.copied(c.device(), core::Device{}, bytes_of(tensor));
    return core::to_host(tensor);
  }
  if (!value.is_list()) return value;
  const core::ListObject& list = value.list();
  core::Values items;
  for (const Value& item : list.items) items.push_back(on_host(c, item));
  return core::make_list(list.element, std::move(items));
}

/// The way back, strides and all.
Value on_device(const Call& c, const Value& value) {
  if (value.is_tensor()) {
    Tensor tensor = value.to_tensor();
    if (!tensor) return value;
    c.copied(core::Device{}, c.device(), bytes_of(tensor));
    return Tensor::view_of(core::copy_to_device(tensor.storage(), c.device()), tensor.offset(),
                           tensor.sizes(), tensor.strides(), tensor.dtype());
  }
  if (!value.is_list()) return value;
  const core::ListObject& list = value.list();
  core::Values items;
  for (const Value& item : list.items) items.push_back(on_device(c, item));
  return core::make_list(list.element, std::move(items));
}

void run_on_host(Call& c) {
  c.synchronized();
  core::Values args;
  for (const Value& arg : c.args) args.push_back(on_host(c, arg));
  ops::Results results = ops::call(c.context, c.op, args);
  for (size_t written : c.op.writes) {
    if (c.args[written].is_tensor())
      core::copy_back(c.args[written].to_tensor(), args[written].to_tensor());
  }
  if (c.declared()) {
    for (size_t i = 0; i < c.results.size(); ++i) c.call("aten::copy_", {c.out(i), results[i]});
    return;
  }
  core::Values moved;
  for (const Value& result : results) moved.push_back(on_device(c, result));
  c.finish(std::move(moved));
}

constexpr std::string_view hosted[] = {
    // Every part depends on the one before, and inputs are small.
    "aten::_ctc_loss",
    "aten::_ctc_loss.Tensor",
    // Factorizations that cuSOLVER lacks, or has for other shapes and batches only.
    "aten::linalg_eig",
    "aten::linalg_eigvals",
    "aten::linalg_ldl_factor_ex",
    "aten::linalg_ldl_solve",
    "aten::linalg_lstsq",
    "aten::linalg_matrix_exp",
    // It is of functions of the standard library that no GPU has.
    "aten::special_airy_ai",
    // Its result is on the CPU.
    "aten::_shape_as_tensor",
};

constexpr auto hosted_table = [] {
  std::array<ops::Kernel, std::size(hosted)> table{};
  for (size_t i = 0; i < table.size(); ++i) table[i] = {hosted[i], run_on_host};
  return table;
}();

}  // namespace

void add_hosted_kernels(ops::KernelTable& table) {
  table.add(ops::Backend::cuda, "host", hosted_table);
}

}  // namespace assay::kernels::cuda
