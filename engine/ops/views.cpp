#include "engine/ops/views.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/base/error.h"

namespace assay::ops::views {

using core::DType;

namespace {

size_t index(int64_t dim) { return static_cast<size_t>(dim); }

/// The view with one entry of sizes and strides changed.
Tensor with_dim(const Tensor& t, int64_t dim, int64_t size, int64_t stride, int64_t offset) {
  Dims sizes = t.sizes(), strides = t.strides();
  sizes[index(dim)] = size;
  strides[index(dim)] = stride;
  return t.view(sizes, strides, offset);
}

Tensor retyped(const Tensor& t, DimSpan sizes, DimSpan strides, int64_t offset, DType dtype) {
  return Tensor::view_of(t.storage(), offset, sizes, strides, dtype);
}

}  // namespace

Dims infer_size(DimSpan shape, int64_t numel) {
  std::optional<size_t> unknown;
  int64_t known = 1;
  bool overflows = false;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == -1) {
      base::check(!unknown, "only one dimension can be inferred");
      unknown = i;
    } else {
      base::check(shape[i] >= 0, "invalid shape dimension ", shape[i]);
      overflows |= __builtin_mul_overflow(known, shape[i], &known);
    }
  }
  bool fits = !overflows && (known == numel || (unknown && known > 0 && numel % known == 0));
  base::check(fits, "shape '", shape, "' is invalid for input of size ", numel);
  Dims out(shape);
  if (unknown) {
    base::check(known != 0, "cannot reshape tensor of 0 elements into shape ", shape,
                " because the unspecified dimension size -1 can be any value and is ambiguous");
    out[*unknown] = numel / known;
  }
  return out;
}

std::optional<Dims> view_strides(DimSpan sizes, DimSpan strides, DimSpan shape) {
  if (sizes.empty()) return Dims(shape.size(), 1);
  int64_t count = core::numel(sizes);
  if (count == 0) {
    if (std::equal(sizes.begin(), sizes.end(), shape.begin(), shape.end())) return Dims(strides);
    return core::contiguous_strides(shape);
  }
  // Each run of old dimensions that lies without gaps must hold whole new dimensions.
  Dims out(shape.size(), 0);
  size_t next = shape.size();
  int64_t base_stride = strides.back();
  int64_t in_run = 1, placed = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    in_run *= sizes[d];
    bool run_ends = d == 0 || (sizes[d - 1] != 1 && strides[d - 1] != in_run * base_stride);
    if (!run_ends) continue;
    while (next > 0 && (placed < in_run || shape[next - 1] == 1)) {
      out[next - 1] = placed * base_stride;
      placed *= shape[next - 1];
      --next;
    }
    if (placed != in_run) return std::nullopt;
    if (d > 0) {
      base_stride = strides[d - 1];
      in_run = placed = 1;
    }
  }
  if (next != 0) return std::nullopt;
  return out;
}

void check_elements_apart(const Tensor& t) {
  if (t.numel() == 0) return;  // Strides of 0 are usual there.
  for (size_t i = 0; i < t.sizes().size(); ++i) {
    base::check(t.stride(i) != 0 || t.size(i) < 2,
                "unsupported operation: more than one element of the written-to tensor refers to a "
                "single memory location. Please clone() the tensor before performing the "
                "operation.");
  }
}

Tensor view(const Tensor& t, DimSpan shape) {
  Dims sizes = infer_size(shape, t.numel());
  auto strides = view_strides(t.sizes(), t.strides(), sizes);
  base::check(strides.has_value(),
              "view size is not compatible with input tensor's size and stride (at least one "
              "dimension spans across two contiguous subspaces). Use .reshape(...) instead.");
  return t.view(sizes, *strides, t.offset());
}

Tensor expand(const Tensor& t, DimSpan shape) {
  size_t rank = t.sizes().size();
  base::check(shape.size() >= rank, "expand(torch.", core::script_name(t.dtype()), "Tensor{",
              t.sizes(), "}, size=", shape, "): the number of sizes provided (", shape.size(),
              ") must be greater or equal to the number of dimensions in the tensor (", rank, ")");
  size_t lead = shape.size() - rank;
  Dims sizes(shape), strides(shape.size(), 0);
  if (rank == 0) return t.view(sizes, strides, t.offset());
  for (size_t i = shape.size(); i-- > 0;) {
    if (i < lead) {
      base::check(shape[i] >= 0, "The expanded size of the tensor (", shape[i],
                  ") isn't allowed in a leading, non-existing dimension ", i);
      strides[i] = i + 1 < shape.size() ? sizes[i + 1] * strides[i + 1] : 1;
      if (sizes[i] != 1) strides[i] = 0;
      continue;
    }
    int64_t size = t.size(i - lead), stride = t.stride(i - lead);
    if (shape[i] == -1) sizes[i] = size;
    if (sizes[i] != size) {
      base::check(size == 1 && sizes[i] >= 0, "The expanded size of the tensor (", sizes[i],
                  ") must match the existing size (", size, ") at non-singleton dimension ", i,
                  ".  Target sizes: ", shape, ".  Tensor sizes: ", t.sizes());
      stride = 0;
    }
    strides[i] = stride;
  }
  return t.view(sizes, strides, t.offset());
}

Dims wrap_dims(DimSpan dims, int64_t rank) {
  Dims out;
  for (int64_t d : dims) {
    int64_t dim = core::wrap_dim(d, rank);
    base::check(std::find(out.begin(), out.end(), dim) == out.end(), "dim ", dim,
                " appears multiple times in the list of dims");
    out.push_back(dim);
  }
  return out;
}

Tensor permute(const Tensor& t, DimSpan dims) {
  size_t rank = t.sizes().size();
  base::check(dims.size() == rank,
              "permute(sparse_coo): number of dimensions in the tensor input does not match the "
              "length of the desired ordering of dimensions i.e. input.dim() = ",
              rank, " is not equal to len(dims) = ", dims.size());
  Dims sizes(rank), strides(rank), seen(rank, 0);
  for (size_t i = 0; i < rank; ++i) {
    size_t from = index(core::wrap_dim(dims[i], t.dim()));
    base::check(!seen[from], "permute(): duplicate dims are not allowed.");
    seen[from] = 1;
    sizes[i] = t.size(from);
    strides[i] = t.stride(from);
  }
  return t.view(sizes, strides, t.offset());
}

Tensor transpose(const Tensor& t, int64_t dim0, int64_t dim1) {
  size_t a = index(core::wrap_dim(dim0, t.dim())), b = index(core::wrap_dim(dim1, t.dim()));
  Dims sizes = t.sizes(), strides = t.strides();
  if (a != b) {
    std::swap(sizes[a], sizes[b]);
    std::swap(strides[a], strides[b]);
  }
  return t.view(sizes, strides, t.offset());
}

Tensor select(const Tensor& t, int64_t dim, int64_t at) {
  base::check_index(t.dim() > 0, "select() cannot be applied to a 0-dim tensor.");
  size_t d = index(core::wrap_dim(dim, t.dim()));
  int64_t size = t.size(d);
  base::check_index(at >= -size && at < size, "select(): index ", at,
                    " out of range for tensor of size ", t.sizes(), " at dimension ", d);
  if (at < 0) at += size;
  Dims sizes = t.sizes(), strides = t.strides();
  int64_t offset = t.offset() + at * strides[d];
  sizes.erase(d);
  strides.erase(d);
  return t.view(sizes, strides, offset);
}

Range slice_range(int64_t size, std::optional<int64_t> start, std::optional<int64_t> end,
                  int64_t step) {
  base::check(step > 0, "slice step must be positive");
  int64_t first = start.value_or(0), last = end.value_or(INT64_MAX);
  if (first < 0) first += size;
  if (last < 0) last += size;
  first = std::clamp<int64_t>(first, 0, size);
  last = std::clamp<int64_t>(last, first, size);
  int64_t span = last - first;
  return {first, span / step + (span % step != 0)};
}

Tensor slice(const Tensor& t, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
             int64_t step) {
  base::check(t.dim() > 0, "slice() cannot be applied to a 0-dim tensor.");
  int64_t d = core::wrap_dim(dim, t.dim());
  Range range = slice_range(t.size(index(d)), start, end, step);
  int64_t stride = t.stride(index(d));
  int64_t wide = 0;
  // A step beyond the dimension leaves one element, whose stride no access uses.
  if (__builtin_mul_overflow(stride, step, &wide)) wide = stride;
  return with_dim(t, d, range.length, wide, t.offset() + range.start * stride);
}

Tensor narrow(const Tensor& t, int64_t dim, int64_t start, int64_t length) {
  base::check(t.dim() > 0, "narrow() cannot be applied to a 0-dim tensor.");
  int64_t d = core::wrap_dim(dim, t.dim());
  int64_t size = t.size(index(d));
  if (start != size) start = core::wrap_dim(start, size);
  base::check(length >= 0 && start <= size - length, "start (", start, ") + length (", length,
              ") exceeds dimension size (", size, ").");
  int64_t stride = t.stride(index(d));
  return with_dim(t, d, length, stride, t.offset() + start * stride);
}

Tensor unsqueeze(const Tensor& t, int64_t dim) {
  size_t d = index(core::wrap_dim(dim, t.dim() + 1));
  Dims sizes = t.sizes(), strides = t.strides();
  int64_t stride = d < sizes.size() ? sizes[d] * strides[d] : 1;
  sizes.insert(d, 1);
  strides.insert(d, stride);
  return t.view(sizes, strides, t.offset());
}

Tensor squeeze(const Tensor& t) {
  Dims sizes, strides;
  for (size_t i = 0; i < t.sizes().size(); ++i) {
    if (t.size(i) == 1) continue;
    sizes.push_back(t.size(i));
    strides.push_back(t.stride(i));
  }
  return t.view(sizes, strides, t.offset());
}

Tensor squeeze(const Tensor& t, int64_t dim) {
  size_t d = index(core::wrap_dim(dim, t.dim()));
  if (t.dim() == 0 || t.size(d) != 1) return t.alias();
  Dims sizes = t.sizes(), strides = t.strides();
  sizes.erase(d);
  strides.erase(d);
  return t.view(sizes, strides, t.offset());
}

Dims flatten_sizes(DimSpan sizes, int64_t start_dim, int64_t end_dim) {
  auto rank = static_cast<int64_t>(sizes.size());
  int64_t first = core::wrap_dim(start_dim, rank), last = core::wrap_dim(end_dim, rank);
  base::check(first <= last, "flatten() has invalid args: start_dim cannot come after end_dim");
  if (rank == 0) return {1};
  Dims out(sizes.begin(), sizes.begin() + first);
  out.push_back(core::numel(sizes.subspan(index(first), index(last - first + 1))));
  for (int64_t i = last + 1; i < rank; ++i) out.push_back(sizes[index(i)]);
  return out;
}

Tensor flatten(const Tensor& t, int64_t start_dim, int64_t end_dim) {
  return view(t, flatten_sizes(t.sizes(), start_dim, end_dim));
}

Tensor diagonal(const Tensor& t, int64_t offset, int64_t dim1, int64_t dim2) {
  size_t a = index(core::wrap_dim(dim1, t.dim(), false));
  size_t b = index(core::wrap_dim(dim2, t.dim(), false));
  base::check(a != b, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  int64_t rows = t.size(a), columns = t.size(b);
  int64_t length = 0, start = t.offset();
  if (offset >= 0) {
    length = offset < columns ? std::min(rows, columns - offset) : 0;
    if (length > 0) start += offset * t.stride(b);
  } else if (offset > -rows) {
    length = std::min(rows + offset, columns);
    if (length > 0) start -= offset * t.stride(a);
  }
  Dims sizes, strides;
  for (size_t i = 0; i < t.sizes().size(); ++i) {
    if (i == a || i == b) continue;
    sizes.push_back(t.size(i));
    strides.push_back(t.stride(i));
  }
  sizes.push_back(length);
  strides.push_back(t.stride(a) + t.stride(b));
  return t.view(sizes, strides, start);
}

Tensor unfold(const Tensor& t, int64_t dim, int64_t size, int64_t step) {
  int64_t d = core::wrap_dim(dim, t.dim());
  int64_t available = t.dim() == 0 ? 1 : t.size(index(d));
  base::check(size <= available, "maximum size for tensor at dimension ", d, " is ", available,
              " but size is ", size);
  base::check(size >= 0, "size is ", size, " but must be >= 0");
  base::check(step > 0, "step is ", step, " but must be > 0");
  Dims sizes = t.sizes(), strides = t.strides();
  int64_t stride = 1;
  if (t.dim() > 0) {
    stride = strides[index(d)];
    sizes[index(d)] = (available - size) / step + 1;
    if (__builtin_mul_overflow(stride, step, &strides[index(d)])) strides[index(d)] = stride;
  }
  sizes.push_back(size);
  strides.push_back(stride);
  return t.view(sizes, strides, t.offset());
}

Tensor movedim(const Tensor& t, DimSpan source, DimSpan destination) {
  base::check(source.size() == destination.size(),
              "movedim: Invalid source or destination dims: source (", source,
              " dims) should contain the same number of dims as destination (", destination,
              " dims)");
  auto wrapped = [&](DimSpan dims, const char* name) {
    Dims out;
    for (int64_t d : dims) {
      int64_t dim = core::wrap_dim(d, t.dim());
      base::check(std::find(out.begin(), out.end(), dim) == out.end(), "movedim: repeated dim in `",
                  name, "` (", dims, ")");
      out.push_back(dim);
    }
    return out;
  };
  Dims from = wrapped(source, "source"), to = wrapped(destination, "destination");
  if (t.dim() == 0) return t.alias();
  Dims order(t.sizes().size(), -1);
  for (size_t i = 0; i < from.size(); ++i) order[index(to[i])] = from[i];
  int64_t next = 0;
  for (int64_t& position : order) {
    if (position >= 0) continue;
    while (std::find(from.begin(), from.end(), next) != from.end()) ++next;
    position = next++;
  }
  return permute(t, order);
}

Tensor as_strided(const Tensor& t, DimSpan sizes, DimSpan strides, std::optional<int64_t> offset) {
  base::check(sizes.size() == strides.size(), "mismatch in length of strides and shape");
  for (int64_t stride : strides) {
    base::check(
        stride >= 0,
        "as_strided: Negative strides are not supported at the moment, got strides: ", strides);
  }
  int64_t start = offset.value_or(t.offset());
  base::check(start >= 0, "Tensor: invalid storage offset ", start);
  return t.view(sizes, strides, start);
}

Tensor view_dtype(const Tensor& t, DType dtype) {
  auto old_size = static_cast<int64_t>(t.item_size());
  auto new_size = static_cast<int64_t>(core::size_of(dtype));
  if (old_size == new_size) return retyped(t, t.sizes(), t.strides(), t.offset(), dtype);
  auto what = [&] {
    return fmt::format(" to view {} as {} (different element sizes)", core::script_name(t.dtype()),
                       core::script_name(dtype));
  };
  if (t.dim() == 0) base::fail("self.dim() cannot be 0", what());
  auto check_stride = [&] {
    if (t.strides().back() != 1) {
      base::fail("self.stride(-1) must be 1", what(), ", but got ", t.strides().back());
    }
  };
  Dims sizes = t.sizes(), strides = t.strides();
  int64_t offset = t.offset();
  if (old_size > new_size) {
    check_stride();
    int64_t ratio = old_size / new_size;
    for (int64_t& s : strides) s *= ratio;
    sizes.back() *= ratio;
    offset *= ratio;
  } else {
    int64_t ratio = new_size / old_size;
    auto divide = [&](int64_t& value, const std::string& name) {
      if (value % ratio != 0) {
        base::fail(name, " must be divisible by ", ratio, what(), ", but got ", value);
      }
      value /= ratio;
    };
    divide(sizes.back(), "self.size(-1)");
    check_stride();
    divide(offset, "self.storage_offset()");
    for (size_t i = 0; i + 1 < strides.size(); ++i) {
      divide(strides[i], fmt::format("self.stride({})", i));
    }
  }
  strides.back() = 1;
  return retyped(t, sizes, strides, offset, dtype);
}

Tensor as_real(const Tensor& t) {
  base::check(core::is_complex(t.dtype()), "view_as_real is only supported for complex tensors");
  Dims sizes = t.sizes(), strides = t.strides();
  for (int64_t& s : strides) s *= 2;
  sizes.push_back(2);
  strides.push_back(1);
  return retyped(t, sizes, strides, t.offset() * 2, core::real_of(t.dtype()));
}

Tensor as_complex(const Tensor& t) {
  bool right_type = t.dtype() == DType::float32 || t.dtype() == DType::float64;
  base::check(right_type,
              "view_as_complex is only supported for half, float and double tensors, "
              "but got a tensor of scalar type: ",
              core::script_name(t.dtype()));
  base::check(t.dim() > 0, "Input tensor must have one or more dimensions");
  base::check(t.sizes().back() == 2, "Tensor must have a last dimension of size 2");
  base::check(t.strides().back() == 1, "Tensor must have a last dimension with stride 1");
  Dims sizes = t.sizes(), strides = t.strides();
  sizes.pop_back();
  strides.pop_back();
  for (int64_t& s : strides) {
    base::check(s % 2 == 0, "Tensor must have a stride divisible by 2 for all but last dimension");
    s /= 2;
  }
  base::check(t.offset() % 2 == 0, "Tensor must have a storage_offset divisible by 2");
  return retyped(t, sizes, strides, t.offset() / 2, core::complex_of(t.dtype()));
}

}  // namespace assay::ops::views
