#pragma once

#include <array>
#include <cstring>
#include <utility>

#include "engine/kernels/common/elementwise.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/layout.h"
#include "engine/kernels/cuda/parallel.h"

namespace assay::kernels::cuda {

/// An operand as device code reads it: elements in memory, or one number that the host knows (a
/// 0-dimensional CPU tensor goes along with any device).
struct Operand {
  const std::byte* data = nullptr;
  core::DType dtype = core::DType::float32;
  bool known = false;
  alignas(16) std::byte number[16]{};

  Operand() = default;
  explicit Operand(const core::Tensor& t)
      : data(t.device_address()),
        dtype(t.dtype()),
        known(t.device().type == core::DeviceType::cpu && t.numel() == 1) {
    if (known) std::memcpy(number, t.device_address(), t.item_size());
  }
  ASSAY_ANYWHERE const std::byte* at(int64_t offset) const {
    return known ? number : data + offset;
  }
};

template <size_t N>
struct Pointwise {
  Operand in[N];
  std::byte* out;
  core::DType out_dtype;
  core::DType common;
  Layout<N + 1> layout;
};

/// Elements of any types: each is read as its own, rounded to the common one and widened to C.
template <typename C, size_t N, typename F>
struct CastingBody {
  Pointwise<N> p;
  F f;

  ASSAY_ANYWHERE C read(size_t k, int64_t offset) const {
    C value = load<C>(p.in[k].at(offset), p.in[k].dtype);
    return p.in[k].dtype == p.common ? value : rounded_to<C>(p.common, value);
  }
  template <size_t... I>
  ASSAY_ANYWHERE auto apply(const Offsets<N + 1>& at, std::index_sequence<I...>) const {
    return f(read(I, at.of[I + 1])...);
  }
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<N + 1> at = p.layout.offsets(i);
    store(p.out + at.of[0], p.out_dtype, apply(at, std::make_index_sequence<N>()));
  }
};

/// Elements of one type D, operands and result, in any layout.
template <typename D, size_t N, typename F>
struct PlainBody {
  Pointwise<N> p;
  F f;

  template <size_t... I>
  ASSAY_ANYWHERE D apply(const Offsets<N + 1>& at, std::index_sequence<I...>) const {
    return convert<D>(
        f(convert<Computed<D>>(*reinterpret_cast<const D*>(p.in[I].at(at.of[I + 1])))...));
  }
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<N + 1> at = p.layout.offsets(i);
    *reinterpret_cast<D*>(p.out + at.of[0]) = apply(at, std::make_index_sequence<N>());
  }
};

/// As many elements as a thread reads at once.
template <typename D>
struct alignas(4 * sizeof(D)) Pack {
  D of[4];
};

/// Elements of one type D that lie in memory without gaps, four at a time; operands may be one
/// number for all.
template <typename D, size_t N, typename F>
struct FlatBody {
  const std::byte* in[N];
  bool repeated[N];
  Computed<D> number[N];
  std::byte* out;
  int64_t count;
  F f;

  ASSAY_ANYWHERE Pack<D> read(size_t k, int64_t first) const {
    Pack<D> pack{};
    const D* from = reinterpret_cast<const D*>(in[k]);
    if (repeated[k]) return pack;
    if (first + 4 <= count) return *reinterpret_cast<const Pack<D>*>(from + first);
    for (int j = 0; j < 4 && first + j < count; ++j) pack.of[j] = from[first + j];
    return pack;
  }
  template <size_t... I>
  ASSAY_ANYWHERE void run(int64_t first, std::index_sequence<I...>) const {
    Pack<D> read_in[N] = {read(I, first)...};
    Pack<D> made{};
    for (int j = 0; j < 4; ++j) {
      made.of[j] =
          convert<D>(f((repeated[I] ? number[I] : convert<Computed<D>>(read_in[I].of[j]))...));
    }
    D* to = reinterpret_cast<D*>(out);
    if (first + 4 <= count) {
      *reinterpret_cast<Pack<D>*>(to + first) = made;
    } else {
      for (int j = 0; j < 4 && first + j < count; ++j) to[first + j] = made.of[j];
    }
  }
  ASSAY_ANYWHERE void operator()(int64_t pack) const {
    run(4 * pack, std::make_index_sequence<N>());
  }
};

/// Where pointwise kernels run: the call's GPU.
struct Gpu {
  template <unsigned kinds, size_t N, typename F>
  static void compute_over(ops::Call& c, const core::Tensor& out, core::DType common,
                           const std::array<core::Tensor, N>& in, F f) {
    common::check_kind(c, common, kinds);
    Pointwise<N> p = prepare<N>(out, common, in);
    if (p.layout.count == 0) return;
    unsigned kind = common::kind_of(common);
    if constexpr ((kinds & (common::bools | common::ints)) != 0) {
      if (kind <= common::ints) return cast_all<int64_t, N>(c, p, f);
    }
    if constexpr ((kinds & common::floats) != 0) {
      if (kind == common::floats) return over_floats<N>(c, p, f);
    }
    if constexpr ((kinds & common::complexes) != 0) {
      if (kind == common::complexes) return cast_all<Complex<double>, N>(c, p, f);
    }
  }

 private:
  template <size_t N>
  static Pointwise<N> prepare(const core::Tensor& out, core::DType common,
                              const std::array<core::Tensor, N>& in) {
    Pointwise<N> p{};
    std::array<core::Tensor, N + 1> all{out};
    for (size_t k = 0; k < N; ++k) {
      all[k + 1] = in[k];
      p.in[k] = Operand(in[k]);
    }
    p.out = out.device_address();
    p.out_dtype = out.dtype();
    p.common = common;
    p.layout = Layout<N + 1>::of(out.sizes(), all);
    return p;
  }

  template <typename C, size_t N, typename F>
  static void cast_all(ops::Call& c, const Pointwise<N>& p, F f) {
    for_each(queue_of(c), p.layout.count, CastingBody<C, N, F>{p, f});
  }

  template <size_t N, typename F>
  static void over_floats(ops::Call& c, const Pointwise<N>& p, F f) {
    bool alike = p.out_dtype == p.common;
    for (const Operand& in : p.in) alike = alike && (in.known || in.dtype == p.common);
    switch (p.common) {
      case core::DType::float32:
        return alike ? plain<float, N>(c, p, f) : cast_all<float, N>(c, p, f);
      case core::DType::float16:
        return alike ? plain<core::Half, N>(c, p, f) : cast_all<float, N>(c, p, f);
      case core::DType::bfloat16:
        return alike ? plain<core::BFloat16, N>(c, p, f) : cast_all<float, N>(c, p, f);
      default:
        return cast_all<double, N>(c, p, f);
    }
  }

  template <typename D, size_t N, typename F>
  static void plain(ops::Call& c, Pointwise<N> p, F f) {
    for (Operand& in : p.in) {  // What the host knows, it converts.
      if (!in.known || in.dtype == p.common) continue;
      D number = convert<D>(load<Computed<D>>(in.number, in.dtype));
      std::memcpy(in.number, &number, sizeof number);
      in.dtype = p.common;
    }
    FlatBody<D, N, F> flat{};
    if (make_flat(p, flat)) {
      flat.f = f;
      return for_each(queue_of(c), (flat.count + 3) / 4, flat);
    }
    for_each(queue_of(c), p.layout.count, PlainBody<D, N, F>{p, f});
  }

  template <typename D>
  static bool is_aligned(const std::byte* at) {
    return reinterpret_cast<uintptr_t>(at) % sizeof(Pack<D>) == 0;
  }

  template <typename D, size_t N, typename F>
  static bool make_flat(const Pointwise<N>& p, FlatBody<D, N, F>& flat) {
    const Layout<N + 1>& layout = p.layout;
    auto step = [&](size_t k) { return layout.rank == 0 ? 0 : layout.steps[0][k]; };
    bool flat_out = layout.rank == 0 || (layout.rank == 1 && step(0) == sizeof(D));
    if (!flat_out || !is_aligned<D>(p.out)) return false;
    for (size_t k = 0; k < N; ++k) {
      flat.in[k] = p.in[k].data;
      flat.repeated[k] = p.in[k].known;
      if (p.in[k].known) {
        D number;
        std::memcpy(&number, p.in[k].number, sizeof number);
        flat.number[k] = convert<Computed<D>>(number);
      } else if ((layout.rank == 1 && step(k + 1) != sizeof(D)) || !is_aligned<D>(p.in[k].data)) {
        return false;
      }
    }
    flat.out = p.out;
    flat.count = layout.count;
    return true;
  }
};

}  // namespace assay::kernels::cuda
