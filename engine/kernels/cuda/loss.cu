// Losses of class numbers: what the scores of a sample say to the classes that are right. The ones
// that compare element with element are composites of pointwise operators.

#include <cmath>

#include "engine/base/error.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/layout.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

enum Reduced : int64_t { none = 0, mean = 1, sum = 2 };

/// Elements one behind the other, of a type known when the kernel runs.
struct Elements {
  std::byte* data = nullptr;
  DType dtype = DType::float32;
  int64_t count = 0;
  int64_t item = 0;

  Elements() = default;
  explicit Elements(const Tensor& t)
      : data(t.device_address()),
        dtype(t.dtype()),
        count(t.numel()),
        item(static_cast<int64_t>(t.item_size())) {}
  template <typename C>
  ASSAY_ANYWHERE C at(int64_t i) const {
    return load<C>(data + i * item, dtype);
  }
  template <typename C>
  ASSAY_ANYWHERE void set(int64_t i, C value) const {
    store(data + i * item, dtype, value);
  }
};

Elements elements_of(const Call& c, const Tensor& t, Tensor& kept) {
  if (!t) return Elements();
  kept = contiguous(c, t);
  return Elements(kept);
}

/// Sums are kept in double, which costs nothing beside reading the elements.
struct WeighedLoss {
  double loss, weight;
};

/// The negative logarithm of the chance that a sample's scores give to its class.
struct ClassLoss {
  const std::byte* scores;
  DType dtype;
  int64_t sample_step, class_step, row_step, column_step;  // In bytes.
  Divider plane, width;
  bool narrow;
  int64_t classes, ignored;
  Elements targets, weights;
  Reporter report;

  ASSAY_ANYWHERE WeighedLoss of(int64_t i) const {
    int64_t t = targets.at<int64_t>(i);
    if (t == ignored || !report.within(t, classes)) return {0, 0};
    int64_t sample = plane.divide(i, narrow), place = i - sample * plane.divisor();
    int64_t row = width.divide(place, narrow), column = place - row * width.divisor();
    int64_t offset = sample * sample_step + t * class_step + row * row_step + column * column_step;
    double weight = weights.data == nullptr ? 1 : weights.at<double>(t);
    return {-load<double>(scores + offset, dtype) * weight, weight};
  }
};

/// Every loss for itself.
struct EachClassLoss {
  ClassLoss losses;
  Elements out;
  Layout<1> layout;
  std::byte* total_weight;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    if (i < layout.count) {
      double loss = losses.targets.count > 0 ? losses.of(i).loss : 0;
      store(out.data + layout.offsets(i).of[0], out.dtype, loss);
    } else {
      store(total_weight, out.dtype, 0.0);
    }
  }
};

struct AllClassLosses {
  ClassLoss losses;
  Elements out, total_weight;
  bool averages;

  ASSAY_ANYWHERE WeighedLoss start() const { return {0, 0}; }
  ASSAY_ANYWHERE WeighedLoss load(int64_t, int64_t i) const { return losses.of(i); }
  ASSAY_ANYWHERE WeighedLoss join(WeighedLoss a, WeighedLoss b) const {
    return {a.loss + b.loss, a.weight + b.weight};
  }
  ASSAY_ANYWHERE void finish(int64_t, WeighedLoss total) const {
    out.set(0, averages ? total.loss / total.weight : total.loss);
    total_weight.set(0, total.weight);
  }
};

void check_class_targets(const Tensor& scores, const Tensor& target) {
  base::check(target.dtype() == DType::int64 || target.dtype() == DType::uint8,
              "expected scalar type Long but found ", core::script_name(target.dtype()));
  base::check(core::is_floating(scores.dtype()), "\"nll_loss_out_frame\" not implemented for '",
              core::script_name(scores.dtype()), "'");
}

void check_long(const Tensor& target) {
  base::check(target.dtype() == DType::int64, "expected scalar type Long but found ",
              core::script_name(target.dtype()));
}

/// Scores of one sample, of samples, or of the pixels of images.
ClassLoss class_loss_of(const Call& c, const Queue& queue) {
  Tensor scores = c.tensor(arg::self);
  auto item = static_cast<int64_t>(scores.item_size());
  ClassLoss loss{};
  loss.scores = scores.device_address();
  loss.dtype = scores.dtype();
  size_t class_dim = scores.dim() == 1 ? 0 : 1;
  loss.classes = scores.size(class_dim);
  loss.class_step = scores.stride(class_dim) * item;
  loss.sample_step = class_dim == 0 ? 0 : scores.stride(0) * item;
  if (scores.dim() == 4) {
    loss.row_step = scores.stride(2) * item;
    loss.column_step = scores.stride(3) * item;
    loss.width = Divider(std::max<int64_t>(scores.size(3), 1));
    loss.plane = Divider(std::max<int64_t>(scores.size(2) * scores.size(3), 1));
  }
  loss.narrow = scores.numel() < (int64_t{1} << 31);
  loss.ignored = c.integer(arg::ignore_index);
  loss.report = queue.report;
  return loss;
}

void negative_log_likelihood(Call& c) {
  Tensor target = c.tensor(arg::target), out = c.out(0), kept_target, kept_weight;
  check_class_targets(c.tensor(arg::self), target);
  Queue queue = queue_of(c);
  ClassLoss losses = class_loss_of(c, queue);
  losses.targets = elements_of(c, target, kept_target);
  losses.weights = elements_of(c, c.tensor(arg::weight), kept_weight);
  // Scores of one sample: only the first target counts, however many there are.
  int64_t count = target.numel();
  if (c.tensor(arg::self).dim() == 1) count = std::min<int64_t>(count, 1);
  int64_t reduction = c.integer(arg::reduction);
  if (reduction == none) {
    auto layout = Layout<1>::of(out.sizes(), {out}, true);
    for_each(queue, layout.count + 1,
             EachClassLoss{losses, Elements(out), layout, c.out(1).device_address()});
  } else {
    reduce(c, queue, 1, count,
           AllClassLosses{losses, Elements(out), Elements(c.out(1)), reduction == mean});
  }
}

/// What samples lost, joined.
struct JoinedLosses {
  const double* losses;
  Elements out;
  double divisor;

  ASSAY_ANYWHERE double start() const { return 0; }
  ASSAY_ANYWHERE double load(int64_t, int64_t i) const { return losses[i]; }
  ASSAY_ANYWHERE double join(double a, double b) const { return a + b; }
  ASSAY_ANYWHERE void finish(int64_t, double total) const { out.set(0, total / divisor); }
};

/// Where losses per sample go: into the result, or to be joined there.
class SampleLosses {
 public:
  SampleLosses(const Call& c, int64_t samples, core::DimSpan sizes, DType dtype)
      : reduction_(c.integer(arg::reduction)),
        samples_(samples),
        out_(c.new_empty(reduction_ == none ? sizes : core::DimSpan{}, dtype)) {
    if (reduction_ == none) return;
    room_ = Tensor::empty(core::Dims{samples}, DType::float64, c.device());
  }

  Elements each() const { return Elements(room_ ? room_ : out_); }
  Tensor joined(const Call& c, const Queue& queue) const {
    if (reduction_ != none) {
      double divisor = reduction_ == mean ? static_cast<double>(samples_) : 1.0;
      reduce(c, queue, 1, samples_,
             JoinedLosses{room_.device_data<double>(), Elements(out_), divisor});
    }
    return out_;
  }

 private:
  int64_t reduction_, samples_;
  Tensor out_, room_;
};

/// max(0, margin - x[target] + x[i])^p over the other classes, divided by their number.
struct MarginLoss {
  Elements x, targets, weights, losses;
  int64_t classes;
  double margin;
  bool squares;
  Reporter report;

  ASSAY_ANYWHERE double start() const { return 0; }
  ASSAY_ANYWHERE double load(int64_t row, int64_t i) const {
    int64_t t = targets.at<int64_t>(row);
    if (!report.within(t, classes) || t == i) return 0;
    double gap = margin - x.at<double>(row * classes + t) + x.at<double>(row * classes + i);
    if (gap <= 0) return 0;
    double term = squares ? gap * gap : gap;
    if (weights.data == nullptr) return term;
    return report.within(t, weights.count) ? term * weights.at<double>(t) : 0;
  }
  ASSAY_ANYWHERE double join(double a, double b) const { return a + b; }
  ASSAY_ANYWHERE void finish(int64_t row, double total) const {
    losses.set(row, total / static_cast<double>(classes));
  }
};

void multi_margin_loss(Call& c) {
  Tensor input = c.tensor(arg::self), target = c.tensor(arg::target), kept[3];
  int64_t p = c.scalar(arg::p).to_int();
  base::check(p == 1 || p == 2, "only p == 1 and p == 2 supported");
  int64_t classes = input.dim() == 0 ? 1 : input.sizes().back();
  base::check(input.dim() <= 2 && classes != 0,
              "Expected non-empty vector or matrix with optional 0-dim batch "
              "size, but got: ",
              input.sizes());
  int64_t batch = input.dim() == 2 ? input.size(0) : 1;
  base::check(target.dim() <= 1 && target.numel() == batch, "inconsistent target size, expected ",
              batch, " but got ", target.sizes());
  check_long(target);
  Queue queue = queue_of(c);
  SampleLosses losses(c, batch, target.sizes(), input.dtype());
  MarginLoss loss{elements_of(c, input, kept[0]),
                  elements_of(c, target, kept[1]),
                  elements_of(c, c.tensor(arg::weight), kept[2]),
                  losses.each(),
                  classes,
                  c.floating(arg::margin),
                  p == 2,
                  queue.report};
  reduce(c, queue, batch, classes, loss);
  c.finish(core::Value(losses.joined(c, queue)));
}

/// How many targets come before the first that is negative; clears the flags on the way.
struct CountTargets {
  Elements targets, flags;
  int64_t classes;
  int64_t* counts;

  ASSAY_ANYWHERE int64_t start() const { return classes; }
  ASSAY_ANYWHERE int64_t load(int64_t row, int64_t i) const {
    flags.set(row * classes + i, 0.0);
    return targets.at<int64_t>(row * classes + i) < 0 ? i : classes;
  }
  ASSAY_ANYWHERE int64_t join(int64_t a, int64_t b) const { return a < b ? a : b; }
  ASSAY_ANYWHERE void finish(int64_t row, int64_t count) const { counts[row] = count; }
};

struct FlagTargets {
  Elements targets, flags;
  int64_t classes;
  const int64_t* counts;
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t row = i / classes;
    if (i - row * classes >= counts[row]) return;
    int64_t t = targets.at<int64_t>(i);
    if (report.within(t, classes)) flags.set(row * classes + t, 1.0);
  }
};

/// Pairs of a target class and another class that are not 1 apart; targets end at -1.
struct ManyMarginsLoss {
  Elements x, targets, flags, losses;
  int64_t classes;
  const int64_t* counts;

  ASSAY_ANYWHERE double start() const { return 0; }
  ASSAY_ANYWHERE double load(int64_t row, int64_t i) const {
    int64_t first = row * classes;
    if (flags.at<double>(first + i) != 0) return 0;
    double other = x.at<double>(first + i), loss = 0;
    for (int64_t k = 0; k < counts[row]; ++k) {
      int64_t t = targets.at<int64_t>(first + k);
      if (t < classes) loss += std::fmax(0.0, 1 - x.at<double>(first + t) + other);
    }
    return loss;
  }
  ASSAY_ANYWHERE double join(double a, double b) const { return a + b; }
  ASSAY_ANYWHERE void finish(int64_t row, double total) const {
    losses.set(row, total / static_cast<double>(classes));
  }
};

void multilabel_margin_loss_forward(Call& c) {
  Tensor input = c.tensor(arg::self), target = c.tensor(arg::target), kept[2];
  base::check(input.dim() <= 2 && input.sizes() == target.sizes(),
              "inconsistent target size: ", target.sizes(), " for input of size: ", input.sizes());
  check_long(target);
  int64_t classes = input.dim() == 0 ? 1 : input.sizes().back();
  int64_t batch = input.dim() == 2 ? input.size(0) : 1;
  core::Dims per_sample;
  if (input.dim() == 2) per_sample.push_back(input.size(0));
  Queue queue = queue_of(c);
  SampleLosses losses(c, batch, per_sample, input.dtype());
  Tensor flags = c.new_empty(target.sizes(), input.dtype());
  Tensor counts = Tensor::empty(core::Dims{batch}, DType::int64, c.device());
  Elements x = elements_of(c, input, kept[0]), targets = elements_of(c, target, kept[1]);
  auto* count = counts.device_data<int64_t>();
  reduce(c, queue, batch, classes, CountTargets{targets, Elements(flags), classes, count});
  for_each(queue, batch * classes,
           FlagTargets{targets, Elements(flags), classes, count, queue.report});
  reduce(c, queue, batch, classes,
         ManyMarginsLoss{x, targets, Elements(flags), losses.each(), classes, count});
  c.finish(core::Value(losses.joined(c, queue)));
  c.results.push_back(flags);
}

void multilabel_margin_loss(Call& c) {
  c.finish(c.call("aten::multilabel_margin_loss_forward",
                  {c.value(arg::self), c.value(arg::target), c.value(arg::reduction)}));
}

constexpr ops::Kernel loss_table[] = {
    {"aten::nll_loss_forward", negative_log_likelihood},
    {"aten::nll_loss2d_forward", negative_log_likelihood},
    {"aten::multi_margin_loss", multi_margin_loss},
    {"aten::multilabel_margin_loss_forward", multilabel_margin_loss_forward},
    {"aten::multilabel_margin_loss", multilabel_margin_loss},
};

}  // namespace

std::span<const ops::Kernel> loss_kernels() { return loss_table; }

}  // namespace assay::kernels::cuda
