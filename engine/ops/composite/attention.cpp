// PyTorch's fused attention, as the steps it is made of.

#include <cmath>

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/ops/composite/families.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::ops::composite {
namespace {

using core::Dims;
using core::Tensor;
using core::Value;

Tensor linear(const Call& c, const Tensor& x, const Tensor& w, const Tensor& b = {}) {
  return c.call_tensor("aten::linear", {x, w, b});
}
Tensor matmul(const Call& c, const Tensor& a, const Tensor& b) {
  return c.call_tensor("aten::matmul", {a, b});
}
Tensor add(const Call& c, const Tensor& a, const Tensor& b) {
  return c.call_tensor("aten::add.Tensor", {a, b, 1});
}
Tensor softmax(const Call& c, const Tensor& t) {
  return c.call_tensor("aten::softmax.int", {t, -1, {}});
}

struct Attention {
  Tensor qkv_weight, qkv_bias, proj_weight, proj_bias, mask;
  int64_t embed_dim, heads;
  Value mask_type;
};

void check_attention(const Attention& a, const Tensor& query) {
  base::check(query.dim() == 3, "expected 3-D `query`, got ", query.dim(), "-D tensor");
  base::check(query.size(2) == a.embed_dim, "passed-in embed_dim ", a.embed_dim,
              " didn't match last dim of query ", query.size(2));
  int64_t rows = base::checked_mul(3, a.embed_dim);
  base::check(a.qkv_weight.dim() == 2 && a.qkv_weight.size(0) == rows,
              "expected `qkv_weight` first dim to be 3x embed_dim");
  base::check(a.qkv_bias.dim() == 1 && a.qkv_bias.size(0) == rows,
              "expected `qkv_bias` first dim and first dim of query to be equal");
  base::check(a.heads > 0 && a.embed_dim % a.heads == 0,
              "`embed_dim` must divide evenly by `num_heads`");
}

/// (batch, time, 3 * embed): the projections of query, key and value beside each other.
Tensor project(const Call& c, const Attention& a, const Tensor& query, const Tensor& key,
               const Tensor& value) {
  if (query.same(key) && key.same(value)) return linear(c, query, a.qkv_weight);
  std::vector<Tensor> parts;
  const Tensor* inputs[] = {&query, &key, &value};
  for (int64_t i = 0; i < 3; ++i) {
    Tensor weight = views::narrow(a.qkv_weight, 0, i * a.embed_dim, a.embed_dim);
    parts.push_back(linear(c, *inputs[i], weight));
  }
  return c.call_tensor("aten::cat", {core::make_tensor_list(parts), -1});
}

/// Scores to weights; a mask of (batch, time) hides keys, one of the scores' shape hides scores.
Tensor weights_of(const Call& c, const Attention& a, const Tensor& scores) {
  if (!a.mask) return softmax(c, scores);
  Tensor mask = a.mask;
  if (mask.dtype() != core::DType::boolean) {
    mask = c.call_tensor("aten::to.dtype",
                         {mask, static_cast<int64_t>(core::DType::boolean), false, false, {}});
  }
  if (mask.dim() == 2) {
    base::check(mask.size(0) == scores.size(0) && mask.size(1) == scores.size(3),
                "the mask of shape ", mask.sizes(), " does not fit scores of shape ",
                scores.sizes());
    mask = views::unsqueeze(views::unsqueeze(mask, 1), 1);
    mask = c.call_tensor("aten::contiguous", {views::expand(mask, scores.sizes()), 0});
  }
  return c.call_tensor("aten::_masked_softmax", {scores, mask, 3, a.mask_type});
}

/// The attended values, projected, and the weights (batch, heads, time, time).
std::pair<Tensor, Tensor> attend(const Call& c, const Attention& a, const Tensor& query,
                                 const Tensor& key, const Tensor& value) {
  check_attention(a, query);
  Tensor qkv = project(c, a, query, key, value);
  auto parts = ops::call(c.context, get_operator("aten::_transform_bias_rescale_qkv"),
                         std::vector<Value>{qkv, a.qkv_bias, a.heads});
  Tensor q = parts[0].to_tensor(), k = parts[1].to_tensor(), v = parts[2].to_tensor();
  Tensor weights = weights_of(c, a, matmul(c, q, views::transpose(k, -2, -1)));
  Tensor attended = views::transpose(matmul(c, weights, v), 1, 2);
  Tensor flat = c.call_tensor("aten::reshape", {attended, core::make_int_list(query.sizes())});
  return {linear(c, flat, a.proj_weight, a.proj_bias), weights};
}

/// (query, key, value, embed_dim, heads, qkv_weight, qkv_bias, proj_weight, proj_bias, mask,
/// need_weights, average, mask_type)
void native_multi_head_attention(Call& c) {
  Attention a{c.tensor(arg::qkv_weight), c.tensor(arg::qkv_bias), c.tensor(arg::proj_weight),
              c.tensor(arg::proj_bias),  c.tensor(arg::mask),     c.integer(arg::embed_dim),
              c.integer(arg::num_head),  c.value(arg::mask_type)};
  auto [out, weights] =
      attend(c, a, c.tensor(arg::query), c.tensor(arg::key), c.tensor(arg::value));
  Value second;
  if (c.boolean(arg::need_weights)) {
    second = weights;
    if (c.boolean(arg::average_attn_weights)) {
      Tensor sum = c.call_tensor("aten::sum.dim_IntList",
                                 {weights, core::make_int_list(Dims{1}), false, {}});
      second = c.call("aten::div.Scalar", {sum, a.heads});
    }
  }
  c.finish({out, second});
}

void transformer_encoder_layer(Call& c) {
  Attention a{c.tensor(arg::qkv_weight), c.tensor(arg::qkv_bias), c.tensor(arg::proj_weight),
              c.tensor(arg::proj_bias),  c.tensor(arg::mask),     c.integer(arg::embed_dim),
              c.integer(arg::num_heads), c.value(arg::mask_type)};
  Tensor src = c.tensor(arg::src);
  if (src.numel() == 0) return c.finish(src);
  bool norm_first = c.boolean(arg::norm_first);
  auto norm = [&](const Tensor& x, ArgName weight, ArgName bias) {
    return c.call_tensor("aten::layer_norm",
                         {x, core::make_int_list(Dims{a.embed_dim}), c.tensor(weight),
                          c.tensor(bias), c.floating(arg::eps), true});
  };
  auto first_norm = [&](const Tensor& x) { return norm(x, arg::norm_weight_1, arg::norm_bias_1); };
  auto second_norm = [&](const Tensor& x) { return norm(x, arg::norm_weight_2, arg::norm_bias_2); };
  Tensor x = norm_first ? first_norm(src) : src;
  x = add(c, attend(c, a, x, x, x).first, src);
  if (!norm_first) x = first_norm(x);
  Tensor before = x;
  if (norm_first) x = second_norm(x);
  x = linear(c, x, c.tensor(arg::ffn_weight_1), c.tensor(arg::ffn_bias_1));
  x = c.boolean(arg::use_gelu) ? c.call_tensor("aten::gelu", {x, "none"})
                               : c.call_tensor("aten::relu", {x});
  x = add(c, linear(c, x, c.tensor(arg::ffn_weight_2), c.tensor(arg::ffn_bias_2)), before);
  c.finish(norm_first ? x : second_norm(x));
}

/// softmax(query key' scale + mask), as PyTorch's "math" path: both factors are scaled by the root
/// of the scale.
Tensor attention_weights(const Call& c, const Tensor& q, const Tensor& k, double whole_scale) {
  Tensor mask = c.tensor(arg::attn_mask);
  base::check(q.dim() >= 2 && k.dim() >= 2,
              "scaled_dot_product_attention: expected at least 2 "
              "dimensions, got ",
              q.dim(), " and ", k.dim());
  bool causal = c.boolean(arg::is_causal);
  base::check(!causal || !mask,
              "_scaled_dot_product_attention: Explicit attn_mask should not be set when "
              "is_causal=True");
  double scale = std::sqrt(whole_scale);
  auto scaled = [&](const Tensor& t) { return c.call_tensor("aten::mul.Scalar", {t, scale}); };
  if (causal) {
    auto rank = static_cast<size_t>(q.dim());
    Value sizes = core::make_int_list(Dims{q.size(rank - 2), k.size(rank - 2)});
    Tensor ones = c.call_tensor(
        "aten::ones", {sizes, static_cast<int64_t>(core::DType::boolean), {}, q.device(), {}});
    mask = c.call_tensor("aten::tril", {ones, 0});
  }
  Tensor scores = matmul(c, scaled(q), views::transpose(scaled(k), -2, -1));
  if (mask && mask.dtype() == core::DType::boolean) {
    Tensor hidden = c.call_tensor("aten::logical_not", {mask});
    scores = c.call_tensor("aten::masked_fill.Scalar", {scores, hidden, -INFINITY});
  } else if (mask) {
    scores = add(c, scores, mask);
  }
  return softmax(c, scores);
}

double usual_scale(const Tensor& q) { return 1 / std::sqrt(static_cast<double>(q.sizes().back())); }

Tensor dropped(const Call& c, const Tensor& weights) {
  double p = c.floating(arg::dropout_p);
  return p > 0 ? c.call_tensor("aten::dropout", {weights, p, true}) : weights;
}

void attention_with_weights(Call& c) {
  Tensor q = c.tensor(arg::query);
  base::check(q.dim() >= 2, "scaled_dot_product_attention: expected at least 2 dimensions, got ",
              q.dim());
  Tensor weights = dropped(c, attention_weights(c, q, c.tensor(arg::key), usual_scale(q)));
  // Whether they were asked for or not: need_attn_weights only lets other kernels be chosen.
  c.finish({matmul(c, weights, c.tensor(arg::value)), Value(weights)});
}

/// Groups of query heads share a head of keys and values.
Tensor for_each_head(const Call& c, const Tensor& t, const Tensor& q) {
  base::check(q.dim() >= 3 && t.dim() >= 3,
              "scaled_dot_product_attention: grouped heads need three dimensions or more, got ",
              q.dim(), " and ", t.dim());
  int64_t heads = q.size(q.sizes().size() - 3), own = t.size(t.sizes().size() - 3);
  base::check(own > 0 && heads % own == 0, "scaled_dot_product_attention: ", heads,
              " heads of queries are no multiple of ", own);
  return c.call_tensor("aten::repeat_interleave.self_int", {t, heads / own, -3, {}});
}

/// PyTorch 2's public function: a query that may see nothing gets zeros.
void scaled_dot_product_attention(Call& c) {
  Tensor q = c.tensor(arg::query), k = c.tensor(arg::key), v = c.tensor(arg::value),
         mask = c.tensor(arg::attn_mask);
  base::check(q.dim() >= 2, "scaled_dot_product_attention: expected at least 2 dimensions, got ",
              q.dim());
  base::check(q.dtype() == k.dtype() && k.dtype() == v.dtype(),
              "Expected query, key, and value to have the same dtype");
  base::check(core::is_floating(q.dtype()),
              "scaled_dot_product_attention: expected floating point "
              "numbers, got ",
              core::script_name(q.dtype()));
  base::check(!mask || mask.dtype() == core::DType::boolean || mask.dtype() == q.dtype() ||
                  mask.dtype() == core::DType::float32,
              "Expected attn_mask dtype to be bool or float or to match query dtype");
  if (c.boolean(arg::enable_gqa)) {
    k = for_each_head(c, k, q);
    v = for_each_head(c, v, q);
  }
  double scale = c.is_none(arg::scale) ? usual_scale(q) : c.floating(arg::scale);
  // A negative scale has no root.
  if (scale < 0) q = c.call_tensor("aten::neg", {q});
  Tensor weights = attention_weights(c, q, k, std::fabs(scale));
  if (mask) {
    Tensor nothing = c.call_tensor("aten::isnan", {weights});
    bool hides = mask.dtype() == core::DType::boolean;
    Tensor hidden = hides ? c.call_tensor("aten::logical_not", {mask})
                          : c.call_tensor("aten::eq.Scalar", {mask, -INFINITY});
    Tensor blind = c.call_tensor("aten::all.dim", {hidden, -1, true});
    weights = c.call_tensor("aten::masked_fill.Scalar",
                            {weights, c.call_tensor("aten::logical_and", {nothing, blind}), 0});
  }
  Tensor out = matmul(c, dropped(c, weights), v);
  c.finish(out.dtype() == v.dtype()
               ? out
               : c.call_tensor("aten::to.dtype", {out, static_cast<int64_t>(v.dtype())}));
}

/// Scripted encoders hold a branch with these for sequences of unequal length. They must be known
/// so that the other branch can run; prim::is_nested is false of every tensor here.
void nested_tensors(Call& c) {
  base::unsupported(c.op.qualified_name, ": there are no nested tensors here");
}

constexpr Kernel attention_table[] = {
    {"aten::_native_multi_head_attention", native_multi_head_attention},
    {"aten::_transformer_encoder_layer_fwd", transformer_encoder_layer},
    {"aten::_nested_tensor_from_mask", nested_tensors},
    {"aten::to_padded_tensor", nested_tensors},
    {"aten::_scaled_dot_product_attention", attention_with_weights},
    {"aten::_scaled_dot_product_attention_math", attention_with_weights},
    {"aten::scaled_dot_product_attention", scaled_dot_product_attention},
};

}  // namespace

std::span<const Kernel> attention_composites() { return attention_table; }

}  // namespace assay::ops::composite
