#include "engine/ops/promotion.h"

#include <algorithm>
#include <optional>

#include "engine/base/checked.h"

namespace assay::ops {

using core::DType;
using core::Tensor;

namespace {

/// The type of the lower-ranked group counts only if its category is higher.
std::optional<DType> combine(std::optional<DType> higher, std::optional<DType> lower) {
  if (!higher) return lower;
  if (!lower) return higher;
  return core::category_of(*lower) > core::category_of(*higher) ? core::promote(*higher, *lower)
                                                                : *higher;
}

void join(std::optional<DType>& into, DType dtype) {
  into = into ? core::promote(*into, dtype) : dtype;
}

template <typename T>
void store(const Tensor& into, const core::Scalar& number) {
  *into.device_data<T>() = number.to<T>();
}

/// The result's strides where all operands have its shape and one layout, as PyTorch's iterators
/// find them: what strides dimensions of size 1 have then decides nothing.
std::optional<core::Dims> shared_strides(core::DimSpan sizes, std::span<const Tensor> operands) {
  using core::MemoryFormat;
  bool rows = true, channels_last = sizes.size() == 4, dense = true;
  const Tensor* first = nullptr;
  for (const Tensor& t : operands) {
    if (!t) continue;
    if (!std::equal(t.sizes().begin(), t.sizes().end(), sizes.begin(), sizes.end())) return {};
    if (!first) first = &t;
    rows = rows && t.is_contiguous();
    channels_last = channels_last && t.is_contiguous(MemoryFormat::channels_last);
    dense = dense && t.strides() == first->strides() &&
            core::is_non_overlapping_and_dense(t.sizes(), t.strides());
  }
  if (!first) return {};
  if (rows) return core::contiguous_strides(sizes);
  if (channels_last) return core::format_strides(sizes, MemoryFormat::channels_last);
  if (dense) return first->strides();
  return {};
}

}  // namespace

DType result_type(std::span<const Tensor> tensors, DType default_dtype) {
  std::optional<DType> dimensioned, zero_dim, wrapped;
  for (const Tensor& t : tensors) {
    if (!t) continue;
    DType dtype = t.dtype();
    if (t.is_wrapped_number()) {
      // A Python float is of the default type, whatever the wrapped tensor stores.
      if (core::is_complex(dtype)) dtype = core::complex_of(default_dtype);
      if (core::is_floating(dtype)) dtype = default_dtype;
      join(wrapped, dtype);
    } else {
      join(t.dim() == 0 ? zero_dim : dimensioned, dtype);
    }
  }
  return combine(dimensioned, combine(zero_dim, wrapped)).value_or(default_dtype);
}

bool can_cast(DType from, DType to) {
  if (core::is_complex(from) && !core::is_complex(to)) return false;
  if (core::is_floating(from) && core::is_integral(to, true)) return false;
  return !(from != DType::boolean && to == DType::boolean);
}

Tensor wrapped_number(const core::Scalar& number, DType default_dtype) {
  // Floats are kept in double so that the number loses nothing before it meets its partner.
  DType dtype = number.is_float()     ? DType::float64
                : number.is_complex() ? DType::complex128
                                      : number.natural_dtype(default_dtype);
  Tensor t = Tensor::empty({}, dtype);
  if (number.is_bool()) store<core::Bool>(t, number);
  if (number.is_int()) store<int64_t>(t, number);
  if (number.is_float()) store<double>(t, number);
  if (number.is_complex()) store<core::Complex128>(t, number);
  t.impl()->wrapped_number = true;
  return t;
}

core::Dims elementwise_strides(core::DimSpan sizes, std::span<const Tensor> operands) {
  size_t rank = sizes.size();
  if (rank <= 1) return core::Dims(rank, 1);
  if (auto shared = shared_strides(sizes, operands)) return *shared;
  std::vector<core::Dims> strides;
  for (const Tensor& t : operands) {
    if (t && t.dim() > 0) strides.push_back(core::broadcast_strides(t.sizes(), t.strides(), sizes));
  }
  // Dimensions from the fastest to the slowest; the start is row-major.
  std::vector<size_t> order(rank);
  for (size_t i = 0; i < rank; ++i) order[i] = rank - 1 - i;
  auto compare = [&](size_t a, size_t b) {
    for (const auto& s : strides) {
      if (s[a] == 0 || s[b] == 0) continue;
      if (s[a] != s[b]) return s[a] < s[b] ? -1 : 1;
      if (sizes[a] > sizes[b]) return 1;
    }
    return 0;
  };
  for (size_t i = 1; i < rank; ++i) {
    size_t moving = i;
    for (size_t j = i; j-- > 0;) {
      int c = compare(order[j], order[moving]);
      if (c > 0) {
        std::swap(order[j], order[moving]);
        moving = j;
      } else if (c < 0) {
        break;
      }
    }
  }
  core::Dims out(rank, 1);
  // As in PyTorch, strides behind a dimension of size 0 are 0, but not where all is row-major.
  int64_t least = std::is_sorted(order.rbegin(), order.rend()) ? 1 : 0;
  int64_t step = 1;
  for (size_t dim : order) {
    out[dim] = step;
    step = base::checked_mul(step, std::max(sizes[dim], least));
  }
  return out;
}

}  // namespace assay::ops
