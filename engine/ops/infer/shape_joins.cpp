#include <algorithm>

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/infer/layout.h"
#include "engine/ops/infer/shape.h"
#include "engine/ops/promotion.h"
#include "engine/ops/views.h"

namespace assay::ops::infer {
namespace {

using core::Dims;
using core::MemoryFormat;
using core::Tensor;

size_t index(int64_t dim) { return static_cast<size_t>(dim); }

/// PyTorch of old made "no tensor" a 1-dimensional tensor of size 0; cat still skips them.
bool is_skipped(const Tensor& t) { return t.dim() == 1 && t.size(0) == 0; }

MemoryFormat common_format(const std::vector<Tensor>& tensors) {
  MemoryFormat format = suggested_format(tensors[0]);
  for (const Tensor& t : tensors) {
    if (suggested_format(t) != format) return MemoryFormat::contiguous;
  }
  return format;
}

/// The sizes add up along `dim` and agree elsewhere.
void cat_rule(RuleCall& c) {
  auto tensors = c.tensors(arg::tensors);
  base::check(!tensors.empty(), "torch.cat(): expected a non-empty list of Tensors");
  const Tensor* model = nullptr;
  for (size_t i = 0; i < tensors.size(); ++i) {
    base::check(tensors[i].defined(), "torch.cat(): tensor number ", i, " is None");
    base::check(tensors[i].dim() > 0, "zero-dimensional tensor (at position ", i,
                ") cannot be concatenated");
    if (!model && !is_skipped(tensors[i])) model = &tensors[i];
  }
  if (!model) {
    return c.declare(Dims{0}, result_type(tensors, c.context.default_dtype));
  }
  size_t dim = index(core::wrap_dim(c.integer(arg::dim), model->dim()));
  Dims sizes = model->sizes();
  sizes[dim] = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& t = tensors[i];
    if (is_skipped(t)) continue;
    base::check(t.dim() == model->dim(), "Tensors must have same number of dimensions: got ",
                model->dim(), " and ", t.dim());
    for (size_t d = 0; d < sizes.size(); ++d) {
      base::check(d == dim || t.size(d) == sizes[d],
                  "Sizes of tensors must match except in dimension ", dim, ". Expected size ",
                  sizes[d], " but got size ", t.size(d), " for tensor number ", i, " in the list.");
    }
    sizes[dim] = base::checked_add(sizes[dim], t.size(dim));
  }
  MemoryFormat format = common_format(tensors);
  c.declare(sizes, core::format_strides(sizes, format),
            result_type(tensors, c.context.default_dtype));
}

/// A new dimension of the number of tensors, which all have one shape.
void stack_rule(RuleCall& c) {
  auto tensors = c.tensors(arg::tensors);
  base::check(!tensors.empty(), "stack expects a non-empty TensorList");
  base::check(tensors[0].defined(), "stack: tensor number 0 is None");
  int64_t dim = core::wrap_dim(c.integer(arg::dim), tensors[0].dim() + 1);
  for (size_t i = 0; i < tensors.size(); ++i) {
    base::check(tensors[i].defined(), "stack: tensor number ", i, " is None");
    base::check(tensors[i].sizes() == tensors[0].sizes(),
                "stack expects each tensor to be equal size, but got ", tensors[0].sizes(),
                " at entry 0 and ", tensors[i].sizes(), " at entry ", i);
  }
  auto count = static_cast<int64_t>(tensors.size());
  Dims joined = tensors[0].sizes(), sizes = joined;
  sizes.insert(index(dim), count);
  Dims strides = core::contiguous_strides(sizes);
  if (dim < tensors[0].dim()) {
    // Laid out as the tensors joined along `dim`, whose dimension is then split in two.
    base::check(!__builtin_mul_overflow(joined[index(dim)], count, &joined[index(dim)]),
                "stack: the result is too large");
    Dims joined_strides = core::format_strides(joined, common_format(tensors));
    strides = views::view_strides(joined, joined_strides, sizes).value_or(strides);
  }
  c.declare(sizes, strides, result_type(tensors, c.context.default_dtype));
}

void repeat_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  Dims repeats = c.ints(arg::repeats);
  base::check(repeats.size() >= self.sizes().size(), "Number of dimensions of repeat dims can not ",
              "be smaller than number of dimensions of tensor");
  size_t lead = repeats.size() - self.sizes().size();
  Dims sizes = repeats;
  for (size_t i = lead; i < sizes.size(); ++i) {
    if (__builtin_mul_overflow(repeats[i], self.size(i - lead), &sizes[i])) {
      base::fail("repeat: the size of dimension ", i, " overflows 64 bits");
    }
  }
  for (int64_t size : sizes) {
    base::check(size >= 0, "Trying to create tensor with negative dimension ", size, ": ", sizes);
  }
  c.declare(sizes, self.dtype());
}

void like_self(RuleCall& c, MemoryFormat format) {
  Tensor self = c.tensor(arg::self);
  c.declare(self.sizes(), copy_strides(self, format), self.dtype());
}

void flip_rule(RuleCall& c) {
  views::wrap_dims(c.ints(arg::dims), c.tensor(arg::self).dim());
  like_self(c, MemoryFormat::preserve);
}

void fft_shift_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  Dims dims = c.ints(arg::dim);
  base::check(c.is_none(arg::dim) || !dims.empty(), "`shifts` required");
  for (int64_t d : dims) core::wrap_dim(d, self.dim());
  c.declare(self.sizes(), self.dtype());
}

void roll_rule(RuleCall& c) {
  Dims shifts = c.ints(arg::shifts), dims = c.ints(arg::dims);
  base::check(!shifts.empty(), "`shifts` required");
  bool flat = dims.empty() && shifts.size() == 1;
  base::check(flat || shifts.size() == dims.size(),
              "shifts and dimensions must align. shifts: ", shifts.size(), ", dims:", dims.size());
  Tensor self = c.tensor(arg::self);
  if (self.numel() > 0) {
    for (int64_t d : dims) core::wrap_dim(d, self.dim(), false);
  }
  MemoryFormat format = flat ? MemoryFormat::contiguous : suggested_format(self);
  for (size_t i = 0; i < dims.size() && self.numel() > 0; ++i) {
    // PyTorch joins the two turned parts; where one is empty, the format is lost.
    if (shifts[i] % self.size(index(core::wrap_dim(dims[i], self.dim()))) == 0) {
      format = MemoryFormat::contiguous;
    }
  }
  like_self(c, format);
}

void tri_rule(RuleCall& c) {
  base::check(c.tensor(arg::self).dim() >= 2, c.op.symbol.name(),
              ": input tensor must have at least 2 dimensions");
  like_self(c, MemoryFormat::contiguous);
}

/// A vector becomes the diagonal of a matrix, a matrix gives its diagonal.
void diag_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  int64_t offset = c.integer(arg::diagonal);
  base::check(self.dim() == 1 || self.dim() == 2, "matrix or a vector expected");
  if (self.dim() == 2) {
    bool inside = offset >= -self.size(0) && offset <= self.size(1);
    base::check(inside, "diag: the diagonal ", offset, " lies outside of a matrix of shape ",
                self.sizes());
    return c.declare(views::diagonal(self, offset, 0, 1).sizes(), self.dtype());
  }
  base::check(offset >= -(1 << 30) && offset <= 1 << 30, "diag: the diagonal ", offset,
              " is too far out");
  int64_t size = self.numel() + std::abs(offset);
  c.declare(Dims{size, size}, self.dtype());
}

void diag_embed_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  int64_t offset = c.integer(arg::offset), rank = self.dim() + 1;
  int64_t a = core::wrap_dim(c.integer(arg::dim1), rank),
          b = core::wrap_dim(c.integer(arg::dim2), rank);
  base::check(a != b, "diagonal dimensions cannot be identical ", c.integer(arg::dim1), ", ",
              c.integer(arg::dim2));
  base::check(self.dim() > 0, "diag_embed: the tensor has no dimensions");
  base::check(offset >= -(1 << 30) && offset <= 1 << 30, "diag_embed: the diagonal ", offset,
              " is too far out");
  int64_t size = self.sizes().back() + std::abs(offset);
  Dims sizes = self.sizes();
  sizes.pop_back();
  sizes.insert(index(std::min(a, b)), size);
  sizes.insert(index(std::max(a, b)), size);
  c.declare(sizes, self.dtype());
}

/// Pairs of (before, after) from the last dimension on; negative ones crop.
void pad_constant_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  Dims pad = c.ints(arg::pad), sizes = self.sizes();
  base::check(pad.size() % 2 == 0, "Length of pad must be even but instead it equals ", pad.size());
  base::check(pad.size() <= 2 * sizes.size(),
              "Length of pad should be no more than twice the number of dimensions of the input. "
              "Pad length is ",
              pad.size(), "while the input has ", sizes.size(), "dimensions.");
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    size_t d = sizes.size() - 1 - i;
    int64_t size = 0;
    bool overflows = __builtin_add_overflow(sizes[d], pad[2 * i], &size) ||
                     __builtin_add_overflow(size, pad[2 * i + 1], &size);
    base::check(!overflows && size >= 0, "The input size ", sizes[d], ", plus negative padding ",
                pad[2 * i], " and ", pad[2 * i + 1],
                " resulted in a negative output size, which is invalid. Check dimension ", d,
                " of your input.");
    sizes[d] = size;
  }
  bool crops = std::all_of(pad.begin(), pad.end(), [](int64_t p) { return p <= 0; });
  Dims strides = core::format_strides(sizes, suggested_format(self));
  // A crop alone is a copy of a part, which keeps the part's order of dimensions.
  if (crops)
    strides =
        elementwise_strides(sizes, std::vector{self.view(sizes, self.strides(), self.offset())});
  c.declare(sizes, strides, self.dtype());
}

}  // namespace

const Rule cat{cat_rule};
const Rule stack{stack_rule};
const Rule repeat{repeat_rule};
const Rule flip{flip_rule};
const Rule roll{roll_rule};
const Rule fft_shift{fft_shift_rule};
const Rule tri{tri_rule};
const Rule diag{diag_rule};
const Rule diag_embed{diag_embed_rule};
const Rule pad_constant{pad_constant_rule};

}  // namespace assay::ops::infer
