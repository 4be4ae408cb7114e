#include "engine/core/backends.h"
#include "engine/ops/composite/families.h"
#include "engine/ops/dispatch.h"

namespace assay::ops::composite {
namespace {

using core::Tensor;

void move_bytes(const Call& c, const Tensor& to, const Tensor& from) {
  core::copy_bytes(to.device_address(), c.context.stream_of(to.device()), from.device_address(),
                   c.context.stream_of(from.device()),
                   static_cast<size_t>(from.numel()) * from.item_size());
}

/// to = from, broadcast and converted, where the two are on different devices. Only plain bytes
/// travel: elements are converted and packed where they come from, and laid out where they go to.
void transfer(const Call& c, const Tensor& to, const Tensor& from) {
  c.copied(from.device(), to.device(), static_cast<size_t>(from.numel()) * from.item_size());
  if (from.numel() == 0) return;
  bool alike =
      to.dtype() == from.dtype() && to.sizes() == from.sizes() && to.strides() == from.strides();
  if (alike && core::is_non_overlapping_and_dense(to.sizes(), to.strides()))
    return move_bytes(c, to, from);
  Tensor converted = c.call_tensor("aten::to.dtype", {from, static_cast<int64_t>(to.dtype())});
  Tensor packed = c.call_tensor("aten::contiguous", {converted});
  if (to.is_contiguous() && to.sizes() == packed.sizes()) return move_bytes(c, to, packed);
  Tensor arrived = Tensor::empty(packed.sizes(), packed.dtype(), to.device());
  move_bytes(c, arrived, packed);
  c.call("aten::copy_", {to, arrived});
}

bool first_crosses(const Call& c) { return c.first().to_tensor().device() != c.out().device(); }
void transfer_first(Call& c) { transfer(c, c.out(), c.first().to_tensor()); }

bool second_crosses(const Call& c) {
  return c.tensor(arg::self).device() != c.tensor(arg::src).device();
}
void copy_functional(Call& c) { transfer(c, c.out(), c.tensor(arg::src)); }
void copy_in_place(Call& c) {
  transfer(c, c.tensor(arg::self), c.tensor(arg::src));
  c.finish(c.value(arg::self));
}

constexpr Kernel transfer_table[] = {
    {"aten::copy_", copy_in_place, second_crosses},
    {"aten::copy", copy_functional, second_crosses},
    {"aten::to.device", transfer_first, first_crosses},
    {"aten::to.other", transfer_first, first_crosses},
    {"aten::to.dtype_layout", transfer_first, first_crosses},
    {"aten::to.prim_Device", transfer_first, first_crosses},
    {"aten::_to_copy", transfer_first, first_crosses},
    {"aten::type_as", transfer_first, first_crosses},
    {"aten::cpu", transfer_first, first_crosses},
    {"aten::cuda", transfer_first, first_crosses},
    {"aten::as_tensor", transfer_first, first_crosses},
};

}  // namespace

std::span<const Kernel> transfer_composites() { return transfer_table; }

}  // namespace assay::ops::composite
