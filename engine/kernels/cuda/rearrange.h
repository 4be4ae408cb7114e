#pragma once

#include <vector>

#include "engine/kernels/common/anywhere.h"
#include "engine/kernels/cuda/queue.h"

namespace assay::kernels::cuda {

/// From which index of a dimension of the source an index of the result is
/// taken.
struct IndexMap {
  enum class Kind : uint8_t {
    shifted,    ///< k + shift.
    turned,     ///< The same, around the end of the dimension; 0 <= shift < size.
    reversed,   ///< From the end on.
    reflected,  ///< k + shift, mirrored at the first and the last index.
    clamped,    ///< k + shift, or the nearest index.
    outside,    ///< k + shift, or none.
    shuffled    ///< Groups of `shift` neighbours come from as many parts of the
                ///< dimension.
  };
  Kind kind = Kind::shifted;
  int64_t shift = 0;
  int64_t size = 1;  ///< Of the source's dimension.

  /// -1: from none.
  ASSAY_ANYWHERE int64_t operator()(int64_t k) const {
    int64_t at = k + shift, last = size - 1;
    switch (kind) {
      case Kind::turned:
        return at >= size ? at - size : at;
      case Kind::reversed:
        return last - k;
      case Kind::reflected:
        if (at < 0) at = -at;
        if (at > last) at = 2 * last - at;
        return at < 0 ? 0 : at > last ? last : at;
      case Kind::clamped:
        return at < 0 ? 0 : at > last ? last : at;
      case Kind::outside:
        return at < 0 || at > last ? -1 : at;
      case Kind::shuffled:
        return k % shift * (size / shift) + k / shift;
      default:
        return at;
    }
  }
  bool is_plain() const { return kind == Kind::shifted && shift == 0; }
};

/// Each index from itself.
std::vector<IndexMap> identity_maps(const core::Tensor& source);

/// out[i, j, ...] = source[maps[0](i), maps[1](j), ...]; both have the maps'
/// rank and one type. Elements that come from no index become `filling`, an
/// element of that type on the CPU.
void rearrange(const ops::Call& call, const core::Tensor& out, const core::Tensor& source,
               const std::vector<IndexMap>& maps, const core::Tensor& filling = {});

}  // namespace assay::kernels::cuda
