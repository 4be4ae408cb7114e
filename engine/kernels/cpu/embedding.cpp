// Rows of a table, copied whole.

#include <cstring>

#include "engine/base/error.h"
#include "engine/kernels/cpu/families.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cpu {
namespace {

namespace arg = ops::arg;

using core::Tensor;
using ops::Call;

bool accepts_embedding(const Call& c) {
  Tensor table = c.tensor(arg::weight), indices = c.tensor(arg::indices);
  return table.is_contiguous() && indices.is_contiguous() && indices.dtype() == core::DType::int64;
}

void embed(Call& c) {
  Tensor table = c.tensor(arg::weight), indices = c.tensor(arg::indices);
  const auto* index = indices.device_data<int64_t>();
  int64_t count = indices.numel(), rows = table.size(0);
  size_t bytes = static_cast<size_t>(table.size(1)) * table.item_size();
  std::byte* to = c.out().device_address();
  for (int64_t i = 0; i < count; ++i) {
    base::check_index(index[i] >= 0 && index[i] < rows, "index out of range in self");
    auto at = static_cast<size_t>(index[i]) * bytes;
    if (bytes > 0)
      std::memcpy(to + static_cast<size_t>(i) * bytes, table.device_address() + at, bytes);
  }
}

constexpr ops::Kernel embedding_table[] = {{"aten::embedding", embed, accepts_embedding}};

}  // namespace

std::span<const ops::Kernel> embedding_kernels() { return embedding_table; }

}  // namespace assay::kernels::cpu
