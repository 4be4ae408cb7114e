#pragma once

#include <array>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/kernels/common/accumulate.h"
#include "engine/kernels/common/convert.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elementwise.h"
#include "engine/kernels/common/strided_loop.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {

/// Reads a run of elements of any type as elements of the call's common type, widened. A pass
/// through the common type first rounds what is wider than it (a Python number among float32
/// tensors).
class WideReader {
 public:
  static constexpr int64_t block = 256;

  WideReader(core::DType from, core::DType common) : from_(from), common_(common) {}

  /// `into` has room for `block` elements of type `wide`.
  void read(std::byte* data, int64_t step, core::DType wide, std::byte* into, int64_t count) {
    auto size = static_cast<int64_t>(core::size_of(wide));
    common::Run run{from_, data, step};
    if (from_ != common_) {
      common::Run rounded{common_, rounded_.data(), static_cast<int64_t>(core::size_of(common_))};
      common::convert(run, rounded, count);
      run = rounded;
    }
    common::convert(run, {wide, into, size}, count);
  }

 private:
  core::DType from_;
  core::DType common_;
  alignas(16) std::array<std::byte, block * 16> rounded_;
};

/// out[i] = f(in[i]...): operands are cast to `common`, widened to C (double, int64 or complex128),
/// and the result is rounded to out's type once. f may return C, bool or double.
template <typename C, size_t N, typename F>
void compute(const core::Tensor& out, core::DType common, const std::array<core::Tensor, N>& in,
             F f) {
  constexpr int64_t block = WideReader::block;
  std::array<core::Tensor, N + 1> all{out};
  std::vector<WideReader> readers;
  for (size_t i = 0; i < N; ++i) {
    all[i + 1] = in[i];
    readers.emplace_back(in[i].dtype(), common);
  }
  using R = decltype([&]<size_t... I>(std::index_sequence<I...>) {
    return f((static_cast<void>(I), C{})...);
  }(std::make_index_sequence<N>()));
  std::array<std::array<C, block>, N> operands;
  std::array<R, block> results;
  auto chunk = [&](const auto& at, const auto& step, int64_t begin, int64_t count) {
    for (size_t i = 0; i < N; ++i) {
      readers[i].read(at[i + 1] + begin * step[i + 1], step[i + 1], core::dtype_of<C>,
                      reinterpret_cast<std::byte*>(operands[i].data()), count);
    }
    for (size_t k = 0; k < static_cast<size_t>(count); ++k) {
      [&]<size_t... I>(std::index_sequence<I...>) { results[k] = f(operands[I][k]...); }
      (std::make_index_sequence<N>());
    }
    common::convert({core::dtype_of<R>, reinterpret_cast<std::byte*>(results.data()), sizeof(R)},
                    {out.dtype(), at[0] + begin * step[0], step[0]}, count);
  };
  common::StridedLoop<N + 1> loop(out.sizes(), all);
  loop.run([&](const auto& at, const auto& step, int64_t count) {
    for (int64_t begin = 0; begin < count; begin += block) {
      chunk(at, step, begin, std::min(block, count - begin));
    }
  });
}

/// Where the reference kernels run, for pointwise operators that are written once for all devices
/// (common/pointwise).
struct Host {
  template <typename T>
  using Complex = std::complex<T>;

  /// How long a loop may take whose length an argument says.
  struct Patience {
    base::DeadlineTicker deadline;
    bool goes_on(int64_t = 1) {
      deadline.tick();
      return true;
    }
  };
  struct Faults {
    Patience patience() const { return {}; }
    [[noreturn]] int64_t division_by_zero() const { base::fail("ZeroDivisionError"); }
  };
  static Faults faults(const ops::Call&) { return {}; }

  /// Whether an operator may be computed in another way where that gives nearly the same.
  static constexpr bool takes_shortcuts = false;

  /// Where an operator's result jumps, it has to jump at the operand type's own values.
  static double rounded_to(core::DType dtype, double value) {
    auto single = static_cast<float>(value);
    if (dtype == core::DType::float32) return static_cast<double>(single);
    if (dtype == core::DType::float16) return static_cast<double>(float(core::Half(single)));
    if (dtype == core::DType::bfloat16) return static_cast<double>(float(core::BFloat16(single)));
    return value;
  }

  template <unsigned kinds, size_t N, typename F>
  static void compute_over(ops::Call& c, const core::Tensor& out, core::DType dtype,
                           const std::array<core::Tensor, N>& in, F f) {
    common::check_kind(c, dtype, kinds);
    unsigned kind = common::kind_of(dtype);
    if constexpr ((kinds & (common::bools | common::ints)) != 0) {
      if (kind <= common::ints) return compute<int64_t>(out, dtype, in, f);
    }
    if constexpr ((kinds & common::floats) != 0) {
      if (kind == common::floats) return compute<double>(out, dtype, in, f);
    }
    if constexpr ((kinds & common::complexes) != 0) {
      if (kind == common::complexes) return compute<core::Complex128>(out, dtype, in, f);
    }
  }
};

}  // namespace assay::kernels::reference
