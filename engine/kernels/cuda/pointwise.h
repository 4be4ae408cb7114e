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
  C number[N];  ///< What the host knows.
  F f;

  CastingBody(const Pointwise<N>& over, F function) : p(over), f(function) {
    for (size_t k = 0; k < N; ++k) {
      number[k] = C{};
      if (p.in[k].known)
        number[k] = rounded_to<C>(p.common, load<C>(p.in[k].number, p.in[k].dtype));
    }
  }

  ASSAY_ANYWHERE C read(size_t k, int64_t offset) const {
    if (p.in[k].known) return number[k];
    C value = load<C>(p.in[k].data + offset, p.in[k].dtype);
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

/// As many elements as a thread reads at once.
template <typename D, size_t width>
struct alignas(width * sizeof(D)) Pack {
  D of[width];
};

/// What an operand gives for neighbours: an element each, one for all, or a number that the host
/// knows.
enum class Source : uint8_t { each, one, known };

/// Operands of one type D and results of one type Out: D, or bool.
template <typename D, size_t N, typename F>
struct Alike {
  using C = Computed<D>;

  const std::byte* in[N];
  C number[N];
  Source source[N];
  std::byte* out;
  Layout<N + 1> layout;
  F f;

  template <typename Out, size_t... I>
  ASSAY_ANYWHERE Out apply(const C (&values)[N], std::index_sequence<I...>) const {
    return convert<Out>(f(values[I]...));
  }
};

/// In any layout.
template <typename D, typename Out, size_t N, typename F>
struct PlainBody {
  Alike<D, N, F> p;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<N + 1> at = p.layout.offsets(i);
    Computed<D> values[N];
    ASSAY_UNROLL
    for (size_t k = 0; k < N; ++k) {
      values[k] = p.number[k];
      if (p.source[k] != Source::known)
        values[k] = convert<Computed<D>>(*reinterpret_cast<const D*>(p.in[k] + at.of[k + 1]));
    }
    *reinterpret_cast<Out*>(p.out + at.of[0]) =
        p.template apply<Out>(values, std::make_index_sequence<N>());
  }
};

/// In rows of neighbours, of which a thread takes 16 bytes at once.
template <typename D, typename Out, size_t N, typename F>
struct PackBody {
  static constexpr size_t width = 16 / sizeof(D);
  using C = Computed<D>;

  Alike<D, N, F> p;

  ASSAY_ANYWHERE Pack<D, width> read(size_t k, int64_t offset, int64_t left) const {
    Pack<D, width> made{};
    if (p.source[k] == Source::known) return made;
    const D* from = reinterpret_cast<const D*>(p.in[k] + offset);
    if (p.source[k] == Source::one) {
      D one = *from;
      ASSAY_UNROLL
      for (size_t j = 0; j < width; ++j) made.of[j] = one;
    } else if (left >= int64_t{width}) {
      made = *reinterpret_cast<const Pack<D, width>*>(from);
    } else {
      ASSAY_UNROLL
      for (size_t j = 0; j < width; ++j)
        if (int64_t(j) < left) made.of[j] = from[j];
    }
    return made;
  }
  ASSAY_ANYWHERE void operator()(int64_t pack) const {
    int64_t first = pack * int64_t{width}, left = p.layout.count - first;
    Offsets<N + 1> at = p.layout.offsets(first);
    Pack<D, width> in[N];
    ASSAY_UNROLL
    for (size_t k = 0; k < N; ++k) in[k] = read(k, at.of[k + 1], left);
    Pack<Out, width> made{};
    ASSAY_UNROLL
    for (size_t j = 0; j < width; ++j) {
      C values[N];
      ASSAY_UNROLL
      for (size_t k = 0; k < N; ++k)
        values[k] = p.source[k] == Source::known ? p.number[k] : convert<C>(in[k].of[j]);
      made.of[j] = p.template apply<Out>(values, std::make_index_sequence<N>());
    }
    Out* to = reinterpret_cast<Out*>(p.out + at.of[0]);
    if (left >= int64_t{width}) {
      *reinterpret_cast<Pack<Out, width>*>(to) = made;
    } else {
      ASSAY_UNROLL
      for (size_t j = 0; j < width; ++j)
        if (int64_t(j) < left) to[j] = made.of[j];
    }
  }
};

/// What function objects get and give, by whether the result is a bool.
template <typename C, size_t N, typename F>
struct ResultOf {
  template <size_t... I>
  static auto call(std::index_sequence<I...>)
      -> decltype(std::declval<const F&>()((static_cast<void>(I), std::declval<C>())...));
  using type = decltype(call(std::make_index_sequence<N>()));
};

/// Where pointwise kernels run: the call's GPU. Function objects that have a member `in_double` are
/// rare ones, or slow; for them, floats of all types are read as double by one kernel.
struct Gpu {
  template <typename T>
  using Complex = cuda::Complex<T>;

  /// What a loop may take whose length an argument says, in cheap turns: nothing else ends a
  /// kernel.
  struct Patience {
    Reporter report;
    int64_t left = int64_t{1} << 27;
    ASSAY_ANYWHERE bool goes_on(int64_t cost = 1) {
      left -= cost;
      if (left > 0) return true;
      report(Fault::other);
      return false;
    }
  };
  struct Faults {
    Reporter report;
    ASSAY_ANYWHERE Patience patience() const { return {report}; }
    ASSAY_ANYWHERE int64_t division_by_zero() const {
      report(Fault::division_by_zero);
      return 0;
    }
  };
  static Faults faults(const ops::Call& c) { return {queue_of(c).report}; }

  /// Whether an operator may be computed in another way where that gives nearly the same.
  static constexpr bool takes_shortcuts = true;

  template <typename C>
  ASSAY_ANYWHERE static C rounded_to(core::DType dtype, C value) {
    return cuda::rounded_to<C>(dtype, value);
  }

  template <unsigned kinds, size_t N, typename F>
  static void compute_over(ops::Call& c, const core::Tensor& out, core::DType common,
                           const std::array<core::Tensor, N>& in, F f) {
    common::check_kind(c, common, kinds);
    if (out.numel() == 0) return;
    Pointwise<N> p = prepare<N>(out, common, in);
    unsigned kind = common::kind_of(common);
    if constexpr ((kinds & (common::bools | common::ints)) != 0) {
      if (kind <= common::ints) return cast_all<int64_t, N>(c, p, f);
    }
    if constexpr ((kinds & common::floats) != 0) {
      if (kind == common::floats) {
        if constexpr (requires { F::in_double; })
          return cast_all<double, N>(c, p, f);
        else
          return over_floats<N>(c, p, f);
      }
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
    for_each(queue_of(c), p.layout.count, CastingBody<C, N, F>(p, f));
  }

  template <size_t N, typename F>
  static void over_floats(ops::Call& c, const Pointwise<N>& p, F f) {
    using R = typename ResultOf<float, N, F>::type;
    constexpr bool gives_bool = std::is_same_v<R, bool>;
    if constexpr (gives_bool || std::is_floating_point_v<R>) {
      bool alike = p.out_dtype == (gives_bool ? core::DType::boolean : p.common);
      for (const Operand& in : p.in) alike = alike && (in.known || in.dtype == p.common);
      if (alike && p.common == core::DType::float32) return over_alike<float, gives_bool>(c, p, f);
      if (alike && p.common == core::DType::float16)
        return over_alike<core::Half, gives_bool>(c, p, f);
      if (alike && p.common == core::DType::bfloat16)
        return over_alike<core::BFloat16, gives_bool>(c, p, f);
    }
    if (p.common == core::DType::float64) return cast_all<double, N>(c, p, f);
    cast_all<float, N>(c, p, f);
  }

  template <typename D, bool gives_bool, size_t N, typename F>
  static void over_alike(ops::Call& c, const Pointwise<N>& p, F f) {
    using Out = std::conditional_t<gives_bool, core::Bool, D>;
    Alike<D, N, F> alike{{}, {}, {}, p.out, p.layout, f};
    for (size_t k = 0; k < N; ++k) {
      const Operand& in = p.in[k];
      alike.in[k] = in.data;
      if (!in.known) continue;
      alike.source[k] = Source::known;
      alike.number[k] = convert<Computed<D>>(convert<D>(load<Computed<D>>(in.number, in.dtype)));
    }
    int64_t count = p.layout.count;
    if (!packs<sizeof(D), sizeof(Out)>(p, alike.source))
      return for_each(queue_of(c), count, PlainBody<D, Out, N, F>{alike});
    constexpr int64_t width = 16 / sizeof(D);
    for_each(queue_of(c), (count + width - 1) / width, PackBody<D, Out, N, F>{alike});
  }

  /// Whether packs of neighbours never leave a row and are aligned; tells the operands that give
  /// one element to all neighbours.
  template <int64_t item, int64_t out_item, size_t N>
  static bool packs(const Pointwise<N>& p, Source (&source)[N]) {
    constexpr int64_t width = 16 / item;
    const Layout<N + 1>& layout = p.layout;
    if (layout.rank == 0 || (layout.rank > 1 && layout.sizes[0].divisor() % width != 0))
      return false;
    auto aligned = [&](const std::byte* data, size_t k, int64_t size) {
      if (layout.steps[0][k] != size || reinterpret_cast<uintptr_t>(data) % (width * size) != 0)
        return false;
      for (int d = 1; d < layout.rank; ++d)
        if (layout.steps[d][k] % (width * size) != 0) return false;
      return true;
    };
    if (!aligned(p.out, 0, out_item)) return false;
    for (size_t k = 0; k < N; ++k) {
      if (source[k] == Source::known) continue;
      if (layout.steps[0][k + 1] == 0)
        source[k] = Source::one;
      else if (!aligned(p.in[k].data, k + 1, item))
        return false;
    }
    return true;
  }
};

}  // namespace assay::kernels::cuda
