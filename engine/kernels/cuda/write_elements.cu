#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/atomics.h"
#include "engine/kernels/cuda/chooser.h"
#include "engine/kernels/cuda/join.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/kernels/cuda/words.h"
#include "engine/kernels/cuda/write_elements.h"

namespace assay::kernels::cuda {
namespace {

using core::Tensor;

/// Operands: target, index, source.
struct Places {
  std::byte* target;
  Operand source;
  Chooser chooser;
  Layout<3> layout;
  int64_t length;  ///< Positions in a slice, where slices are what the layout
                   ///< numbers.
  int64_t index_step, source_step;
};

/// Calls write(target, source) for each position of a slice in order; also for
/// one position.
template <typename Element, typename Write>
ASSAY_ANYWHERE void write_slice(const Places& p, int64_t slice, const Write& write) {
  Offsets<3> at = p.layout.offsets(slice);
  for (int64_t i = 0; i < p.length; ++i) {
    int64_t distance = 0;
    if (!p.chooser.find(at.of[1] + i * p.index_step, distance)) continue;
    write(reinterpret_cast<Element*>(p.target + at.of[0] + distance),
          *reinterpret_cast<const Element*>(p.source.at(at.of[2] + i * p.source_step)));
  }
}

template <typename Word>
struct ReplaceBody {
  struct Put {
    ASSAY_ANYWHERE void operator()(Word* to, Word value) const { *to = value; }
  };
  Places places;

  ASSAY_ANYWHERE void operator()(int64_t i) const { write_slice<Word>(places, i, Put{}); }
};

template <typename T>
struct JoinBody {
  struct Put {
    Join how;
    T factor;
    bool multiplies, alone;

    ASSAY_ANYWHERE void operator()(T* to, T value) const {
      if (multiplies) value = joined(Join::product, factor, value);
      if (alone)
        *to = joined(how, *to, value);
      else
        atomic_join(how, to, value);
    }
  };
  Places places;
  Put put;

  ASSAY_ANYWHERE void operator()(int64_t i) const { write_slice<T>(places, i, put); }
};

template <typename Word>
void run_replace(const Queue& queue, const Places& places) {
  for_each(queue, places.layout.count, ReplaceBody<Word>{places});
}

template <typename T>
void run_join(const Queue& queue, const Places& places, const Writing& w, bool alone) {
  using E = Stored<T>;
  T factor = w.factor.to<T>();
  E as_stored;
  std::memcpy(static_cast<void*>(&as_stored), &factor, sizeof factor);
  bool multiplies = w.factor.to_complex() != core::Complex128(1);
  for_each(queue, places.layout.count, JoinBody<E>{places, {w.how, as_stored, multiplies, alone}});
}

/// A view of the sizes without the dimension along which positions are.
Tensor slices_of(const Tensor& t, const Writing& w) {
  core::Dims strides = core::broadcast_strides(t.sizes(), t.strides(), w.sizes), sizes = w.sizes;
  strides.erase(w.along);
  sizes.erase(w.along);
  return seen_as(t, sizes, strides);
}

int64_t step_of(const Tensor& t, const Writing& w) {
  return core::broadcast_strides(t.sizes(), t.strides(), w.sizes)[w.along] *
         static_cast<int64_t>(t.item_size());
}

/// The source on the device: of one number on the CPU only the sizes count.
Tensor source_of(const Writing& w, const Operand& source, const Tensor& target) {
  if (!source.known) return w.source;
  return seen_as(target, core::Dims{}, core::Dims{});
}

bool done_in_order(const Writing& w, const Tensor& target, int64_t source_step) {
  int64_t length = w.sizes[w.along];
  int64_t slices = core::numel(w.sizes) / length;
  bool side_by_side = source_step > static_cast<int64_t>(target.item_size());
  bool too_large = w.how != Join::replace && w.how != Join::sum && target.item_size() == 16;
  return length <= 32 || (slices >= (1 << 17) && side_by_side) || too_large;
}

}  // namespace

void write_elements(const ops::Call& call, const Tensor& target, const Writing& w) {
  if (core::numel(w.sizes) == 0) return;
  Queue queue = queue_of(call);
  Operand known(w.source);
  Tensor source = source_of(w, known, target);
  int64_t source_step = step_of(source, w);
  bool in_order = done_in_order(w, target, source_step);
  Places p{target.device_address(), known, Chooser(w.positions, target, queue), {}, 1, 0, 0};
  if (in_order) {
    p.length = w.sizes[w.along];
    p.index_step = step_of(w.positions.index, w);
    p.source_step = source_step;
    core::Dims sizes = w.sizes;
    sizes.erase(w.along);
    p.layout = Layout<3>::of(
        sizes, {slices_of(target, w), slices_of(w.positions.index, w), slices_of(source, w)});
  } else {
    p.layout = Layout<3>::of(w.sizes, {target, w.positions.index, source});
  }
  if (w.how == Join::replace) {
    over_words(static_cast<int64_t>(target.item_size()),
               [&](auto zero) { run_replace<decltype(zero)>(queue, p); });
    return;
  }
  common::over_all(target.dtype(), "scatter",
                   [&](auto zero) { run_join<decltype(zero)>(queue, p, w, in_order); });
}

}  // namespace assay::kernels::cuda
