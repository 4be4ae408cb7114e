#include "tests/engine/kernels/draw.h"

#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <random>

#include "engine/core/elements.h"
#include "engine/kernels/common/accumulate.h"
#include "engine/kernels/common/dtype_switch.h"

namespace assay::kernels::testing {
namespace {

using core::Dims;
using core::DimSpan;
using core::DType;
using core::Tensor;

/// What makes kernels stumble: infinities, NaN, zeros, subnormals, the edges of exp and tanh.
const std::vector<double> special_values{
    0.0,      -0.0,      1.0,   -1.0,        std::numeric_limits<double>::quiet_NaN(),
    HUGE_VAL, -HUGE_VAL, 1e-40, -1e-40,      3.4e38,
    -3.4e38,  88.6,      88.8,  -87.4,       -103.5,
    -104.5,   9.0,       9.2,   1e-6,        -3.0,
    1.2e-38,  65504.0,   1e30,  2147483648.0};

double draw_element(std::mt19937_64& random, Fill fill) {
  auto below = [&](uint64_t n) { return random() % n; };
  switch (fill) {
    case Fill::grid:
      return (static_cast<double>(below(65)) - 32) / 8;
    case Fill::wide:
      return std::ldexp(below(2) ? 1.3 : -1.3, static_cast<int>(below(61)) - 30);
    case Fill::special:
      if (below(2)) return special_values[below(special_values.size())];
      [[fallthrough]];
    case Fill::normal:
      return std::normal_distribution<double>()(random);
  }
  return 0;
}

template <typename T>
T element_of(std::mt19937_64& random, Fill fill) {
  if constexpr (std::is_same_v<T, core::Bool>) {
    return random() % 2 == 0;
  } else if constexpr (std::is_integral_v<T>) {
    if (fill == Fill::grid || random() % 2) return static_cast<T>(random() % 33) - T{16};
    return static_cast<T>(random());
  } else if constexpr (common::is_complex_type<T>) {
    using Part = typename T::value_type;
    auto part = [&] { return static_cast<Part>(draw_element(random, fill)); };
    return T(part(), part());
  } else {
    return common::cast<T>(draw_element(random, fill));
  }
}

/// Fills all of the storage, so that gaps hold values that must not show.
void fill_storage(const Tensor& t, Fill fill) {
  auto seed = *rc::gen::noShrink(rc::gen::resize(100, rc::gen::inRange(0, 1 << 30)));
  std::mt19937_64 random(static_cast<uint64_t>(seed));
  common::over_all(t.dtype(), "fill", [&](auto zero) {
    using T = decltype(zero);
    T* data = reinterpret_cast<T*>(t.storage()->data());
    for (size_t i = 0; i < t.storage()->nbytes() / sizeof(T); ++i) {
      data[i] = element_of<T>(random, fill);
    }
  });
}

enum class Layout { row_major, offset, transposed, reversed, gaps, expanded, channels_last };

/// Strides of a layout whose dimension `d`, where it matters, is the odd one.
Dims strides_of(DimSpan sizes, Layout layout, size_t d) {
  Dims own = sizes;
  size_t rank = sizes.size();
  switch (layout) {
    case Layout::gaps:
      own[d] = 2 * own[d] + 1;
      own = core::contiguous_strides(own);
      own[d] *= 2;
      return own;
    case Layout::expanded:
      own[d] = 1;
      own = core::contiguous_strides(own);
      own[d] = 0;
      return own;
    case Layout::transposed: {
      std::swap(own[d], own[rank - 1]);
      own = core::contiguous_strides(own);
      std::swap(own[d], own[rank - 1]);
      return own;
    }
    case Layout::reversed:
      std::reverse(own.begin(), own.end());
      own = core::contiguous_strides(own);
      std::reverse(own.begin(), own.end());
      return own;
    case Layout::channels_last:
      if (rank == 4) return core::format_strides(sizes, core::MemoryFormat::channels_last);
      if (rank == 5) return core::format_strides(sizes, core::MemoryFormat::channels_last_3d);
      [[fallthrough]];
    default:
      return core::contiguous_strides(sizes);
  }
}

}  // namespace

int64_t between(int64_t low, int64_t high) { return *rc::gen::inRange<int64_t>(low, high + 1); }

bool chance(int percent) {
  return *rc::gen::resize(100, rc::gen::inRange(0, 100)) >= 100 - percent;
}

int64_t draw_size() {
  static const std::vector<int64_t> sizes{1, 2, 3, 4, 5, 0, 7, 8, 11, 13, 16, 17, 31, 37, 40};
  return one_of(sizes);
}

Dims draw_sizes(int64_t min_rank, int64_t max_rank) {
  Dims sizes;
  int64_t rank = between(min_rank, max_rank), count = 1;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t size = draw_size();
    if (count * size > 20000) size = 2;
    count *= std::max<int64_t>(size, 1);
    sizes.push_back(size);
  }
  return sizes;
}

DType draw_dtype() {
  static const std::vector<DType> others{DType::float64,   DType::float16,   DType::bfloat16,
                                         DType::int64,     DType::int32,     DType::int16,
                                         DType::int8,      DType::uint8,     DType::boolean,
                                         DType::complex64, DType::complex128};
  return chance(30) ? one_of(others) : DType::float32;
}

Tensor draw_plain(DimSpan sizes, DType dtype, Fill fill) {
  Tensor t = Tensor::empty(sizes, dtype);
  fill_storage(t, fill);
  return t;
}

Tensor draw_tensor(DimSpan sizes, DType dtype, Fill fill) {
  if (!chance(50)) return draw_plain(sizes, dtype, fill);
  auto layout = static_cast<Layout>(between(1, 6));
  if (sizes.empty()) layout = Layout::offset;
  size_t odd =
      sizes.empty() ? 0 : static_cast<size_t>(between(0, static_cast<int64_t>(sizes.size()) - 1));
  Dims strides = strides_of(sizes, layout, odd);
  int64_t offset = layout == Layout::offset ? 3 : layout == Layout::gaps ? 1 : 0;
  int64_t room = core::extent(sizes, strides).high + offset;
  Tensor whole = draw_plain(Dims{room}, dtype, fill);
  return whole.view(sizes, strides, offset);
}

Tensor int_tensor(DimSpan sizes, const std::vector<int64_t>& elements) {
  std::vector<core::Scalar> items(elements.begin(), elements.end());
  return core::tensor_from(items, sizes, DType::int64);
}

double draw_float() {
  if (chance(25)) return one_of(special_values);
  return static_cast<double>(between(0, 80)) / 16 - (chance(40) ? 5 : 0);
}

core::Scalar draw_number() {
  switch (between(0, 9)) {
    case 0:
    case 1:
    case 2:
      return between(0, 9) - (chance(30) ? 12 : 0);
    case 3:
      return one_of<int64_t>(
          {255, 256, -129, int64_t{1} << 31, (int64_t{1} << 53) + 1, INT64_MAX, INT64_MIN});
    case 4:
      return chance(50);
    case 5:
      if (chance(20)) return core::Complex128(draw_float(), 1);
      [[fallthrough]];
    default:
      return draw_float();
  }
}

core::Scalar draw_factor() {
  core::Scalar number = draw_number();
  double size = std::fabs(number.to_double());
  return size > 0 && size < 0x1p-126 ? core::Scalar(0.5) : number;
}

}  // namespace assay::kernels::testing
