#include "engine/kernels/common/convert.h"

#include <cstring>

#include "engine/kernels/common/accumulate.h"
#include "engine/kernels/common/dtype_switch.h"

namespace assay::kernels::common {
namespace {

template <typename From, typename To>
void convert_run(const Run& from, const Run& to, int64_t count) {
  const std::byte* source = from.data;
  std::byte* target = to.data;
  for (int64_t i = 0; i < count; ++i) {
    *reinterpret_cast<To*>(target) = cast<To>(*reinterpret_cast<const From*>(source));
    source += from.step;
    target += to.step;
  }
}

}  // namespace

void convert(Run from, Run to, int64_t count) {
  auto size = static_cast<int64_t>(core::size_of(to.dtype));
  if (from.dtype == to.dtype && from.step == size && to.step == size) {
    if (count > 0) std::memcpy(to.data, from.data, static_cast<size_t>(count * size));
    return;
  }
  over_all(from.dtype, "convert", [&](auto source_zero) {
    over_all(to.dtype, "convert", [&](auto target_zero) {
      convert_run<decltype(source_zero), decltype(target_zero)>(from, to, count);
    });
  });
}

}  // namespace assay::kernels::common
