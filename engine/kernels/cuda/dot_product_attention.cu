// Attention as products of matrices with a softmax between them, for the usual arguments; the
// composite does the rest.

#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/layout.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/kernels/cuda/products.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;
namespace views = ops::views;

using core::Dims;
using core::Tensor;
using ops::Call;

/// What a query may see.
struct Sight {
  const std::byte* mask = nullptr;
  bool hides = false;   ///< The mask is of bool, and says what is seen; else it is added.
  bool causal = false;  ///< No key behind the query's place.
  int64_t queries = 1, keys = 1;
  Layout<1> layout;  ///< Of the mask under the scores, numbered by rows.
};

template <typename A>
struct Score {
  A value;
  bool seen;
};

template <typename A>
ASSAY_ANYWHERE A exponential(A x) {
#ifdef __CUDA_ARCH__
  return ::exp(x);
#else
  return std::exp(x);
#endif
}

/// Scores as the softmax sees them.
template <typename T>
struct Scores {
  T* data;
  Sight sight;

  using A = Accumulated<T>;

  static constexpr A infinity = std::numeric_limits<A>::infinity();

  ASSAY_ANYWHERE Score<A> operator()(int64_t row, int64_t key) const {
    int64_t at = row * sight.keys + key;
    A value = convert<A>(data[at]);
    if (sight.causal)
      return key > row % sight.queries ? Score<A>{-infinity, false} : Score<A>{value, true};
    if (!sight.mask) return {value, true};
    const std::byte* mask = sight.mask + sight.layout.offsets(at).of[0];
    if (sight.hides) {
      bool seen = reinterpret_cast<const core::Bool*>(mask)->bits != 0;
      return {seen ? value : -infinity, seen};
    }
    A added = convert<A>(*reinterpret_cast<const T*>(mask));
    return {value + added, !(added == -infinity)};
  }
};

/// The largest score of a row, the sum of the exponentials of how far the others are from it, and
/// whether anything is seen.
template <typename A>
struct RowTotal {
  A top, sum;
  int32_t sees;
};

template <typename T>
struct SumScores {
  Scores<T> scores;
  RowTotal<Accumulated<T>>* out;

  using A = Accumulated<T>;
  using Acc = RowTotal<A>;

  static constexpr A infinity = std::numeric_limits<A>::infinity();
  static constexpr A nan = std::numeric_limits<A>::quiet_NaN();

  ASSAY_ANYWHERE Acc start() const { return {-infinity, A(0), 0}; }
  ASSAY_ANYWHERE Acc load(int64_t row, int64_t key) const {
    Score<A> score = scores(row, key);
    if (score.value != score.value) return {-infinity, nan, score.seen};
    return {score.value, score.value == infinity ? nan : A(1), score.seen};
  }
  ASSAY_ANYWHERE Acc join(Acc a, Acc b) const {
    A top = a.top > b.top ? a.top : b.top;
    return {top, scaled(a, top) + scaled(b, top), a.sees | b.sees};
  }
  ASSAY_ANYWHERE void finish(int64_t row, Acc total) const {
    if (total.top == -infinity) total.sum = nan;
    // A query that may see nothing gets zeros.
    if (scores.sight.mask && total.sees == 0) total = {A(0), infinity, 0};
    out[row] = total;
  }

 private:
  ASSAY_ANYWHERE A scaled(Acc a, A top) const {
    return a.top == top ? a.sum : a.sum * exponential(a.top - top);
  }
};

template <typename T>
struct ScoresToWeights {
  Scores<T> scores;
  const RowTotal<Accumulated<T>>* totals;

  ASSAY_ANYWHERE void operator()(int64_t at) const {
    int64_t row = at / scores.sight.keys, key = at - row * scores.sight.keys;
    auto total = totals[row];
    auto score = scores(row, key);
    // Of such rows nothing is left that could be seen.
    bool blind = scores.sight.mask && total.sees == 0;
    auto weight = blind ? Accumulated<T>(0) : exponential(score.value - total.top) / total.sum;
    scores.data[at] = convert<T>(weight);
  }
};

template <typename T>
void run_softmax(const Call& c, const Tensor& scores, const Sight& sight) {
  int64_t rows = scores.numel() / sight.keys;
  using Total = RowTotal<Accumulated<T>>;
  Tensor room = scratch(c, rows * static_cast<int64_t>(sizeof(Total)));
  auto* totals = reinterpret_cast<Total*>(room.device_address());
  Scores<T> body{reinterpret_cast<T*>(scores.device_address()), sight};
  Queue queue = queue_of(c);
  reduce(c, queue, rows, sight.keys, SumScores<T>{body, totals});
  for_each(queue, scores.numel(), ScoresToWeights<T>{body, totals});
}

/// Heads of queries in groups that share a head of keys: (.., heads, rows, columns) as (.., shared,
/// group, rows, columns).
Tensor in_groups(const Tensor& t, int64_t shared) {
  size_t heads = t.sizes().size() - 3;
  int64_t group = t.size(heads) / shared;
  Dims sizes = t.sizes(), strides = t.strides();
  sizes[heads] = shared;
  sizes.insert(heads + 1, group);
  strides[heads] = t.stride(heads) * group;
  strides.insert(heads + 1, t.stride(heads));
  return t.view(sizes, strides, t.offset());
}

Dims batch_of(const Tensor& t, size_t without) {
  return Dims(t.sizes().begin(), t.sizes().end() - static_cast<std::ptrdiff_t>(without));
}

bool is_broadcast_to(const Tensor& t, const Dims& sizes) {
  if (t.sizes().size() > sizes.size()) return false;
  size_t missing = sizes.size() - t.sizes().size();
  for (size_t d = 0; d < t.sizes().size(); ++d) {
    if (t.size(d) != 1 && t.size(d) != sizes[missing + d]) return false;
  }
  return true;
}

Dims scores_of(const Tensor& q, const Tensor& k) {
  Dims sizes = batch_of(q, 1);
  sizes.push_back(k.size(k.sizes().size() - 2));
  return sizes;
}

bool accepts_attention(const Call& c) {
  Tensor q = c.tensor(arg::query), k = c.tensor(arg::key), v = c.tensor(arg::value),
         mask = c.tensor(arg::attn_mask);
  bool grouped = c.boolean(arg::enable_gqa);
  size_t own = grouped ? 3 : 2;  // Dimensions that need not be equal.
  for (const Tensor* t : {&q, &k, &v}) {
    if (t->sizes().size() < std::max<size_t>(own, 2) || t->dtype() != q.dtype()) return false;
    if (t->numel() == 0 || !(batch_of(*t, own) == batch_of(q, own))) return false;
  }
  size_t rank = q.sizes().size();
  bool fits = core::is_floating(q.dtype()) && q.size(rank - 1) == k.size(rank - 1) &&
              k.size(rank - 2) == v.size(rank - 2);
  if (grouped) {
    int64_t shared = k.size(rank - 3);
    fits = fits && shared == v.size(rank - 3) && q.size(rank - 3) % shared == 0;
  }
  if (!fits || c.floating(arg::dropout_p) != 0) return false;
  // A BLAS reads nothing of a product that it scales by 0, which would lose NaN.
  if (!c.is_none(arg::scale) && c.floating(arg::scale) == 0) return false;
  if (!mask) return true;
  bool known = mask.dtype() == core::DType::boolean || mask.dtype() == q.dtype();
  return known && !c.boolean(arg::is_causal) && is_broadcast_to(mask, scores_of(q, k));
}

Sight sight_of(const Call& c, const Tensor& scores, Tensor mask) {
  Sight sight;
  sight.queries = scores.size(scores.sizes().size() - 2);
  sight.keys = scores.sizes().back();
  sight.causal = c.boolean(arg::is_causal);
  if (!mask) return sight;
  sight.mask = mask.device_address();
  sight.hides = mask.dtype() == core::DType::boolean;
  sight.layout = Layout<1>::of(scores.sizes(), {mask}, true);
  return sight;
}

void attention(Call& c) {
  Tensor q = c.tensor(arg::query), k = c.tensor(arg::key), v = c.tensor(arg::value),
         mask = c.tensor(arg::attn_mask);
  Dims out_sizes = batch_of(q, 1);
  out_sizes.push_back(v.sizes().back());
  if (mask) mask = views::expand(mask, scores_of(q, k));
  if (c.boolean(arg::enable_gqa)) {
    int64_t shared = k.size(k.sizes().size() - 3);
    q = in_groups(q, shared);
    if (mask) mask = in_groups(mask, shared);
    k = views::unsqueeze(k, -3);
    v = views::unsqueeze(v, -3);
  }
  double scale = c.is_none(arg::scale) ? 1 / std::sqrt(static_cast<double>(q.sizes().back()))
                                       : c.floating(arg::scale);
  Tensor scores = c.new_empty(scores_of(q, k), q.dtype());
  multiply_matrices(c, q, views::transpose(k, -2, -1), scale, scores);
  Sight sight = sight_of(c, scores, mask);
  common::over_floating(q.dtype(), "softmax",
                        [&](auto zero) { run_softmax<decltype(zero)>(c, scores, sight); });
  Dims made = batch_of(q, 1);
  made.push_back(v.sizes().back());
  Tensor out = c.new_empty(made, q.dtype());
  multiply_matrices(c, scores, v, 1, out);
  c.finish(out.view(out_sizes, core::contiguous_strides(out_sizes), out.offset()));
}

constexpr ops::Kernel attention_table[] = {
    {"aten::scaled_dot_product_attention", attention, accepts_attention},
};

}  // namespace

std::span<const ops::Kernel> dot_product_attention_kernels() { return attention_table; }

}  // namespace assay::kernels::cuda
