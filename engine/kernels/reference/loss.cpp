#include <algorithm>
#include <cmath>

#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

enum Reduction : int64_t { none = 0, mean = 1, sum = 2 };

void check_class_targets(const Tensor& target) {
  base::check(target.dtype() == DType::int64 || target.dtype() == DType::uint8,
              "expected scalar type Long but found ", core::script_name(target.dtype()));
}

void check_long(const Tensor& target) {
  base::check(target.dtype() == DType::int64, "expected scalar type Long but found ",
              core::script_name(target.dtype()));
}

/// The negative log likelihood of each target's class, weighted. `offset(i, t)` is that of the log
/// probability of class t for the i-th target.
template <typename Offset>
void negative_log_likelihood(Call& c, int64_t classes, Offset offset) {
  Tensor target = c.tensor(arg::target);
  check_class_targets(target);
  if (!core::is_floating(c.tensor(arg::self).dtype())) {
    base::fail("\"nll_loss_out_frame\" not implemented for '",
               core::script_name(c.tensor(arg::self).dtype()), "'");
  }
  Dense<double> log_p = dense<double>(c.tensor(arg::self)),
                weights = dense<double>(c.tensor(arg::weight));
  Dense<int64_t> targets = dense<int64_t>(target);
  int64_t reduction = c.integer(arg::reduction), ignored = c.integer(arg::ignore_index);
  Dense<double> losses(reduction == none ? c.out(0).sizes() : target.sizes());
  double total = 0, total_weight = 0;
  // Scores of one sample: only the first target counts, however many there are.
  size_t count = targets.values.size();
  if (c.tensor(arg::self).dim() == 1) count = std::min<size_t>(count, 1);
  for (size_t i = 0; i < count; ++i) {
    int64_t t = targets.values[i];
    if (t == ignored) continue;
    base::check_index(t >= 0 && t < classes, "Target ", t, " is out of bounds.");
    double weight = c.is_none(arg::weight) ? 1 : weights.values[static_cast<size_t>(t)];
    double value = log_p.values[offset(i, static_cast<size_t>(t))];
    losses.values[i] = -value * weight;
    total -= value * weight;
    total_weight += weight;
  }
  if (reduction == none) store(losses, c.out(0));
  double result = reduction == mean ? total / total_weight : total;
  if (reduction != none) store(std::span<const double>(&result, 1), c.out(0));
  double reported = reduction == none ? 0 : total_weight;
  store(std::span<const double>(&reported, 1), c.out(1));
}

void nll_loss_forward(Call& c) {
  Tensor input = c.tensor(arg::self);
  int64_t classes = input.sizes().back();
  negative_log_likelihood(c, classes,
                          [&](size_t i, size_t t) { return i * static_cast<size_t>(classes) + t; });
}

void nll_loss2d_forward(Call& c) {
  Tensor input = c.tensor(arg::self);
  auto classes = static_cast<size_t>(input.size(1));
  auto plane = static_cast<size_t>(input.size(2) * input.size(3));
  negative_log_likelihood(c, input.size(1), [&](size_t i, size_t t) {
    return (i / plane * classes + t) * plane + i % plane;
  });
}

/// Results of losses that come per sample: all of them, their mean or their sum.
void finish_losses(Call& c, const std::vector<double>& losses, core::DimSpan sizes,
                   int64_t reduction, DType dtype) {
  double total = 0;
  for (double loss : losses) total += loss;
  if (reduction == mean) total /= static_cast<double>(losses.size());
  Tensor out = c.new_empty(reduction == none ? sizes : core::DimSpan{}, dtype);
  if (reduction == none)
    store(std::span<const double>(losses), out);
  else
    store(std::span<const double>(&total, 1), out);
  c.finish(core::Value(out));
}

/// max(0, margin - x[target] + x[i])^p over the other classes, divided by their number.
void multi_margin_loss(Call& c) {
  Tensor input = c.tensor(arg::self), target = c.tensor(arg::target);
  int64_t p = c.scalar(arg::p).to_int();
  double margin = c.floating(arg::margin);
  base::check(p == 1 || p == 2, "only p == 1 and p == 2 supported");
  size_t classes = input.dim() == 0 ? 1 : static_cast<size_t>(input.sizes().back());
  base::check(input.dim() <= 2 && classes != 0,
              "Expected non-empty vector or matrix with optional 0-dim batch size, but got: ",
              input.sizes());
  size_t batch = input.dim() == 2 ? static_cast<size_t>(input.size(0)) : 1;
  base::check(target.dim() <= 1 && target.numel() == static_cast<int64_t>(batch),
              "inconsistent target size, expected ", batch, " but got ", target.sizes());
  check_long(target);
  Dense<double> x = dense<double>(input), weights = dense<double>(c.tensor(arg::weight));
  Dense<int64_t> targets = dense<int64_t>(target);
  std::vector<double> losses(batch);
  for (size_t b = 0; b < batch; ++b) {
    int64_t t = targets.values[b];
    base::check(t >= 0 && t < static_cast<int64_t>(classes), "target out of range");
    double right = x.values[b * classes + static_cast<size_t>(t)], loss = 0;
    for (size_t i = 0; i < classes; ++i) {
      double gap = margin - right + x.values[b * classes + i];
      if (static_cast<int64_t>(i) == t || gap <= 0) continue;
      double term = p == 1 ? gap : gap * gap;
      loss += c.is_none(arg::weight) ? term : term * weights.values[static_cast<size_t>(t)];
    }
    losses[b] = loss / static_cast<double>(classes);
  }
  finish_losses(c, losses, target.sizes(), c.integer(arg::reduction), input.dtype());
}

/// Pairs of a target class and another class that are not 1 apart; targets end at -1.
void multilabel_margin_loss_forward(Call& c) {
  Tensor input = c.tensor(arg::self), target = c.tensor(arg::target);
  base::check(input.dim() <= 2 && input.sizes() == target.sizes(),
              "inconsistent target size: ", target.sizes(), " for input of size: ", input.sizes());
  check_long(target);
  size_t classes = input.dim() == 0 ? 1 : static_cast<size_t>(input.sizes().back());
  size_t batch = input.dim() == 2 ? static_cast<size_t>(input.size(0)) : 1;
  Dense<double> x = dense<double>(input), is_target(target.sizes());
  Dense<int64_t> targets = dense<int64_t>(target);
  std::vector<double> losses(batch);
  for (size_t b = 0; b < batch; ++b) {
    size_t row = b * classes, count = 0;
    for (; count < classes && targets.values[row + count] >= 0; ++count) {
      int64_t t = targets.values[row + count];
      base::check(t < static_cast<int64_t>(classes), "target out of range");
      is_target.values[row + static_cast<size_t>(t)] = 1;
    }
    double loss = 0;
    for (size_t k = 0; k < count; ++k) {
      double right = x.values[row + static_cast<size_t>(targets.values[row + k])];
      for (size_t i = 0; i < classes; ++i) {
        if (is_target.values[row + i] == 0) loss += std::fmax(0, 1 - right + x.values[row + i]);
      }
    }
    losses[b] = loss / static_cast<double>(classes);
  }
  core::Dims per_sample;
  if (input.dim() == 2) per_sample.push_back(input.size(0));
  finish_losses(c, losses, per_sample, c.integer(arg::reduction), input.dtype());
  Tensor flags = c.new_empty(target.sizes(), input.dtype());
  store(is_target, flags);
  c.results.push_back(flags);
}

void multilabel_margin_loss(Call& c) {
  c.finish(c.call("aten::multilabel_margin_loss_forward",
                  {c.value(arg::self), c.value(arg::target), c.value(arg::reduction)}));
}

constexpr ops::Kernel loss_table[] = {
    {"aten::nll_loss_forward", nll_loss_forward},
    {"aten::nll_loss2d_forward", nll_loss2d_forward},
    {"aten::multi_margin_loss", multi_margin_loss},
    {"aten::multilabel_margin_loss_forward", multilabel_margin_loss_forward},
    {"aten::multilabel_margin_loss", multilabel_margin_loss},
};

}  // namespace

std::span<const ops::Kernel> loss_kernels() { return loss_table; }

}  // namespace assay::kernels::reference
