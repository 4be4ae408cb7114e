// Concatenation by copying runs of bytes.

#include <cstring>
#include <vector>

#include "engine/kernels/cpu/families.h"
#include "engine/kernels/cpu/team.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cpu {
namespace {

namespace arg = ops::arg;

using core::Tensor;
using ops::Call;

bool is_channels_last(const Tensor& t) {
  return t.dim() == 4 && t.is_contiguous(core::MemoryFormat::channels_last);
}

/// All row-major; or all images channels-last, and joined along the channels.
bool accepts_join(const Call& c) {
  Tensor out = c.out();
  if (out.numel() == 0) return false;
  bool rows = out.is_contiguous();
  int64_t dim = core::wrap_dim(c.integer(arg::dim), out.dim());
  if (!rows && !(dim == 1 && is_channels_last(out))) return false;
  for (const Tensor& t : c.tensors(arg::tensors)) {
    bool alike = t.dim() == out.dim() && t.dtype() == out.dtype() &&
                 (rows ? t.is_contiguous() : is_channels_last(t));
    if (!alike) return false;
  }
  return true;
}

void join(Call& c) {
  Tensor out = c.out();
  auto dim = static_cast<size_t>(core::wrap_dim(c.integer(arg::dim), out.dim()));
  auto tensors = c.tensors(arg::tensors);
  // Elements that lie together in each part: the dimensions from `dim` on, or the channels.
  size_t inner = out.item_size();
  for (size_t d = dim + 1; out.is_contiguous() && d < out.sizes().size(); ++d) {
    inner *= static_cast<size_t>(out.size(d));
  }
  size_t whole = inner * static_cast<size_t>(out.size(dim));
  auto rows = out.numel() * static_cast<int64_t>(out.item_size()) / static_cast<int64_t>(whole);
  struct Part {
    const std::byte* data;
    size_t bytes;
  };
  std::vector<Part> parts;
  for (const Tensor& t : tensors) {
    if (t.numel() > 0)
      parts.push_back({t.device_address(), inner * static_cast<size_t>(t.size(dim))});
  }
  std::byte* target = out.device_address();
  auto team = Team::for_elements(static_cast<double>(out.numel()));
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    std::byte* to = target + static_cast<size_t>(r) * whole;
    for (const Part& part : parts) {
      std::memcpy(to, part.data + static_cast<size_t>(r) * part.bytes, part.bytes);
      to += part.bytes;
    }
  }
}

constexpr ops::Kernel joins_table[] = {{"aten::cat", join, accepts_join}};

}  // namespace

std::span<const ops::Kernel> join_kernels() { return joins_table; }

}  // namespace assay::kernels::cpu
