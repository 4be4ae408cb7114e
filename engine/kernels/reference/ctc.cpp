// Connectionist temporal classification: Graves, Fernández, Gomez and Schmidhuber 2006.

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/checked.h"
#include "engine/base/deadline.h"
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

constexpr double impossible = -std::numeric_limits<double>::infinity();

/// Logarithm of the sum of three probabilities, which are logarithms themselves.
double add_chances(double a, double b, double c = impossible) {
  double most = std::max({a, b, c});
  if (most == impossible) most = 0;
  return std::log(std::exp(a - most) + std::exp(b - most) + std::exp(c - most)) + most;
}

/// One line of text: its labels, with a blank before, between and behind them.
class Line {
 public:
  Line(std::span<const int64_t> labels, int64_t blank) : labels_(labels), blank_(blank) {}
  size_t size() const { return 2 * labels_.size() + 1; }
  size_t operator[](size_t s) const {
    return static_cast<size_t>(s % 2 == 0 ? blank_ : labels_[s / 2]);
  }
  /// Whether the place can follow the one two before it: another label behind a blank.
  bool may_skip_to(size_t s) const { return s > 1 && (*this)[s - 2] != (*this)[s]; }

 private:
  std::span<const int64_t> labels_;
  int64_t blank_;
};

struct Sizes {
  int64_t steps, batch, labels;
  Dims given, wanted;  ///< Of each member of the batch: steps, and labels of its line.
};

/// Where each line begins among the targets: one behind the other, or in rows.
Dims beginnings(const Sizes& n, const Tensor& targets) {
  Dims starts;
  int64_t at = 0, longest = 0;
  for (int64_t length : n.wanted) {
    starts.push_back(targets.dim() == 1 ? at
                                        : static_cast<int64_t>(starts.size()) * targets.size(1));
    at = base::checked_add(at, length);
    longest = std::max(longest, length);
  }
  if (targets.dim() == 1) {
    base::check(targets.size(0) == at, "ctc_loss: there are ", targets.size(0),
                " targets in a row, and their lengths add up to ", at);
  } else {
    base::check(targets.size(0) == n.batch && targets.size(1) >= longest, "ctc_loss: targets of ",
                targets.sizes(), " are too few for ", n.batch, " lines of up to ", longest);
  }
  return starts;
}

/// A list, or a tensor of integers.
Dims lengths(const Call& c, ops::ArgName name) {
  if (!c.value(name).is_tensor()) return c.ints(name);
  Tensor t = c.tensor(name);
  base::check(core::is_integral(t.dtype(), false), "ctc_loss: lengths must be integral");
  auto values = dense<int64_t>(t).values;
  return Dims(values.begin(), values.end());
}

Sizes sizes_of(const Call& c, const Tensor& log_probs, const Tensor& targets) {
  base::check(core::is_floating(log_probs.dtype()) && log_probs.dtype() != DType::float16 &&
                  log_probs.dtype() != DType::bfloat16,
              "\"ctc_loss_cpu\" not implemented for '", core::script_name(log_probs.dtype()), "'");
  base::check(targets.dtype() == DType::int64 || targets.dtype() == DType::int32,
              "ctc_loss: targets are integers of 32 or 64 bits, not ",
              core::script_name(targets.dtype()));
  base::check(log_probs.dim() == 3 && (targets.dim() == 1 || targets.dim() == 2),
              "ctc_loss: expected log_probs of (time, batch, labels) and targets of one or two "
              "dimensions, got ",
              log_probs.sizes(), " and ", targets.sizes());
  Sizes n{log_probs.size(0), log_probs.size(1), log_probs.size(2), lengths(c, arg::input_lengths),
          lengths(c, arg::target_lengths)};
  auto batch = static_cast<size_t>(n.batch);
  base::check(n.given.size() == batch && n.wanted.size() == batch,
              "ctc_loss: there must be a length of input and of target for each of ", n.batch);
  base::check(n.steps > 0, "ctc_loss: there are no steps of time");
  for (int64_t length : n.given) {
    base::check(length >= 1 && length <= n.steps, "ctc_loss: an input length of ", length,
                " among ", n.steps, " steps");
  }
  for (int64_t length : n.wanted) base::check(length >= 0, "ctc_loss: a target length of ", length);
  return n;
}

/// Fills alpha, (time, place in the line), with the logarithms of the chances to be there, and
/// returns the negative logarithm of the chance to have reached the end.
double walk(const Line& line, std::span<double> alpha, size_t width, size_t steps,
            const double* log_probs, size_t step) {
  base::DeadlineTicker deadline;
  alpha[0] = log_probs[line[0]];
  if (line.size() > 1) alpha[1] = log_probs[line[1]];
  for (size_t t = 1; t < steps; ++t) {
    const double* before = alpha.data() + (t - 1) * width;
    for (size_t s = 0; s < line.size(); ++s) {
      deadline.tick();
      double chance = add_chances(before[s], s > 0 ? before[s - 1] : impossible,
                                  line.may_skip_to(s) ? before[s - 2] : impossible);
      alpha[t * width + s] = chance + log_probs[t * step + line[s]];
    }
  }
  const double* last = alpha.data() + (steps - 1) * width + line.size() - 1;
  return line.size() == 1 ? -last[0] : -add_chances(last[0], last[-1]);
}

void ctc_loss(Call& c) {
  Tensor log_probs = c.tensor(arg::log_probs), targets = c.tensor(arg::targets);
  Sizes n = sizes_of(c, log_probs, targets);
  int64_t blank = c.integer(arg::blank);
  base::check(blank >= 0 && blank < n.labels, "ctc_loss: the blank ", blank, " is none of ",
              n.labels, " labels");
  Dims starts = beginnings(n, targets);
  auto labels = dense<int64_t>(targets);
  for (int64_t label : labels.values)
    base::check(label >= 0 && label < n.labels, "ctc_loss: the target ", label, " is none of ",
                n.labels, " labels");
  int64_t longest = n.wanted.empty() ? 0 : *std::max_element(n.wanted.begin(), n.wanted.end());
  int64_t width = base::checked_add(base::checked_mul(2, longest), 1);
  Tensor loss = c.new_empty(Dims{n.batch}, log_probs.dtype()),
         chances = c.new_empty(Dims{n.batch, n.steps, width}, log_probs.dtype());
  auto given = dense<double>(log_probs);
  Dense<double> losses(loss.sizes()), alpha(chances.sizes(), impossible);
  auto area = static_cast<size_t>(n.steps * width);
  for (size_t b = 0; b < n.wanted.size(); ++b) {
    std::span<const int64_t> all(labels.values);
    Line line(all.subspan(static_cast<size_t>(starts[b]), static_cast<size_t>(n.wanted[b])), blank);
    losses.values[b] =
        walk(line, std::span(alpha.values).subspan(b * area, area), static_cast<size_t>(width),
             static_cast<size_t>(n.given[b]), given.data() + b * static_cast<size_t>(n.labels),
             static_cast<size_t>(n.batch * n.labels));
  }
  store(losses, loss);
  store(alpha, chances);
  c.finish(core::Values{loss, chances});
}

constexpr ops::Kernel ctc_table[] = {{"aten::_ctc_loss", ctc_loss},
                                     {"aten::_ctc_loss.Tensor", ctc_loss}};

}  // namespace

std::span<const ops::Kernel> ctc_kernels() { return ctc_table; }

}  // namespace assay::kernels::reference
