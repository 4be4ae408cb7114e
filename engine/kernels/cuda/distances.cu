// Norms of differences, slices scaled down to a norm, and counts in bins.

#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/core/host_access.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/join.h"
#include "engine/kernels/cuda/norm.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/ops/constraint.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace views = ops::views;
namespace arg = ops::arg;

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;

// Called where it is used, as Norm's functions are.
ASSAY_NOT_INLINE double number_at(const std::byte* at, DType dtype) {
  return load<double>(at, dtype);
}

/// The rows whose distances a kernel gives.
struct RowPair {
  int64_t a, b;
};

/// Each row of one tensor with each of another, in batches.
struct AllPairs {
  int64_t n, m;
  ASSAY_ANYWHERE RowPair operator()(int64_t i) const {
    int64_t group = i / (n * m), rest = i - group * n * m;
    return {group * n + rest / m, group * m + rest % m};
  }
};

/// Each row with each later one of the same n. `before(row)` pairs have a
/// smaller first row.
struct LaterPairs {
  int64_t n;
  ASSAY_ANYWHERE int64_t before(int64_t row) const { return row * (2 * n - row - 1) / 2; }
  ASSAY_ANYWHERE RowPair operator()(int64_t i) const {
    int64_t low = 0, high = n;
    while (high - low > 1) {
      int64_t middle = low + (high - low) / 2;
      (before(middle) <= i ? low : high) = middle;
    }
    return {low, low + 1 + i - before(low)};
  }
};

/// Distances of pairs of row-major rows.
template <typename Pairs>
struct Distances {
  const double *a, *b;
  int64_t width;
  Pairs pairs;
  Norm norm;
  std::byte* out;
  DType out_dtype;
  int64_t out_item;

  ASSAY_ANYWHERE double start() const { return norm.start(); }
  ASSAY_ANYWHERE double load(int64_t row, int64_t i) const {
    using std::fabs;
    RowPair pair = pairs(row);
    double d = fabs(a[pair.a * width + i] - b[pair.b * width + i]);
    return d != d ? d : norm.part(d);
  }
  ASSAY_ANYWHERE double join(double x, double y) const { return norm.join(x, y); }
  ASSAY_ANYWHERE void finish(int64_t row, double total) const {
    store(out + row * out_item, out_dtype, norm.end(total));
  }
};

/// Row-major, in float64.
Tensor as_doubles(const Call& c, const Tensor& t) {
  if (t.dtype() == DType::float64) return contiguous(c, t);
  Tensor wide = Tensor::empty(t.sizes(), DType::float64, t.device());
  copy_elements(c, wide, t);
  return wide;
}

template <typename Pairs>
void run_distances(const Call& c, const Tensor& a, const Tensor& b, const Tensor& out, double p,
                   Pairs pairs) {
  int64_t width = a.sizes().back();
  Distances<Pairs> body{a.device_data<double>(),
                        b.device_data<double>(),
                        width,
                        pairs,
                        Norm(p),
                        out.device_address(),
                        out.dtype(),
                        static_cast<int64_t>(out.item_size())};
  reduce(c, queue_of(c), out.numel(), width, body);
}

/// Distances of each row of x1 to each row of x2; batches broadcast.
void cdist(Call& c) {
  Tensor x1 = c.tensor(arg::x1), x2 = c.tensor(arg::x2);
  double p = c.floating(arg::p);
  auto rank1 = static_cast<size_t>(x1.dim()), rank2 = static_cast<size_t>(x2.dim());
  base::check(rank1 >= 2, "cdist only supports at least 2D tensors, X1 got: ", rank1, "D");
  base::check(rank2 >= 2, "cdist only supports at least 2D tensors, X2 got: ", rank2, "D");
  base::check(x1.sizes().back() == x2.sizes().back(),
              "X1 and X2 must have the same number of columns. X1: ", x1.sizes().back(),
              " X2: ", x2.sizes().back());
  base::check(core::is_floating(x1.dtype()),
              "cdist only supports floating-point dtypes, X1 got: ", core::script_name(x1.dtype()));
  base::check(p >= 0, "cdist only supports non-negative p values");
  Dims batch = core::broadcast(core::DimSpan(x1.sizes()).first(rank1 - 2),
                               core::DimSpan(x2.sizes()).first(rank2 - 2));
  auto rows = [&](const Tensor& t) {
    Dims sizes = batch;
    sizes.push_back(t.sizes()[static_cast<size_t>(t.dim()) - 2]);
    sizes.push_back(t.sizes().back());
    return as_doubles(c, views::expand(t, sizes));
  };
  int64_t n = x1.size(rank1 - 2), m = x2.size(rank2 - 2);
  Dims sizes = batch;
  sizes.push_back(n);
  sizes.push_back(m);
  Tensor out = c.new_empty(sizes, core::promote(x1.dtype(), x2.dtype()));
  if (out.numel() > 0) run_distances(c, rows(x1), rows(x2), out, p, AllPairs{n, m});
  c.finish(core::Value(out));
}

/// Distances of all pairs of different rows.
void pdist(Call& c) {
  Tensor in = c.tensor(arg::self);
  double p = c.floating(arg::p);
  base::check(in.dim() == 2, "pdist only supports 2D tensors, got: ", in.dim(), "D");
  base::check(core::is_floating(in.dtype()), "pdist only supports floating-point dtypes");
  base::check(p >= 0, "pdist only supports non-negative p values");
  int64_t n = in.size(0);
  Tensor rows = as_doubles(c, in), out = c.new_empty(Dims{n * (n - 1) / 2}, in.dtype());
  if (out.numel() > 0) run_distances(c, rows, rows, out, p, LaterPairs{n});
  c.finish(core::Value(out));
}

struct Extremes {
  double least, most;
};

struct FindExtremes {
  const std::byte* in;
  DType dtype;
  Layout<1> layout;
  Extremes* out;

  ASSAY_ANYWHERE Extremes start() const { return {HUGE_VAL, -HUGE_VAL}; }
  ASSAY_ANYWHERE Extremes load(int64_t, int64_t i) const {
    double v = number_at(in + layout.offsets(i).of[0], dtype);
    return {v, v};
  }
  ASSAY_ANYWHERE Extremes join(Extremes a, Extremes b) const {
    return {b.least != b.least || b.least < a.least ? b.least : a.least,
            b.most != b.most || b.most > a.most ? b.most : a.most};
  }
  ASSAY_ANYWHERE void finish(int64_t, Extremes total) const { *out = total; }
};

struct CountInBins {
  const std::byte* in;
  DType dtype;
  Layout<1> layout;
  double low, high;
  int64_t bins;
  int64_t* counts;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    double v = load<double>(in + layout.offsets(i).of[0], dtype);
    if (!(v >= low && v <= high)) return;
    auto bin = static_cast<int64_t>((v - low) / (high - low) * static_cast<double>(bins));
    atomic_join(Join::sum, counts + (bin < bins ? bin : bins - 1), int64_t{1});
  }
};

/// The least and the largest element. Waits for the device.
Extremes extremes_of(const Call& c, const Tensor& in, const Layout<1>& layout) {
  Tensor found = Tensor::empty(Dims{2}, DType::float64, c.device());
  reduce(c, queue_of(c), 1, layout.count,
         FindExtremes{in.device_address(), in.dtype(), layout,
                      reinterpret_cast<Extremes*>(found.device_address())});
  c.synchronized();
  Tensor host = core::to_host(found);
  return {host.device_data<double>()[0], host.device_data<double>()[1]};
}

/// Counts of elements in equal bins between two bounds; equal bounds mean the
/// extremes.
void histc(Call& c) {
  Tensor in = c.tensor(arg::self);
  int64_t bins = c.integer(arg::bins);
  double low = c.floating(arg::min), high = c.floating(arg::max);
  base::check(bins > 0, "torch.histogram(): bins must be > 0, but got ", bins, " for dimension 0");
  base::check(core::is_floating(in.dtype()), "\"histogram_cuda\" not implemented for '",
              core::script_name(in.dtype()), "'");
  for (ops::ArgName bound : {arg::min, arg::max}) {
    // Equal bounds are not used.
    if (low != high) ops::check_fits(c.op, c.op.position(bound), c.scalar(bound), in.dtype());
  }
  auto layout = Layout<1>::of(in.sizes(), {in});
  if (low == high && in.numel() > 0) {
    Extremes found = extremes_of(c, in, layout);
    low = found.least;
    high = found.most;
  }
  if (low == high) {
    low -= 1;
    high += 1;
  }
  base::check(std::isfinite(low) && std::isfinite(high), "torch.histc: range of [", low, ", ", high,
              "] is not finite");
  base::check(low < high, "torch.histc: max must be larger than min");
  Tensor counts = Tensor::empty(Dims{bins}, DType::int64, c.device());
  fill_elements(c, counts, 0);
  for_each(queue_of(c), layout.count,
           CountInBins{in.device_address(), in.dtype(), layout, low, high, bins,
                       counts.device_data<int64_t>()});
  Tensor out = c.new_empty(Dims{bins}, in.dtype());
  copy_elements(c, out, counts);
  c.finish(core::Value(out));
}

/// Factors that bring slices' norms down to the most allowed one.
struct SliceFactors {
  const std::byte* in;
  DType dtype;
  Layout<1> layout;
  int64_t length;
  Norm norm;
  double most;
  double* factors;

  ASSAY_ANYWHERE double start() const { return norm.start(); }
  ASSAY_ANYWHERE double load(int64_t row, int64_t i) const {
    return norm.part(Norm::size_at(in + layout.offsets(row * length + i).of[0], dtype));
  }
  ASSAY_ANYWHERE double join(double a, double b) const { return norm.join(a, b); }
  ASSAY_ANYWHERE void finish(int64_t row, double total) const {
    double size = norm.end(total);
    factors[row] = size > most ? most / (size + 1e-7) : 1;
  }
};

template <typename C>
struct ScaleSlices {
  std::byte* out;
  const std::byte* in;
  DType dtype;
  Layout<2> layout;
  int64_t length;
  const double* factors;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<2> at = layout.offsets(i);
    store(out + at.of[0], dtype, load<C>(in + at.of[1], dtype) * factors[i / length]);
  }
};

/// Slices along a dimension whose p-norm is above a bound are scaled down to
/// it.
void renorm(Call& c) {
  Tensor in = c.tensor(arg::self);
  double p = c.floating(arg::p), most = c.floating(arg::maxnorm);
  base::check(in.dim() > 1, "renorm: input needs at least 2 dimensions, got ", in.dim(),
              " dimensions");
  base::check(p > 0, "renorm: non-positive-norm not supported");
  base::check(most >= 0, "renorm: expected maxnorm to be >= 0 but got ", most);
  int64_t dim = core::wrap_dim(c.integer(arg::dim), in.dim());
  Tensor out = c.new_empty(in.sizes(), in.dtype());
  if (in.numel() == 0) return c.finish(core::Value(out));
  Tensor slices = views::movedim(in, Dims{dim}, Dims{0});
  Tensor results = views::movedim(out, Dims{dim}, Dims{0});
  int64_t count = slices.size(0), length = in.numel() / count;
  Tensor factors = Tensor::empty(Dims{count}, DType::float64, c.device());
  double* factor = factors.device_data<double>();
  Queue queue = queue_of(c);
  auto layout = Layout<1>::of(slices.sizes(), {slices}, true);
  reduce(c, queue, count, length,
         SliceFactors{in.device_address(), in.dtype(), layout, length, Norm(p), most, factor});
  auto both = Layout<2>::of(slices.sizes(), {results, slices}, true);
  std::byte* to = out.device_address();
  const std::byte* from = in.device_address();
  if (core::is_complex(in.dtype()))
    for_each(queue, both.count,
             ScaleSlices<Complex<double>>{to, from, in.dtype(), both, length, factor});
  else
    for_each(queue, both.count, ScaleSlices<double>{to, from, in.dtype(), both, length, factor});
  c.finish(core::Value(out));
}

constexpr ops::Kernel distances_table[] = {
    {"aten::_cdist_forward", cdist},
    {"aten::_pdist_forward", pdist},
    {"aten::histc", histc},
    {"aten::renorm", renorm},
};

}  // namespace

std::span<const ops::Kernel> distance_kernels() { return distances_table; }

}  // namespace assay::kernels::cuda
