#include "engine/ops/advanced_index.h"

#include <fmt/ranges.h>

#include <cstring>
#include <optional>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/ops/promotion.h"
#include "engine/ops/views.h"

namespace assay::ops {

using core::Dims;
using core::DType;
using core::Tensor;

namespace {

bool is_mask(const Tensor& t) {
  return t && (t.dtype() == DType::boolean || t.dtype() == DType::uint8);
}

/// Calls `visit(offset in elements, index)` for every element in row-major order.
template <typename Visit>
void for_each_offset(const Tensor& t, Visit visit) {
  Dims index(t.sizes().size(), 0);
  int64_t offset = 0;
  base::DeadlineTicker deadline;
  for (int64_t k = 0; k < t.numel(); ++k) {
    deadline.tick();
    visit(offset, index);
    for (size_t d = index.size(); d-- > 0;) {
      offset += t.stride(d);
      if (++index[d] < t.size(d)) break;
      offset -= t.size(d) * t.stride(d);
      index[d] = 0;
    }
  }
}

template <typename T>
bool nonzero_at(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value != T{};
}

bool is_nonzero(DType dtype, const std::byte* at) {
  switch (dtype) {
    case DType::float16:
      return static_cast<float>(*reinterpret_cast<const core::Half*>(at)) != 0;
    case DType::bfloat16:
      return static_cast<float>(*reinterpret_cast<const core::BFloat16*>(at)) != 0;
    case DType::float32:
      return nonzero_at<float>(at);
    case DType::float64:
      return nonzero_at<double>(at);
    case DType::complex64:
      return nonzero_at<core::Complex64>(at);
    case DType::complex128:
      return nonzero_at<core::Complex128>(at);
    case DType::int16:
      return nonzero_at<int16_t>(at);
    case DType::int32:
      return nonzero_at<int32_t>(at);
    case DType::int64:
      return nonzero_at<int64_t>(at);
    default:
      return nonzero_at<uint8_t>(at);
  }
}

/// Moves the indexed dimensions to the front, in order.
void indexed_first(Tensor& self, std::vector<Tensor>& indices) {
  Dims order;
  std::vector<Tensor> moved;
  for (bool indexed : {true, false}) {
    for (size_t d = 0; d < indices.size(); ++d) {
      if (indices[d].defined() != indexed) continue;
      order.push_back(static_cast<int64_t>(d));
      moved.push_back(indices[d]);
    }
  }
  self = views::permute(self, order);
  indices = std::move(moved);
}

bool side_by_side(const std::vector<Tensor>& indices) {
  int runs = 0;
  bool inside = false;
  for (const Tensor& t : indices) {
    if (t && !inside) ++runs;
    inside = t.defined();
  }
  return runs <= 1;
}

/// The common shape of the index tensors.
Dims broadcast_indices(const std::vector<Tensor>& indices) {
  Dims shape;
  std::string shapes;
  for (const Tensor& t : indices) {
    if (t) shapes += (shapes.empty() ? "" : ", ") + fmt::format("{}", t.sizes());
  }
  for (const Tensor& t : indices) {
    if (!t) continue;
    try {
      shape = core::broadcast(shape, t.sizes());
    } catch (const base::Error&) {
      base::fail("shape mismatch: indexing tensors could not be broadcast together with shapes ",
                 shapes);
    }
  }
  return shape;
}

}  // namespace

bool has_mask(const std::vector<Tensor>& indices) {
  for (const Tensor& t : indices) {
    if (is_mask(t)) return true;
  }
  return false;
}

Tensor nonzero_indices(const Tensor& t) {
  auto item = static_cast<int64_t>(t.item_size());
  std::vector<int64_t> positions;
  int64_t count = 0;
  for_each_offset(t, [&](int64_t offset, const Dims& index) {
    if (!is_nonzero(t.dtype(), t.device_address() + offset * item)) return;
    ++count;
    positions.insert(positions.end(), index.begin(), index.end());
  });
  int64_t rank = t.dim();
  Tensor out = Tensor::empty_strided(Dims{count, rank}, Dims{1, count}, DType::int64, t.device());
  int64_t* to = out.device_data<int64_t>();
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t d = 0; d < rank; ++d)
      to[d * count + i] = positions[static_cast<size_t>(i * rank + d)];
  }
  return out;
}

std::vector<Tensor> expand_masks(const Tensor& self, const std::vector<Tensor>& indices) {
  std::vector<Tensor> out;
  for (size_t i = 0; i < indices.size(); ++i) {
    const Tensor& t = indices[i];
    if (!is_mask(t)) {
      out.push_back(t);
      continue;
    }
    for (size_t d = 0; d < t.sizes().size(); ++d) {
      size_t at = out.size() + d;
      base::check_index(at < self.sizes().size() && t.size(d) == self.size(at),
                        "The shape of the mask ", t.sizes(), " at index ", d,
                        " does not match the shape of the indexed tensor ", self.sizes(),
                        " at index ", at);
    }
    base::check(t.dim() > 0, "a 0-dimensional mask does not index a dimension");
    Tensor positions = nonzero_indices(t);
    for (int64_t d = 0; d < t.dim(); ++d) out.push_back(views::select(positions, 1, d));
  }
  return out;
}

AdvancedIndex plan_index(const Tensor& self, const std::vector<Tensor>& given) {
  std::vector<Tensor> indices = given;
  base::check_index(given.size() <= self.sizes().size(),
                    "too many indices for tensor of dimension ", self.dim(), " (got ", given.size(),
                    ")");
  for (const Tensor& t : indices) {
    base::check_index(!t || t.dtype() == DType::int64,
                      "tensors used as indices must be long, byte or bool tensors");
  }
  AdvancedIndex plan;
  plan.index_sizes = broadcast_indices(indices);
  plan.self = self;
  indices.resize(self.sizes().size());
  if (!side_by_side(indices)) indexed_first(plan.self, indices);
  while (plan.first < indices.size() && !indices[plan.first]) ++plan.first;
  if (plan.first == indices.size()) plan.first = 0;
  for (const Tensor& t : indices) {
    if (t) plan.indices.push_back(views::expand(t, plan.index_sizes));
  }
  return plan;
}

Dims AdvancedIndex::sizes() const {
  Dims out(self.sizes().begin(), self.sizes().begin() + first);
  for (int64_t size : index_sizes) out.push_back(size);
  for (size_t d = after(); d < self.sizes().size(); ++d) out.push_back(self.size(d));
  return out;
}

Dims AdvancedIndex::result_strides() const {
  Dims result = sizes();
  if (core::numel(result) == 0) return core::contiguous_strides(result);
  // The operands as they are read under the result's shape: no step along dimensions that another
  // operand decides.
  auto spread = [&](const Tensor& t, size_t from, size_t at, size_t count) {
    Dims strides(result.size(), 0);
    for (size_t i = 0; i < count; ++i) strides[at + i] = t.stride(from + i);
    return strides;
  };
  Dims of_self = spread(self, 0, 0, first);
  Dims rest = spread(self, after(), first + index_sizes.size(), self.sizes().size() - after());
  for (size_t i = first + index_sizes.size(); i < result.size(); ++i) of_self[i] = rest[i];
  std::vector<Tensor> operands{Tensor::view_of(self.storage(), 0, result, of_self, self.dtype())};
  for (const Tensor& t : indices) {
    Dims strides = spread(t, 0, first, index_sizes.size());
    operands.push_back(Tensor::view_of(t.storage(), 0, result, strides, t.dtype()));
  }
  return elementwise_strides(result, operands);
}

}  // namespace assay::ops
