// Elements of segments, each reduced to one.

#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/segment.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/parallel.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

/// Where the segments of each row begin, and where the last one ends, of their lengths.
struct SumLengths {
  const int64_t* lengths;
  int64_t* bounds;
  int64_t count;   ///< Of segments in a row.
  int64_t length;  ///< Of a row.
  bool whole;      ///< Whether segments must cover it.
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t row) const {
    const int64_t* own = lengths + row * count;
    int64_t* out = bounds + row * (count + 1);
    int64_t end = 0;
    out[0] = 0;
    for (int64_t k = 0; k < count; ++k) {
      bool fits = own[k] >= 0 && own[k] <= length - end;
      if (!fits) report(Fault::other, own[k], length);
      if (fits) end += own[k];
      out[k + 1] = end;
    }
    if (whole && end != length) report(Fault::other, end, length);
  }
};

/// One element of the result.
template <typename T>
struct ReduceSegment {
  const T* data;
  T* out;
  const int64_t* bounds;  ///< count + 1 of each row.
  int64_t count;          ///< Of segments in a row.
  int64_t length;         ///< Of a row.
  int64_t inner;          ///< Elements behind each other that belong to one place of a row.
  common::SegmentReduction reduction;
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t segment = i / inner, column = i - segment * inner;
    int64_t row = segment / count;
    const int64_t* own = bounds + row + segment;  // A row has one bound more than segments.
    int64_t begin = own[0], end = own[1];
    if (begin < 0 || begin > end || end > length) {
      report(Fault::other, end, length);
      begin = end = 0;
    }
    double result = reduction.initial;
    for (int64_t j = begin; j < end; ++j) {
      result = reduction.join(result, convert<double>(data[(row * length + j) * inner + column]));
    }
    out[i] = convert<T>(reduction.end(result, end - begin));
  }
};

Tensor bounds_of_lengths(const Call& c, const Tensor& lengths, int64_t length) {
  core::Dims sizes = lengths.sizes();
  int64_t count = sizes.back()++;
  Tensor row_major = int64_contiguous(c, lengths);
  Tensor bounds = Tensor::empty(sizes, DType::int64, c.device());
  Queue queue = queue_of(c);
  for_each(queue, lengths.numel() / count,
           SumLengths{row_major.device_data<int64_t>(), bounds.device_data<int64_t>(), count,
                      length, !c.boolean(arg::unsafe), queue.report});
  return bounds;
}

void run_segment_reduce(Call& c) {
  common::SegmentReduction reduction = common::segment_reduction(c);
  Tensor data = contiguous(c, c.tensor(arg::data)), out = c.out();
  bool by_offsets = !c.is_none(arg::offsets);
  Tensor given = c.tensor(by_offsets ? arg::offsets : arg::lengths);
  auto axis = static_cast<size_t>(given.dim() - 1);
  int64_t length = data.size(given.dim() - 1), count = out.size(given.dim() - 1);
  Tensor bounds = by_offsets ? int64_contiguous(c, given) : bounds_of_lengths(c, given, length);
  core::Dims sizes = data.sizes();
  int64_t inner = core::numel(core::DimSpan(sizes).subspan(axis + 1));
  common::over_floating(data.dtype(), "segment_reduce", [&](auto zero) {
    using T = decltype(zero);
    Queue queue = queue_of(c);
    for_each(
        queue, out.numel(),
        ReduceSegment<T>{data.device_data<T>(), out.device_data<T>(), bounds.device_data<int64_t>(),
                         count, length, inner, reduction, queue.report});
  });
}

constexpr ops::Kernel segment_table[] = {{"aten::segment_reduce", run_segment_reduce}};

}  // namespace

std::span<const ops::Kernel> segment_kernels() { return segment_table; }

}  // namespace assay::kernels::cuda
