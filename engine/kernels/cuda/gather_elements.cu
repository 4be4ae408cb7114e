#include "engine/kernels/cuda/chooser.h"
#include "engine/kernels/cuda/gather_elements.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/kernels/cuda/words.h"

namespace assay::kernels::cuda {
namespace {

using core::Tensor;

template <typename Word>
struct GatherBody {
  std::byte* out;
  const std::byte* from;
  Chooser chooser;
  Layout<3> layout;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<3> at = layout.offsets(i);
    int64_t distance = 0;
    if (!chooser.find(at.of[2], distance)) return;
    *reinterpret_cast<Word*>(out + at.of[0]) =
        *reinterpret_cast<const Word*>(from + at.of[1] + distance);
  }
};

struct CheckBody {
  Chooser chooser;
  Layout<1> layout;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t distance = 0;
    chooser.find(layout.offsets(i).of[0], distance);
  }
};

template <typename Word>
void run_gather(const Queue& queue, const Tensor& out, const Tensor& from, const Chooser& chooser,
                const Layout<3>& layout) {
  for_each(queue, layout.count,
           GatherBody<Word>{out.device_address(), from.device_address(), chooser, layout});
}

}  // namespace

Positions positions_along(const Tensor& t, int64_t dim, const Tensor& index, bool wraps) {
  auto at = static_cast<size_t>(dim);
  return {index, t.dim() == 0 ? 1 : t.size(at), t.dim() == 0 ? 0 : t.stride(at), wraps};
}

Tensor seen_as(const Tensor& t, core::DimSpan sizes, core::DimSpan strides) {
  return Tensor::view_of(t.storage(), t.offset(), sizes, strides, t.dtype());
}

void check_positions(const ops::Call& call, const Tensor& of, const Positions& positions) {
  Queue queue = queue_of(call);
  auto layout = Layout<1>::of(positions.index.sizes(), {positions.index});
  for_each(queue, layout.count, CheckBody{Chooser(positions, of, queue), layout});
}

void gather_elements(const ops::Call& call, const Tensor& out, const Tensor& from,
                     const Positions& positions) {
  auto layout = Layout<3>::of(out.sizes(), {out, from, positions.index});
  if (layout.count == 0) return;
  Queue queue = queue_of(call);
  Chooser chooser(positions, from, queue);
  auto item = static_cast<int64_t>(out.item_size());
  int64_t word =
      widen<3>(layout, item, {{{out.device_address()}, {from.device_address(), chooser.step}, {}}});
  over_words(word,
             [&](auto zero) { run_gather<decltype(zero)>(queue, out, from, chooser, layout); });
}

}  // namespace assay::kernels::cuda
