#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/ops/composite/families.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::ops::composite {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;

/// One int64 vector of positions per dimension.
void nonzero_numpy(Call& c) {
  Tensor self = c.first().to_tensor();
  if (self.dim() == 0) self = views::unsqueeze(self, 0);
  Tensor positions = c.call_tensor("aten::nonzero", {self});
  c.finish(c.call("aten::unbind.int", {positions, 1}));
}

void take_along_dim(Call& c) {
  Tensor self = c.tensor(arg::self), indices = c.tensor(arg::indices);
  base::check(indices.dtype() == DType::int64,
              "torch.take_along_dim(): dtype of indices should be Long but got ",
              core::script_name(indices.dtype()));
  if (c.is_none(arg::dim)) {
    auto flat = [&](const Tensor& t) {
      return c.call_tensor("aten::reshape", {t, core::make_int_list(Dims{-1})});
    };
    return c.finish(c.call("aten::gather", {flat(self), 0, flat(indices)}));
  }
  base::check(self.dim() == indices.dim(), "torch.take_along_dim(): input and indices should have ",
              "the same number of dimensions, but got ", self.dim(), " dimensions for input, and ",
              indices.dim(), " dimensions for indices");
  int64_t dim = core::wrap_dim(c.integer(arg::dim), self.dim());
  auto at = static_cast<size_t>(dim);
  auto without = [&](const Tensor& t, int64_t size) {
    Dims sizes = t.sizes();
    if (!sizes.empty()) sizes[at] = size;
    return sizes;
  };
  // Both broadcast to each other outside of `dim`.
  Dims shape = core::broadcast(without(self, 1), without(indices, 1));
  auto spread = [&](const Tensor& t) {
    Dims sizes = shape;
    if (!sizes.empty()) sizes[at] = t.size(at);
    return views::expand(t, sizes);
  };
  c.finish(c.call("aten::gather", {spread(self), dim, spread(indices)}));
}

/// Copies the edges of each padded dimension from the other side.
Tensor pad_circular(const Call& c, const Tensor& self, const Dims& pad) {
  size_t spatial = pad.size() / 2;
  base::check(self.dim() == static_cast<int64_t>(spatial) + 2, "Invalid padding size, expected ",
              2 * (self.dim() - 2), " but got ", pad.size());
  Dims sizes = self.sizes();
  for (size_t i = 0; i < spatial; ++i) {
    size_t d = sizes.size() - 1 - i;
    base::check(pad[2 * i] <= self.size(d) && pad[2 * i + 1] <= self.size(d),
                "Padding value causes wrapping around more than once.");
    sizes[d] = base::checked_add(base::checked_add(sizes[d], pad[2 * i]), pad[2 * i + 1]);
    base::check(sizes[d] >= 0, "Negative padding value is resulting in an empty dimension.");
  }
  Tensor out = c.call_tensor("aten::new_empty", {self, core::make_int_list(sizes)});
  Tensor inner = out, from = self;
  for (size_t i = 0; i < spatial; ++i) {
    int64_t d = self.dim() - 1 - static_cast<int64_t>(i);
    int64_t before = pad[2 * i], after = pad[2 * i + 1], size = from.size(static_cast<size_t>(d));
    int64_t first = std::max<int64_t>(0, -before), last = size - std::max<int64_t>(0, -after);
    // PyTorch sees to whole sizes only, and reads memory that nobody wrote where a side is cropped.
    base::check(std::max(before, after) <= std::max<int64_t>(0, last - first),
                "Padding value causes wrapping around more than once: ", last - first,
                " elements are left of dimension ", d, ", padded by ", before, " and ", after);
    from = views::slice(from, d, first, last, 1);
    inner =
        views::narrow(inner, d, std::max<int64_t>(0, before), std::max<int64_t>(0, last - first));
  }
  c.call("aten::copy_", {inner, from});
  for (size_t i = 0; i < spatial; ++i) {
    int64_t d = self.dim() - 1 - static_cast<int64_t>(i);
    int64_t before = pad[2 * i], after = pad[2 * i + 1], size = out.size(static_cast<size_t>(d));
    auto part = [&](int64_t start, int64_t length) { return views::narrow(out, d, start, length); };
    if (before > 0) {
      c.call("aten::copy_",
             {part(0, before), part(size - before - std::max<int64_t>(0, after), before)});
    }
    if (after > 0) {
      c.call("aten::copy_", {part(size - after, after), part(std::max<int64_t>(0, before), after)});
    }
  }
  return out;
}
void pad_circular_rows(Call& c) {
  c.finish(pad_circular(c, c.tensor(arg::self), c.ints(arg::pad)));
}

/// Numbered as in PyTorch, which hands the numbers to _pad_enum.
enum class PadMode { reflect, replicate, circular, constant };

void pad_with(Call& c, PadMode mode) {
  Tensor self = c.tensor(arg::self);
  Dims pad = c.ints(arg::pad);
  base::check(pad.size() % 2 == 0, "Padding length must be divisible by 2");
  base::check(pad.size() <= 2 * self.sizes().size(), "Padding length too large");
  if (mode == PadMode::constant) {
    Value value = c.is_none(arg::value) ? Value(0.0) : c.value(arg::value);
    return c.finish(c.call("aten::constant_pad_nd", {self, c.value(arg::pad), value}));
  }
  base::check(c.is_none(arg::value) || c.floating(arg::value) == 0, "Padding mode \"",
              c.value(arg::mode).is_string() ? c.string(arg::mode) : "",
              "\" doesn't take in value argument");
  size_t spatial = pad.size() / 2;
  auto rank = self.sizes().size();
  base::check(spatial >= 1 && spatial <= 3 && (rank == spatial + 1 || rank == spatial + 2),
              "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now");
  if (mode == PadMode::circular) return c.finish(pad_circular(c, self, pad));
  std::string name = mode == PadMode::reflect ? "aten::reflection_pad" : "aten::replication_pad";
  c.finish(c.call(fmt::format("{}{}d", name, spatial), {self, c.value(arg::pad)}));
}
void pad(Call& c) {
  const std::string& mode = c.string(arg::mode);
  if (mode == "constant") return pad_with(c, PadMode::constant);
  if (mode == "reflect") return pad_with(c, PadMode::reflect);
  if (mode == "replicate") return pad_with(c, PadMode::replicate);
  if (mode == "circular") return pad_with(c, PadMode::circular);
  base::fail("Unrecognised padding mode ", mode);
}
void pad_enum(Call& c) {
  int64_t mode = c.integer(arg::mode);
  base::check(mode >= 0 && mode <= 3, "Unrecognised padding mode ", mode);
  pad_with(c, static_cast<PadMode>(mode));
}

constexpr Kernel indexing_table[] = {
    {"aten::nonzero_numpy", nonzero_numpy},
    {"aten::where", nonzero_numpy},
    {"aten::take_along_dim", take_along_dim},
    {"aten::pad", pad},
    {"aten::_pad_enum", pad_enum},
    {"aten::_pad_circular", pad_circular_rows},
};

}  // namespace

std::span<const Kernel> indexing_composites() { return indexing_table; }

}  // namespace assay::ops::composite
