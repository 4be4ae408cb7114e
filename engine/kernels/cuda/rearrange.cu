#include <algorithm>
#include <numeric>

#include "engine/base/error.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/kernels/cuda/rearrange.h"
#include "engine/kernels/cuda/words.h"

namespace assay::kernels::cuda {
namespace {

using core::Tensor;

constexpr int most_dimensions = 12;

/// A dimension of the result; several that lie in a row on both sides are one.
struct Dimension {
  Divider size;
  int64_t length, out_step, source_step;  // In bytes.
  IndexMap map;
};

struct Arrangement {
  int rank = 0;
  bool narrow = true;
  int64_t count = 0;
  Dimension dimensions[most_dimensions];  // From the innermost one on.

  void add(const Dimension& d) {
    if (rank > 0 && joins(dimensions[rank - 1], d)) {
      Dimension& inner = dimensions[rank - 1];
      inner.length *= d.length;
      inner.size = Divider(inner.length);
      inner.map.size = inner.length;
      return;
    }
    if (rank == most_dimensions)
      base::unsupported("rearranging a tensor on a CUDA device along more than ", most_dimensions,
                        " dimensions");
    dimensions[rank++] = d;
  }

 private:
  static bool joins(const Dimension& inner, const Dimension& outer) {
    return inner.map.is_plain() && outer.map.is_plain() &&
           outer.out_step == inner.out_step * inner.length &&
           outer.source_step == inner.source_step * inner.length;
  }
};

template <typename Word>
struct RearrangeBody {
  Arrangement arrangement;
  std::byte* out;
  const std::byte* source;
  Operand filling;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    std::byte* to = out;
    const std::byte* from = source;
    bool inside = true;
    for (int d = 0; d < arrangement.rank; ++d) {
      const Dimension& dimension = arrangement.dimensions[d];
      int64_t rest = dimension.size.divide(i, arrangement.narrow);
      int64_t k = i - rest * dimension.length, at = dimension.map(k);
      to += k * dimension.out_step;
      from += at * dimension.source_step;
      inside = inside && at >= 0;
      i = rest;
    }
    *reinterpret_cast<Word*>(to) = *reinterpret_cast<const Word*>(inside ? from : filling.at(0));
  }
};

template <typename Word>
void run_rearrange(const Queue& queue, const Arrangement& arrangement, const Tensor& out,
                   const std::byte* source, const Operand& filling) {
  for_each(queue, arrangement.count,
           RearrangeBody<Word>{arrangement, out.device_address(), source, filling});
}

/// Dimensions in the order in which the result lies in memory, so that threads
/// that are neighbours write neighbours.
std::vector<size_t> order_of(const Tensor& out) {
  std::vector<size_t> order(out.sizes().size());
  std::iota(order.rbegin(), order.rend(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return out.stride(a) < out.stride(b); });
  return order;
}

/// Words instead of elements, where whole rows stay in a row.
int64_t widen_rows(Arrangement& a, int64_t item, const std::byte* out, const std::byte* source) {
  Dimension& inner = a.dimensions[0];
  bool rows =
      a.rank > 0 && inner.map.is_plain() && inner.out_step == item && inner.source_step == item;
  if (!rows) return item;
  auto places = reinterpret_cast<uintptr_t>(out) | reinterpret_cast<uintptr_t>(source) |
                static_cast<uintptr_t>(inner.length * item);
  for (int d = 1; d < a.rank; ++d) {
    places |= static_cast<uintptr_t>(a.dimensions[d].out_step) |
              static_cast<uintptr_t>(a.dimensions[d].source_step);
  }
  int64_t width = 16;
  while (width > item && places % static_cast<uintptr_t>(width) != 0) width /= 2;
  a.count = a.count / inner.length * (inner.length * item / width);
  a.narrow = a.count < (int64_t{1} << 31);
  inner.length = inner.length * item / width;
  inner.size = Divider(inner.length);
  inner.map.size = inner.length;
  inner.out_step = inner.source_step = width;
  return width;
}

}  // namespace

std::vector<IndexMap> identity_maps(const Tensor& source) {
  std::vector<IndexMap> maps;
  for (int64_t size : source.sizes()) maps.push_back({IndexMap::Kind::shifted, 0, size});
  return maps;
}

void rearrange(const ops::Call& call, const Tensor& out, const Tensor& source,
               const std::vector<IndexMap>& maps, const Tensor& filling) {
  if (out.numel() == 0) return;
  Arrangement arrangement;
  arrangement.count = out.numel();
  arrangement.narrow = arrangement.count < (int64_t{1} << 31);
  auto item = static_cast<int64_t>(out.item_size());
  const std::byte* from = source.device_address();
  for (size_t d : order_of(out)) {
    if (out.size(d) == 1 && maps[d].kind != IndexMap::Kind::outside) {
      from += maps[d](0) * source.stride(d) * item;
      continue;
    }
    arrangement.add({Divider(out.size(d)), out.size(d), out.stride(d) * item,
                     source.stride(d) * item, maps[d]});
  }
  Operand number = filling ? Operand(filling) : Operand();
  Queue queue = queue_of(call);
  int64_t word = filling ? item : widen_rows(arrangement, item, out.device_address(), from);
  over_words(word, [&](auto zero) {
    run_rearrange<decltype(zero)>(queue, arrangement, out, from, number);
  });
}

}  // namespace assay::kernels::cuda
