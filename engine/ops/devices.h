#pragma once

#include <optional>
#include <span>

#include "engine/ops/catalog.h"
#include "engine/ops/context.h"

namespace assay::ops {

/// The device that a call of the (functional) operator runs on: its tensors' common device, as the
/// row's device policy has it; the CPU where there is no tensor. An input error in PyTorch's words
/// if the tensors' devices do not go together.
core::Device common_device(const Operator& op, std::span<const core::Value> args);

/// The arguments with indices that lie on the CPU copied to `device`, for rows whose indices
/// follow; nothing if there are none to copy.
std::optional<core::Values> with_indices_on(Context& context, const Operator& op,
                                            std::span<const core::Value> args, core::Device device);

/// Input error if one of the tensors is on meta: for kernels of operators that take tensors of any
/// device, which read elements.
void check_none_on_meta(std::span<const core::Value> args, core::Device device);

/// The input error of tensors on two devices.
[[noreturn]] void fail_on_two_devices(core::Device one, core::Device other);

}  // namespace assay::ops
