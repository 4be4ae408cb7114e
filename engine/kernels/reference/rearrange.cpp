#include "engine/kernels/reference/rearrange.h"

#include <numeric>

#include "engine/base/deadline.h"
#include "engine/kernels/common/dtype_switch.h"

namespace assay::kernels::reference {

using core::Dims;
using core::Tensor;

void copy_rearranged(const Tensor& out, const Tensor& self, const IndexTable& table) {
  if (out.numel() == 0) return;
  common::over_sizes(out.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* to = out.device_words<T>();
    const T* from = self.device_words<T>();
    size_t rank = out.sizes().size();
    Dims at(rank, 0);
    base::DeadlineTicker deadline;
    for (int64_t k = 0; k < out.numel(); ++k) {
      deadline.tick();
      int64_t target = 0, source = 0;
      for (size_t d = 0; d < rank; ++d) {
        target += at[d] * out.stride(d);
        source += table[d][static_cast<size_t>(at[d])] * self.stride(d);
      }
      to[target] = from[source];
      for (size_t d = rank; d-- > 0;) {
        if (++at[d] < out.size(d)) break;
        at[d] = 0;
      }
    }
  });
}

IndexTable identity_indices(const Tensor& t) {
  IndexTable table;
  for (int64_t size : t.sizes()) {
    auto& indices = table.emplace_back(static_cast<size_t>(size));
    std::iota(indices.begin(), indices.end(), int64_t{0});
  }
  return table;
}

}  // namespace assay::kernels::reference
