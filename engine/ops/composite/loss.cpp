#include "engine/base/error.h"
#include "engine/ops/composite/algebra.h"
#include "engine/ops/composite/families.h"

namespace assay::ops::composite {
namespace {

using core::DType;
using core::Tensor;
using core::Value;

/// PyTorch's numbers for what is done with the losses of all elements.
enum Reduction : int64_t { none = 0, mean = 1, sum = 2 };

void finish_reduced(Call& c, const Tensor& losses, int64_t reduction) {
  Algebra f(c);
  if (reduction == mean) return c.finish(Value(f.mean(losses)));
  if (reduction == sum) return c.finish(Value(f.sum(losses)));
  c.finish(Value(losses));
}

Tensor squared(const Algebra& f, const Tensor& t) { return f.mul(t, t); }

void mse_loss(Call& c) {
  Algebra f(c);
  Tensor difference = f.sub(c.value(arg::self), c.value(arg::target));
  DType dtype = difference.dtype();
  bool bfloat_on_cpu = dtype == DType::bfloat16 && c.device().type == core::DeviceType::cpu;
  base::check(core::is_floating(dtype) && !bfloat_on_cpu, "\"mse_cpu\" not implemented for '",
              core::script_name(dtype), "'");
  finish_reduced(c, squared(f, difference), c.integer(arg::reduction));
}

void l1_loss(Call& c) {
  Algebra f(c);
  finish_reduced(c, f.one("abs", f.sub(c.value(arg::self), c.value(arg::target))),
                 c.integer(arg::reduction));
}

void smooth_l1_loss(Call& c) {
  double beta = c.floating(arg::beta);
  base::check(beta >= 0, "smooth_l1_loss does not support negative values for beta.");
  if (beta == 0) return l1_loss(c);
  Algebra f(c);
  Tensor distance = f.one("abs", f.sub(c.value(arg::self), c.value(arg::target)));
  Tensor inside = f.div(f.mul(squared(f, distance), 0.5), beta);
  Tensor outside = f.sub(distance, 0.5 * beta);
  finish_reduced(c, f.where(f.lt(distance, beta), inside, outside), c.integer(arg::reduction));
}

void huber_loss(Call& c) {
  double delta = c.floating(arg::delta);
  base::check(delta > 0, "huber_loss does not support non-positive values for delta.");
  Algebra f(c);
  Tensor distance = f.one("abs", f.sub(c.value(arg::self), c.value(arg::target)));
  Tensor inside = f.mul(squared(f, distance), 0.5);
  Tensor outside = f.mul(f.sub(distance, 0.5 * delta), delta);
  finish_reduced(c, f.where(f.le(distance, delta), inside, outside), c.integer(arg::reduction));
}

void kl_div(Call& c) {
  Algebra f(c);
  const Value& input = c.value(arg::self);
  const Value& target = c.value(arg::target);
  Tensor losses;
  if (c.boolean(arg::log_target)) {
    losses = f.mul(f.one("exp", target), f.sub(target, input));
  } else {
    Tensor entropy = c.call_tensor("aten::xlogy.Tensor", {target, target});
    losses = f.sub(entropy, f.mul(target, input));
  }
  finish_reduced(c, losses, c.integer(arg::reduction));
}

/// -(y log p + (1 - y) log(1 - p)), with logarithms kept above -100.
void binary_cross_entropy(Call& c) {
  Algebra f(c);
  Tensor p = c.tensor(arg::self), y = c.tensor(arg::target);
  base::check(p.sizes() == y.sizes(), "Using a target size (", y.sizes(),
              ") that is different to the input size (", p.sizes(),
              ") is deprecated. Please ensure they have the same size.");
  Tensor outside = c.call_tensor("aten::logical_or", {f.lt(p, 0.0), f.gt(p, 1.0)});
  bool some = p.device().type != core::DeviceType::meta && p.numel() > 0 &&
              c.call("aten::is_nonzero", {f.one("any", outside)}).to_bool();
  base::check(!some, "all elements of input should be between 0 and 1");
  Tensor log_p = f.clamp_min(f.one("log", p), -100);
  Tensor log_q = f.clamp_min(f.one("log1p", f.neg(p)), -100);
  Tensor losses = f.sub(f.mul(f.sub(y, 1.0), log_q), f.mul(y, log_p));
  if (!c.is_none(arg::weight)) losses = f.mul(losses, c.value(arg::weight));
  finish_reduced(c, losses, c.integer(arg::reduction));
}

/// (1 - y) x - w log(sigmoid(x)), where w is 1 or grows with the weight of positives.
void binary_cross_entropy_with_logits(Call& c) {
  Algebra f(c);
  const Value& x = c.value(arg::self);
  const Value& y = c.value(arg::target);
  Tensor rest = f.mul(f.add(f.neg(y), 1.0), x);
  Tensor log_p = f.one("log_sigmoid", x);
  if (!c.is_none(arg::pos_weight)) {
    Tensor weight = f.add(f.mul(f.sub(c.value(arg::pos_weight), 1.0), y), 1.0);
    log_p = f.mul(weight, log_p);
  }
  Tensor losses = f.sub(rest, log_p);
  if (!c.is_none(arg::weight)) losses = f.mul(losses, c.value(arg::weight));
  finish_reduced(c, losses, c.integer(arg::reduction));
}

void poisson_nll_loss(Call& c) {
  Algebra f(c);
  const Value& input = c.value(arg::input);
  const Value& target = c.value(arg::target);
  bool log_input = c.boolean(arg::log_input), full = c.boolean(arg::full);
  double eps = c.floating(arg::eps);
  Tensor losses = log_input ? f.sub(f.one("exp", input), f.mul(target, input))
                            : f.sub(input, f.mul(target, f.one("log", f.add(input, eps))));
  if (full) {
    constexpr double two_pi = 6.283185307179586;
    Tensor stirling = f.add(f.sub(f.mul(target, f.one("log", target)), target),
                            f.mul(f.one("log", f.mul(target, two_pi)), 0.5));
    losses = f.add(losses, f.where(f.le(target, 1.0), f.like(stirling, 0), stirling));
  }
  finish_reduced(c, losses, c.integer(arg::reduction));
}

void soft_margin_loss(Call& c) {
  Algebra f(c);
  DType dtype = c.tensor(arg::self).dtype();
  base::check(core::is_floating(dtype) || core::is_complex(dtype),
              "result type Float can't be cast to the desired output type ",
              core::script_name(dtype));
  Tensor losses = f.one(
      "log", f.add(f.one("exp", f.mul(f.neg(c.value(arg::self)), c.value(arg::target))), 1.0));
  finish_reduced(c, losses, c.integer(arg::reduction));
}

void hinge_embedding_loss(Call& c) {
  Algebra f(c);
  const Value& x = c.value(arg::self);
  const Value& y = c.value(arg::target);
  Tensor zero = f.like(x, 0);
  // The margin takes the input's type, so that integers stay integers.
  Tensor room = f.sub(f.like(x, c.floating(arg::margin)), x);
  Tensor margin = c.call_tensor("aten::clamp_min", {room, int64_t{0}});
  Tensor far = f.where(f.ne(y, 1), margin, zero);
  Tensor near = f.where(f.ne(y, -1), x, zero);
  finish_reduced(c, f.add(far, near), c.integer(arg::reduction));
}

void margin_ranking_loss(Call& c) {
  Algebra f(c);
  base::check(c.tensor(arg::input1).dim() == c.tensor(arg::input2).dim() &&
                  c.tensor(arg::input1).dim() == c.tensor(arg::target).dim(),
              "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
              "input1: ",
              c.tensor(arg::input1).sizes(), ", input2: ", c.tensor(arg::input2).sizes(),
              ", target: ", c.tensor(arg::target).sizes(), " ");
  Tensor worse =
      f.mul(f.neg(c.value(arg::target)), f.sub(c.value(arg::input1), c.value(arg::input2)));
  finish_reduced(c, f.clamp_min(f.add(worse, c.floating(arg::margin)), 0),
                 c.integer(arg::reduction));
}

void cosine_embedding_loss(Call& c) {
  Algebra f(c);
  constexpr double eps = 1e-12;
  Tensor a = c.tensor(arg::input1), b = c.tensor(arg::input2), y = c.tensor(arg::target);
  bool shaped = (y.dim() == 0 || y.dim() == 1) && a.dim() == y.dim() + 1 && b.dim() == a.dim();
  base::check(shaped, y.dim() == 0 ? "0D" : "1D", " target tensor expects ", y.dim() + 1,
              "D input tensors, but found inputs with sizes ", a.sizes(), " and ", b.sizes(), ".");
  int64_t dim = y.dim();
  auto size_of = [&](const Tensor& t) { return f.add(f.sum(squared(f, t), dim), eps); };
  Tensor cosine = f.div(f.sum(f.mul(a, b), dim), f.one("sqrt", f.mul(size_of(a), size_of(b))));
  Tensor zero = f.like(cosine, 0);
  Tensor positive = f.where(f.eq(y, 1), f.add(f.neg(cosine), 1.0), zero);
  Tensor apart = f.clamp_min(f.sub(cosine, c.floating(arg::margin)), 0);
  Tensor negative = f.where(f.eq(y, -1), apart, zero);
  finish_reduced(c, f.add(positive, negative), c.integer(arg::reduction));
}

void triplet_margin_loss(Call& c) {
  Algebra f(c);
  double margin = c.floating(arg::margin), p = c.floating(arg::p), eps = c.floating(arg::eps);
  auto distance = [&](const Value& a, const Value& b) {
    return c.call_tensor("aten::pairwise_distance", {a, b, Value(p), Value(eps)});
  };
  Tensor near = distance(c.value(arg::anchor), c.value(arg::positive));
  Tensor far = distance(c.value(arg::anchor), c.value(arg::negative));
  if (c.boolean(arg::swap)) {
    far = c.call_tensor("aten::minimum",
                        {far, distance(c.value(arg::positive), c.value(arg::negative))});
  }
  finish_reduced(c, f.clamp_min(f.sub(f.add(near, margin), far), 0), c.integer(arg::reduction));
}

// Negative log likelihood and cross entropy.

void nll_loss(Call& c) {
  c.finish(c.call("aten::nll_loss_forward", {c.args.begin(), c.args.end()}));
}
void nll_loss2d(Call& c) {
  c.finish(c.call("aten::nll_loss2d_forward", {c.args.begin(), c.args.end()}));
}

void nll_loss_nd(Call& c) {
  Tensor input = c.tensor(arg::self), target = c.tensor(arg::target);
  base::check(input.dim() >= 1, "Expected 1 or more dimensions (got ", input.dim(), ")");
  base::check(input.dim() == 1 || (target.dim() > 0 && input.size(0) == target.size(0)),
              "Expected input batch_size (", input.size(0), ") to match target batch_size (",
              target.dim() > 0 ? target.size(0) : 0, ").");
  if (input.dim() <= 2) return nll_loss(c);
  if (input.dim() == 4) return nll_loss2d(c);
  int64_t n = input.size(0), classes = input.size(1);
  core::Dims wanted = input.sizes();
  wanted.erase(1);
  base::check(target.sizes() == wanted, "Expected target size ", wanted, ", got ", target.sizes());
  // Any number of further dimensions is one plane of height 1.
  int64_t plane = n * classes == 0 ? 0 : input.numel() / (n * classes);
  auto reshaped = [&](const Tensor& t, core::Dims sizes) {
    return Value(c.call("aten::reshape", {t, Value(core::make_int_list(sizes))}));
  };
  Tensor result =
      c.call_tensor("aten::nll_loss2d",
                    {reshaped(input, {n, classes, 1, plane}), reshaped(target, {n, 1, plane}),
                     c.value(arg::weight), c.value(arg::reduction), c.value(arg::ignore_index)});
  if (c.integer(arg::reduction) == none) result = reshaped(result, wanted).to_tensor();
  c.finish(Value(result));
}

/// A weight per class, shaped to multiply the input's class dimension.
Tensor class_weights(const Call& c, const Tensor& weight, const Tensor& input, int64_t class_dim) {
  core::Dims sizes(static_cast<size_t>(input.dim()), 1);
  sizes[static_cast<size_t>(class_dim)] = weight.size(0);
  return c.call_tensor("aten::view", {weight, Value(core::make_int_list(sizes))});
}

/// Targets are probabilities of every class.
void cross_entropy_of_probabilities(Call& c, const Tensor& log_p, int64_t class_dim) {
  Algebra f(c);
  Tensor target = c.tensor(arg::target);
  base::check(core::is_floating(target.dtype()),
              "Expected floating point type for target with class probabilities, got ",
              core::script_name(target.dtype()));
  base::check(c.integer(arg::ignore_index) < 0,
              "ignore_index is not supported for floating point target");
  double smoothing = c.floating(arg::label_smoothing);
  int64_t classes = log_p.size(static_cast<size_t>(class_dim));
  if (smoothing > 0) {
    target = f.add(f.mul(target, 1 - smoothing), smoothing / static_cast<double>(classes));
  }
  Tensor product = f.mul(log_p, target);
  if (!c.is_none(arg::weight))
    product = f.mul(product, class_weights(c, c.tensor(arg::weight), log_p, class_dim));
  if (c.integer(arg::reduction) == none) return c.finish(Value(f.neg(f.sum(product, class_dim))));
  Tensor total = f.neg(f.sum(product));
  if (c.integer(arg::reduction) == sum) return c.finish(Value(total));
  int64_t count = classes == 0 ? 0 : log_p.numel() / classes;
  c.finish(Value(f.div(total, static_cast<double>(count))));
}

/// The part of a label-smoothed loss that treats all classes alike.
Tensor smooth_part(const Call& c, const Tensor& log_p, int64_t class_dim) {
  Algebra f(c);
  const Value& target = c.value(arg::target);
  Tensor weight = c.tensor(arg::weight);
  Tensor scaled = weight ? f.mul(log_p, class_weights(c, weight, log_p, class_dim)) : log_p;
  Tensor ignored = f.eq(target, c.integer(arg::ignore_index));
  Tensor losses = f.neg(f.sum(scaled, class_dim));
  losses = f.where(ignored, f.like(losses, 0), losses);
  if (c.integer(arg::reduction) == none) return losses;
  if (c.integer(arg::reduction) == sum) return f.sum(losses);
  Tensor kept = c.call_tensor("aten::logical_not", {ignored});
  if (!weight) return f.div(f.sum(losses), f.sum(kept));
  Tensor chosen = c.call_tensor("aten::masked_select", {target, kept});
  return f.div(f.sum(losses), f.sum(c.call_tensor("aten::gather", {weight, 0, chosen})));
}

void cross_entropy_loss(Call& c) {
  Algebra f(c);
  Tensor input = c.tensor(arg::self), target = c.tensor(arg::target);
  base::check(input.dim() > 0, "Expected 1 or more dimensions (got 0)");
  int64_t class_dim = input.dim() == 1 ? 0 : 1;
  double smoothing = c.floating(arg::label_smoothing);
  base::check(smoothing >= 0 && smoothing <= 1,
              "label_smoothing must be between 0.0 and 1.0. Got: ", smoothing);
  Tensor log_p =
      c.call_tensor("aten::log_softmax.int",
                    {input, Value(class_dim), Value(static_cast<int64_t>(input.dtype()))});
  if (input.sizes() == target.sizes()) {
    return cross_entropy_of_probabilities(c, log_p, class_dim);
  }
  Tensor plain =
      c.call_tensor("aten::nll_loss_nd", {log_p, c.value(arg::target), c.value(arg::weight),
                                          c.value(arg::reduction), c.value(arg::ignore_index)});
  if (smoothing == 0) return c.finish(Value(plain));
  double share = smoothing / static_cast<double>(log_p.size(static_cast<size_t>(class_dim)));
  c.finish(
      Value(f.add(f.mul(plain, 1 - smoothing), f.mul(smooth_part(c, log_p, class_dim), share))));
}

/// Alignments of a text with steps of time; lengths are lists, or tensors wherever they are.
void ctc_loss(Call& c) {
  Algebra f(c);
  Tensor log_probs = c.tensor(arg::log_probs);
  bool batched = log_probs.dim() == 3, listed = !c.value(arg::target_lengths).is_tensor();
  if (!batched) log_probs = c.call_tensor("aten::unsqueeze", {log_probs, 1});
  auto moved = [&](ArgName name) {
    Value v = c.value(name);
    if (!v.is_tensor()) return v;
    DType dtype = v.to_tensor().dtype();
    base::check(name == arg::targets || (core::is_integral(dtype, false)), name.text(),
                " must be integral");
    return c.call("aten::to.device",
                  {v, log_probs.device(), static_cast<int64_t>(DType::int64), false, false, {}});
  };
  Value wanted = moved(arg::target_lengths);
  const char* plain = listed ? "aten::_ctc_loss" : "aten::_ctc_loss.Tensor";
  Tensor losses = c.call_tensor(plain, {log_probs, moved(arg::targets), moved(arg::input_lengths),
                                        wanted, c.value(arg::blank), c.value(arg::zero_infinity)});
  if (c.boolean(arg::zero_infinity))
    losses = f.where(f.eq(losses, INFINITY), f.like(losses, 0), losses);
  int64_t reduction = c.integer(arg::reduction);
  if (reduction == mean) {
    auto dtype = static_cast<int64_t>(losses.dtype());
    Tensor lengths = listed ? c.call_tensor("aten::tensor", {wanted, dtype, losses.device(), false})
                            : c.call_tensor("aten::to.dtype", {wanted, dtype});
    losses = f.div(losses, f.clamp_min(lengths, 1));
  }
  if (reduction == none && !batched) losses = c.call_tensor("aten::squeeze.dim", {losses, 0});
  finish_reduced(c, losses, reduction);
}

constexpr Kernel loss_table[] = {
    {"aten::ctc_loss.IntList", ctc_loss},
    {"aten::ctc_loss.Tensor", ctc_loss},
    {"aten::mse_loss", mse_loss},
    {"aten::l1_loss", l1_loss},
    {"aten::smooth_l1_loss", smooth_l1_loss},
    {"aten::huber_loss", huber_loss},
    {"aten::kl_div", kl_div},
    {"aten::binary_cross_entropy", binary_cross_entropy},
    {"aten::binary_cross_entropy_with_logits", binary_cross_entropy_with_logits},
    {"aten::poisson_nll_loss", poisson_nll_loss},
    {"aten::soft_margin_loss", soft_margin_loss},
    {"aten::hinge_embedding_loss", hinge_embedding_loss},
    {"aten::margin_ranking_loss", margin_ranking_loss},
    {"aten::cosine_embedding_loss", cosine_embedding_loss},
    {"aten::triplet_margin_loss", triplet_margin_loss},
    {"aten::nll_loss", nll_loss},
    {"aten::nll_loss2d", nll_loss2d},
    {"aten::nll_loss_nd", nll_loss_nd},
    {"aten::cross_entropy_loss", cross_entropy_loss},
};

}  // namespace

std::span<const Kernel> loss_composites() { return loss_table; }

}  // namespace assay::ops::composite
