#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/kernels/common/segment.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::Tensor;
using ops::Call;

struct Segment {
  int64_t begin = 0, end = 0;
};

/// The segments of one row of `length` elements, each within it.
std::vector<Segment> segments_of_row(const Call& c, const int64_t* bounds, size_t count,
                                     int64_t length) {
  bool by_offsets = !c.is_none(arg::offsets);
  std::vector<Segment> segments;
  int64_t end = 0;
  for (size_t i = 0; i < count; ++i) {
    int64_t begin = by_offsets ? bounds[i] : end;
    // Asked before it is added, which could overflow.
    bool fits = by_offsets || bounds[i] <= length - begin;
    if (fits) end = by_offsets ? bounds[i + 1] : begin + bounds[i];
    base::check(fits && begin >= 0 && begin <= end && end <= length,
                "segment_reduce(): ", by_offsets ? "offset " : "length ",
                by_offsets ? bounds[i + 1] : bounds[i], " of a segment that begins at ", begin,
                " does not fit a row of ", length, " elements");
    segments.push_back({begin, end});
  }
  bool whole = by_offsets || c.boolean(arg::unsafe) || end == length;
  base::check(whole, "segment_reduce(): lengths sum to ", end, " in a row of ", length,
              " elements, which only unsafe=True permits");
  return segments;
}

/// As the CPU kernel of PyTorch 1.13, but reads nothing outside of the data.
void segment_reduce(Call& c) {
  common::SegmentReduction reduction = common::segment_reduction(c);
  Tensor data = c.tensor(arg::data), out = c.out();
  Tensor bound = c.tensor(c.is_none(arg::offsets) ? arg::lengths : arg::offsets);
  auto axis = static_cast<size_t>(bound.dim() - 1);
  core::DimSpan sizes = data.sizes();
  int64_t length = sizes[axis];
  auto inner = static_cast<size_t>(core::numel(sizes.subspan(axis + 1)));
  auto rows = static_cast<size_t>(core::numel(sizes.first(axis)));
  auto count = static_cast<size_t>(out.size(axis));
  auto bounds = dense<int64_t>(bound);
  auto from = dense<double>(data);
  Dense<double> to(out.sizes());
  base::DeadlineTicker deadline;
  size_t next = 0;
  for (size_t row = 0; row < rows; ++row) {
    const int64_t* own = bounds.data() + row * static_cast<size_t>(bound.sizes().back());
    for (const Segment& segment : segments_of_row(c, own, count, length)) {
      for (size_t i = 0; i < inner; ++i) {
        deadline.tick();
        double result = reduction.initial;
        for (int64_t j = segment.begin; j < segment.end; ++j) {
          size_t before = row * static_cast<size_t>(length) + static_cast<size_t>(j);
          result = reduction.join(result, from.values[before * inner + i]);
        }
        to.values[next++] = reduction.end(result, segment.end - segment.begin);
      }
    }
  }
  store(to, out);
}

constexpr ops::Kernel segment_table[] = {{"aten::segment_reduce", segment_reduce}};

}  // namespace

std::span<const ops::Kernel> segment_kernels() { return segment_table; }

}  // namespace assay::kernels::reference
