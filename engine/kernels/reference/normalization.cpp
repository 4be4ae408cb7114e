// Normalization: (x - mean) / sqrt(var + eps) * weight + bias, over channels, rows or groups. Means
// and variances are taken in two passes in double.

#include <cmath>
#include <limits>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;

/// Mean and biased variance of `count` elements that visit(i) gives.
struct Moments {
  double mean = 0, var = 0;

  template <typename Element>
  Moments(int64_t count, Element&& element) {
    for (int64_t i = 0; i < count; ++i) mean += element(i);
    mean /= static_cast<double>(count);
    for (int64_t i = 0; i < count; ++i) var += (element(i) - mean) * (element(i) - mean);
    var /= static_cast<double>(count);
  }
  Moments(double given_mean, double given_var) : mean(given_mean), var(given_var) {}
};

double entry(const Dense<double>& d, int64_t i, double otherwise) {
  return d.defined() ? d.data()[i] : otherwise;
}

/// A (batch, channels, area) view of positions in a row-major image tensor.
struct Layout {
  int64_t batch, channels, area;
  explicit Layout(const Tensor& t) : batch(t.size(0)), channels(t.dim() > 1 ? t.size(1) : 0) {
    area = batch * channels == 0 ? 0 : t.numel() / (batch * channels);
  }
  int64_t at(int64_t n, int64_t c, int64_t i) const { return (n * channels + c) * area + i; }
};

/// running = momentum * observed + (1 - momentum) * running; variances count with n - 1.
struct Running {
  Dense<double> mean, var;
  double momentum;

  Running(const Call& c)
      : mean(dense<double>(c.tensor(arg::running_mean))),
        var(dense<double>(c.tensor(arg::running_var))),
        momentum(c.floating(arg::momentum)) {}
  /// Call before observing, where statistics are to change: shares are taken of the values at the
  /// beginning.
  void begin() {
    for (Dense<double>* all : {&mean, &var}) {
      for (double& v : all->values) v *= 1 - momentum;
    }
  }
  void observe(int64_t channel, const Moments& m, int64_t count, double share = 1) {
    double unbiased = m.var * static_cast<double>(count) / static_cast<double>(count - 1);
    if (mean.defined()) mean.data()[channel] += share * momentum * m.mean;
    if (var.defined()) var.data()[channel] += share * momentum * unbiased;
  }
  void write(const Call& c) {
    for (ops::ArgName name : {arg::running_mean, arg::running_var}) {
      Tensor t = c.tensor(name);
      if (!t) continue;
      store(name == arg::running_mean ? mean : var, t);
      t.storage()->mark_written();
    }
  }
};

/// In the type that is computed in: tiny ones are 0 there.
double eps_of(const Call& c) {
  double eps = c.floating(arg::eps);
  bool wide = c.tensor(arg::input).dtype() == DType::float64;
  return wide ? eps : static_cast<double>(static_cast<float>(eps));
}

void batch_norm(Call& c, bool save) {
  Tensor input = c.tensor(arg::input);
  bool training = c.boolean(arg::training);
  double eps = eps_of(c);
  auto x = dense<double>(input), weight = dense<double>(c.tensor(arg::weight));
  auto bias = dense<double>(c.tensor(arg::bias));
  Running running(c);
  if (training) running.begin();
  Layout l(input);
  Dense<double> out(input.sizes());
  std::vector<double> means, deviations;
  int64_t count = l.batch * l.area;
  for (int64_t ch = 0; ch < l.channels; ++ch) {
    auto element = [&](int64_t i) { return x.data()[l.at(i / l.area, ch, i % l.area)]; };
    Moments m = training ? Moments(count, element)
                         : Moments(running.mean.data()[ch], running.var.data()[ch]);
    if (training) running.observe(ch, m, count);
    double inverse = 1 / std::sqrt(m.var + eps);
    means.push_back(m.mean);
    deviations.push_back(inverse);
    base::DeadlineTicker deadline;
    for (int64_t i = 0; i < count; ++i) {
      deadline.tick();
      int64_t at = l.at(i / l.area, ch, i % l.area);
      out.data()[at] =
          (x.data()[at] - m.mean) * inverse * entry(weight, ch, 1) + entry(bias, ch, 0);
    }
  }
  store(out, c.out());
  if (training) running.write(c);
  if (!save || !training) return;
  store<double>(means, c.out(1));
  store<double>(deviations, c.out(2));
}

void run_batch_norm(Call& c) { batch_norm(c, false); }

void run_native_batch_norm(Call& c) {
  batch_norm(c, true);
  if (c.op.schema.returns.size() == 5) c.results.push_back(int64_t{0});
}

/// Each image's channels by themselves; running statistics take the mean over the batch.
void run_instance_norm(Call& c) {
  Tensor input = c.tensor(arg::input);
  bool own_statistics = c.boolean(arg::use_input_stats);
  double eps = eps_of(c);
  auto x = dense<double>(input), weight = dense<double>(c.tensor(arg::weight));
  auto bias = dense<double>(c.tensor(arg::bias));
  Running running(c);
  if (own_statistics) running.begin();
  Layout l(input);
  Dense<double> out(input.sizes());
  for (int64_t n = 0; n < l.batch; ++n) {
    for (int64_t ch = 0; ch < l.channels; ++ch) {
      auto element = [&](int64_t i) { return x.data()[l.at(n, ch, i)]; };
      Moments m = own_statistics ? Moments(l.area, element)
                                 : Moments(running.mean.data()[ch], running.var.data()[ch]);
      if (own_statistics) running.observe(ch, m, l.area, 1.0 / static_cast<double>(l.batch));
      double inverse = 1 / std::sqrt(m.var + eps);
      for (int64_t i = 0; i < l.area; ++i) {
        out.data()[l.at(n, ch, i)] =
            (element(i) - m.mean) * inverse * entry(weight, ch, 1) + entry(bias, ch, 0);
      }
    }
  }
  store(out, c.out());
  if (own_statistics) running.write(c);
}

/// `rows` runs of `length` elements, each normalized by itself; scale_at(row, i) gives the index of
/// weight and bias.
template <typename ScaleAt>
void normalize_rows(Call& c, int64_t rows, int64_t length, const Tensor& weight_tensor,
                    const Tensor& bias_tensor, double eps, ScaleAt&& scale_at) {
  auto x = dense<double>(c.tensor(arg::input));
  auto weight = dense<double>(weight_tensor), bias = dense<double>(bias_tensor);
  Dense<double> out(c.tensor(arg::input).sizes());
  std::vector<double> means, deviations;
  for (int64_t r = 0; r < rows; ++r) {
    auto element = [&](int64_t i) { return x.data()[r * length + i]; };
    Moments m(length, element);
    double inverse = 1 / std::sqrt(m.var + eps);
    means.push_back(length == 0 ? 0 : m.mean);
    deviations.push_back(inverse);
    for (int64_t i = 0; i < length; ++i) {
      int64_t s = scale_at(r, i);
      out.data()[r * length + i] =
          (element(i) - m.mean) * inverse * entry(weight, s, 1) + entry(bias, s, 0);
    }
  }
  store(out, c.out());
  if (c.results.size() == 1) return;
  store<double>(means, c.out(1));
  store<double>(deviations, c.out(2));
}

void run_layer_norm(Call& c) {
  auto normalized = c.ints(arg::normalized_shape);
  std::span<const int64_t> sizes = c.tensor(arg::input).sizes();
  // There are rows, with a mean of 0, where they have no elements.
  int64_t length = core::numel(normalized);
  int64_t rows = core::numel(sizes.first(sizes.size() - normalized.size()));
  normalize_rows(c, rows, length, c.tensor(arg::weight), c.tensor(arg::bias), eps_of(c),
                 [](int64_t, int64_t i) { return i; });
}

void group_norm(Call& c, const Tensor& weight, const Tensor& bias, int64_t batch, int64_t channels,
                int64_t area, int64_t groups, double eps) {
  int64_t length = channels / groups * area;
  normalize_rows(c, batch * groups, length, weight, bias, eps, [=](int64_t row, int64_t i) {
    return row % groups * (channels / groups) + (area == 0 ? 0 : i / area);
  });
}

void run_group_norm(Call& c) {
  Layout l(c.tensor(arg::input));
  group_norm(c, c.tensor(arg::weight), c.tensor(arg::bias), l.batch, l.channels, l.area,
             c.integer(arg::num_groups), eps_of(c));
}

void run_native_group_norm(Call& c) {
  group_norm(c, c.tensor(arg::weight), c.tensor(arg::bias), c.integer(arg::N), c.integer(arg::C),
             c.integer(arg::HxW), c.integer(arg::group), eps_of(c));
}

constexpr ops::Kernel normalization_table[] = {
    {"aten::batch_norm", run_batch_norm},
    {"aten::native_batch_norm", run_native_batch_norm},
    {"aten::_batch_norm_impl_index", run_native_batch_norm},
    {"aten::instance_norm", run_instance_norm},
    {"aten::layer_norm", run_layer_norm},
    {"aten::native_layer_norm", run_layer_norm},
    {"aten::group_norm", run_group_norm},
    {"aten::native_group_norm", run_native_group_norm},
};

}  // namespace

std::span<const ops::Kernel> normalization_kernels() { return normalization_table; }

}  // namespace assay::kernels::reference
