#pragma once

#include <array>
#include <vector>

#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/layout.h"

// Tensors as rows that are reduced, scanned or sorted each by itself.
namespace assay::kernels::cuda {

/// The dimensions of a tensor that are in `chosen`, or those that are not.
inline core::Tensor some_dimensions(const core::Tensor& t, const std::vector<bool>& chosen,
                                    bool those_in) {
  core::Dims sizes, strides;
  for (size_t d = 0; d < chosen.size(); ++d) {
    if (chosen[d] != those_in) continue;
    sizes.push_back(t.size(d));
    strides.push_back(t.stride(d));
  }
  return t.view(sizes, strides, t.offset());
}

/// Elements of a tensor of which each row is made one element of N results.
template <size_t N>
struct Reduced {
  const std::byte* in = nullptr;
  core::DType dtype{};
  std::byte* out[N]{};
  core::DType out_dtype[N]{};
  int64_t rows = 0;
  int64_t length = 0;
  bool across = false;  ///< Neighbours in memory are elements of different rows.
  Layout<N + 1> kept;   ///< Where rows begin: in the tensor, in the results.
  Layout<1> inside;     ///< Elements of a row.

  /// Elements of a row are numbered as they lie in memory or, with `row_major`, as in the tensor.
  static Reduced of(const core::Tensor& in, const std::vector<bool>& reduced,
                    const std::array<core::Tensor, N>& out, bool row_major = false) {
    Reduced r;
    r.in = in.device_address();
    r.dtype = in.dtype();
    std::array<core::Tensor, N + 1> all;
    for (size_t k = 0; k < N; ++k) {
      r.out[k] = out[k].device_address();
      r.out_dtype[k] = out[k].dtype();
      bool keepdim = out[k].dim() == in.dim();
      all[k + 1] = keepdim ? some_dimensions(out[k], reduced, false) : out[k];
    }
    r.rows = all[1].numel();
    bool empty = in.numel() == 0;
    all[0] = empty ? all[1] : some_dimensions(in, reduced, false);
    r.kept = Layout<N + 1>::of(all[1].sizes(), all);
    if (empty) return r;
    core::Tensor row = some_dimensions(in, reduced, true);
    r.inside = Layout<1>::of(row.sizes(), {row}, row_major);
    r.length = r.inside.count;
    r.across = r.kept.rank > 0 && (r.inside.rank == 0 || r.kept.steps[0][0] < r.inside.steps[0][0]);
    return r;
  }

  ASSAY_ANYWHERE const std::byte* begin(int64_t row) const { return in + kept.offsets(row).of[0]; }
  ASSAY_ANYWHERE const std::byte* at(const std::byte* row, int64_t i) const {
    return row + inside.offsets(i).of[0];
  }
  ASSAY_ANYWHERE const std::byte* at(int64_t row, int64_t i) const { return at(begin(row), i); }
  template <typename R>
  ASSAY_ANYWHERE void write(size_t k, int64_t row, R value) const {
    store(out[k] + kept.offsets(row).of[k + 1], out_dtype[k], value);
  }
};

/// N tensors whose elements lie in rows along one dimension, of any length in each.
template <size_t N>
struct Lines {
  std::byte* data[N]{};
  core::DType dtype[N]{};
  int64_t rows = 0;
  int64_t length = 0;   ///< Of the first tensor's rows.
  int64_t step[N]{};    ///< In bytes, from element to element.
  bool across = false;  ///< Neighbours in memory are elements of different rows.
  Layout<N> kept;

  static Lines of(const std::array<core::Tensor, N>& tensors, int64_t dim) {
    Lines l;
    std::array<core::Tensor, N> all;
    auto rank = static_cast<size_t>(tensors[0].dim());
    std::vector<bool> chosen(rank, false);
    if (rank > 0) chosen[static_cast<size_t>(dim)] = true;
    for (size_t k = 0; k < N; ++k) {
      const core::Tensor& t = tensors[k];
      l.data[k] = t.device_address();
      l.dtype[k] = t.dtype();
      if (rank > 0) l.step[k] = t.stride(static_cast<size_t>(dim)) * int64_t(t.item_size());
      all[k] = t.numel() == 0 ? t : some_dimensions(t, chosen, false);
    }
    l.length = rank > 0 ? tensors[0].size(static_cast<size_t>(dim)) : 1;
    for (size_t k = 0; k < N; ++k) {
      if (tensors[k].numel() == 0) return l;  // There are no rows, or nothing to do.
    }
    l.kept = Layout<N>::of(all[0].sizes(), all);
    l.rows = l.kept.count;
    l.across = l.kept.rank > 0 && l.kept.steps[0][0] < l.step[0];
    return l;
  }

  ASSAY_ANYWHERE std::byte* at(size_t k, const Offsets<N>& row, int64_t i) const {
    return data[k] + row.of[k] + i * step[k];
  }
  ASSAY_ANYWHERE std::byte* at(int64_t row, int64_t i) const { return at(0, kept.offsets(row), i); }
};

/// Elements as numbers to compute with: of one stored type T or, where that is void, of any type.
/// They are cast to a type `as` first, which widens to C.
template <typename T, typename C>
struct Reader {
  core::DType from{}, as{};

  ASSAY_ANYWHERE C operator()(const std::byte* at) const {
    return convert<C>(*reinterpret_cast<const T*>(at));
  }
};
template <typename C>
struct Reader<void, C> {
  core::DType from{}, as{};

  ASSAY_ANYWHERE C operator()(const std::byte* at) const {
    if (from == as) return load<C>(at, from);
    if (as == core::DType::boolean) return convert<C>(load<core::Bool>(at, from));
    return rounded_to<C>(as, load<C>(at, from));
  }
};

}  // namespace assay::kernels::cuda
