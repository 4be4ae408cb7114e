// Numbers drawn by rejection: each element has a thread of the generator to itself, and takes of it
// what it needs.

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/rejection.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/layout.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/kernels/cuda/philox.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

/// The numbers of one thread, in turn.
class PhiloxSource {
 public:
  ASSAY_ANYWHERE PhiloxSource(const PhiloxDraws& draws, int64_t thread)
      : draws_(draws), thread_(thread) {}

  ASSAY_ANYWHERE double unit() {
    uint64_t high = word(), low = word();
    return static_cast<double>(((high << 32) | low) >> 11) * 0x1p-53;
  }
  ASSAY_ANYWHERE double normal() {
    double numbers[2];
    NormalDraw<double>::make(draws_.of(thread_, fours_++), numbers);
    return numbers[0];
  }
  /// A device cannot be interrupted: after so many attempts, which nothing in reason needs, the
  /// last one counts.
  ASSAY_ANYWHERE bool goes_on() { return ++attempts_ < 1 << 16; }

 private:
  ASSAY_ANYWHERE uint32_t word() {
    if (taken_ == 4) {
      words_ = draws_.of(thread_, fours_++);
      taken_ = 0;
    }
    return words_.of[taken_++];
  }

  PhiloxDraws draws_;
  int64_t thread_;
  int64_t fours_ = 0;
  PhiloxWords words_{};
  int taken_ = 4, attempts_ = 0;
};

/// How many numbers of each thread PyTorch counts as taken.
constexpr int64_t poisson_numbers = 20, gamma_numbers = 10, binomial_numbers = 42;

template <typename T>
struct PoissonBody {
  PhiloxDraws draws;
  const T* rates;
  T* to;
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    auto rate = convert<double>(rates[i]);
    if (!(rate >= 0)) return report(Fault::other);
    PhiloxSource source(draws, i);
    to[i] = convert<T>(common::draw_poisson(source, rate));
  }
};

template <typename T>
struct GammaBody {
  PhiloxDraws draws;
  const T* shapes;
  T* to;
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    using W = Computed<T>;
    W shape = convert<W>(shapes[i]);
    if (!(shape >= 0)) return report(Fault::other);
    PhiloxSource source(draws, i);
    to[i] = convert<T>(common::draw_gamma<W>(source, shape));
  }
};

template <typename T>
struct BinomialBody {
  PhiloxDraws draws;
  const std::byte *counts, *chances;
  T* to;
  Layout<2> layout;
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    using W = Computed<T>;
    Offsets<2> at = layout.offsets(i);
    W count = convert<W>(*reinterpret_cast<const T*>(counts + at.of[0]));
    W chance = convert<W>(*reinterpret_cast<const T*>(chances + at.of[1]));
    if (count > 0 && chance > 0 && chance < 1 && std::isinf(count)) return report(Fault::other);
    PhiloxSource source(draws, i);
    to[i] = convert<T>(common::draw_binomial<W>(source, count, chance));
  }
};

/// Gamma numbers, divided by their sum over the last dimension.
template <typename T>
struct SumToOne {
  using W = Computed<T>;
  const T* drawn;
  T* to;
  int64_t length;

  ASSAY_ANYWHERE void operator()(int64_t row) const {
    constexpr W least = std::numeric_limits<W>::min();
    constexpr W most = 1 - std::numeric_limits<W>::epsilon() / 2;
    double sum = 0;
    for (int64_t i = row * length; i < (row + 1) * length; ++i) sum += convert<double>(drawn[i]);
    for (int64_t i = row * length; i < (row + 1) * length; ++i) {
      auto share = static_cast<W>(convert<double>(drawn[i]) / sum);
      to[i] = convert<T>(share < least ? least : share > most ? most : share);
    }
  }
};

template <typename T, template <typename> typename Body>
void run_each(const Call& c, const Tensor& from, const Tensor& to, int64_t numbers) {
  Queue queue = queue_of(c);
  for_each(queue, to.numel(),
           Body<T>{draw(c, numbers), from.device_data<T>(), to.device_data<T>(), queue.report});
}

/// A row-major result like the first argument.
template <template <typename> typename Body, int64_t numbers>
Tensor drawn_each(const Call& c, const char* what) {
  Tensor self = contiguous(c, c.tensor(arg::self));
  Tensor out = c.new_empty(self.sizes(), self.dtype());
  common::over_floating(self.dtype(), what, [&](auto zero) {
    if (out.numel() > 0) run_each<decltype(zero), Body>(c, self, out, numbers);
  });
  return out;
}

void poisson(Call& c) {
  c.finish(core::Value(drawn_each<PoissonBody, poisson_numbers>(c, "poisson_cuda")));
}
void gamma(Call& c) {
  c.finish(core::Value(drawn_each<GammaBody, gamma_numbers>(c, "gamma_cuda")));
}

template <typename T>
void run_shares(const Call& c, const Tensor& drawn, const Tensor& to) {
  int64_t length = to.dim() == 0 ? 1 : to.sizes().back();
  for_each(queue_of(c), to.numel() / length,
           SumToOne<T>{drawn.device_data<T>(), to.device_data<T>(), length});
}
void dirichlet(Call& c) {
  Tensor drawn = drawn_each<GammaBody, gamma_numbers>(c, "dirichlet");
  Tensor out = c.new_empty(drawn.sizes(), drawn.dtype());
  common::over_floating(out.dtype(), "dirichlet", [&](auto zero) {
    if (out.numel() > 0) run_shares<decltype(zero)>(c, drawn, out);
  });
  c.finish(core::Value(out));
}

template <typename T>
void run_binomial(const Call& c, const Tensor& counts, const Tensor& chances, const Tensor& out) {
  Queue queue = queue_of(c);
  BinomialBody<T> body{draw(c, binomial_numbers),
                       counts.device_address(),
                       chances.device_address(),
                       out.device_data<T>(),
                       Layout<2>::of(out.sizes(), {counts, chances}, true),
                       queue.report};
  for_each(queue, out.numel(), body);
}
void binomial(Call& c) {
  Tensor counts = c.tensor(arg::count), chances = c.tensor(arg::prob);
  base::check(counts.dtype() == chances.dtype(), "Found dtype ", core::script_name(counts.dtype()),
              " but expected ", core::script_name(chances.dtype()));
  Tensor out = c.new_empty(core::broadcast(counts.sizes(), chances.sizes()), counts.dtype());
  common::over_floating(counts.dtype(), "binomial_cuda", [&](auto zero) {
    if (out.numel() > 0) run_binomial<decltype(zero)>(c, counts, chances, out);
  });
  c.finish(core::Value(out));
}

constexpr ops::Kernel sampling_table[] = {
    {"aten::poisson", poisson},
    {"aten::binomial", binomial},
    {"aten::_standard_gamma", gamma},
    {"aten::_sample_dirichlet", dirichlet},
};

}  // namespace

std::span<const ops::Kernel> sampling_kernels() { return sampling_table; }

}  // namespace assay::kernels::cuda
