#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/kernels/cuda/words.h"
#include "engine/ops/promotion.h"

namespace assay::kernels::cuda {
namespace {

using core::Tensor;

template <typename C>
struct CastBody {
  Operand from;
  std::byte* to;
  core::DType to_dtype;
  Layout<2> layout;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<2> at = layout.offsets(i);
    store(to + at.of[0], to_dtype, load<C>(from.at(at.of[1]), from.dtype));
  }
};

/// Elements are moved as they are.
template <typename Word>
struct MoveBody {
  Operand from;
  std::byte* to;
  Layout<2> layout;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<2> at = layout.offsets(i);
    *reinterpret_cast<Word*>(to + at.of[0]) = *reinterpret_cast<const Word*>(from.at(at.of[1]));
  }
};

template <typename Word>
void move(const Queue& queue, const Operand& from, const Tensor& to, const Layout<2>& layout) {
  for_each(queue, layout.count, MoveBody<Word>{from, to.device_address(), layout});
}

void move_elements(const Queue& queue, const Operand& from, const Tensor& to,
                   const Layout<2>& layout) {
  over_words(to.item_size(), [&](auto word) { move<decltype(word)>(queue, from, to, layout); });
}

}  // namespace

void copy_elements(const ops::Call& call, const Tensor& to, const Tensor& from) {
  auto layout = Layout<2>::of(to.sizes(), {to, from});
  if (layout.count == 0) return;
  Operand source(from);
  Queue queue = queue_of(call);
  if (to.dtype() == from.dtype()) {
#ifndef ASSAY_CUDA_ON_HOST
    auto item = static_cast<int64_t>(to.item_size());
    if (!source.known && layout.is_flat({item, item})) {
      check(cudaMemcpyAsync(to.device_address(), from.device_address(),
                            static_cast<size_t>(layout.count * item), cudaMemcpyDeviceToDevice,
                            queue.stream),
            "copying on a device");
      return;
    }
#endif
    return move_elements(queue, source, to, layout);
  }
  core::DType wide = from.dtype();
  std::byte* target = to.device_address();
  if (core::is_complex(wide))
    return for_each(queue, layout.count,
                    CastBody<Complex<double>>{source, target, to.dtype(), layout});
  if (core::is_integral(wide, true))
    return for_each(queue, layout.count, CastBody<int64_t>{source, target, to.dtype(), layout});
  if (wide == core::DType::float64)
    return for_each(queue, layout.count, CastBody<double>{source, target, to.dtype(), layout});
  for_each(queue, layout.count, CastBody<float>{source, target, to.dtype(), layout});
}

void fill_elements(const ops::Call& call, const Tensor& to, const core::Scalar& number) {
  copy_elements(call, to, ops::wrapped_number(number, core::DType::float64));
}

Tensor contiguous(const ops::Call& call, const Tensor& tensor) {
  if (tensor.is_contiguous()) return tensor;
  Tensor packed = Tensor::empty(tensor.sizes(), tensor.dtype(), tensor.device());
  copy_elements(call, packed, tensor);
  return packed;
}

Tensor int64_contiguous(const ops::Call& call, const Tensor& tensor) {
  if (tensor.dtype() == DType::int64) return contiguous(call, tensor);
  Tensor wide = Tensor::empty(tensor.sizes(), DType::int64, tensor.device());
  copy_elements(call, wide, tensor);
  return wide;
}

}  // namespace assay::kernels::cuda
