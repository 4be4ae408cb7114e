// Random permutations, and indices drawn by their weights.

#include <cmath>

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/draw_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/filling.h"
#include "engine/kernels/cuda/ordering.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;
using ops::Call;

/// Random numbers that are the keys by which the numbers from 0 on are put in order.
template <typename Key>
struct MakeKey {
  Key range, low, mask;
  ASSAY_ANYWHERE Key operator()(uint64_t drawn) const {
    return (static_cast<Key>(drawn % range) + low) & mask;
  }
};

struct CountUp {
  uint32_t* numbers;
  ASSAY_ANYWHERE void operator()(int64_t i) const { numbers[i] = static_cast<uint32_t>(i); }
};

/// Numbers with one key are still in order: their first one's thread shuffles them.
template <typename Key>
struct ShuffleAlike {
  const Key* keys;
  uint32_t* numbers;
  int64_t count;
  PhiloxDraws draws;

  ASSAY_ANYWHERE void operator()(int64_t first) const {
    if (first + 1 >= count || keys[first] != keys[first + 1]) return;
    if (first > 0 && keys[first] == keys[first - 1]) return;
    int64_t length = 2;
    while (first + length < count && keys[first + length] == keys[first]) ++length;
    for (int64_t i = length - 1, drawn = 0; i > 0; --i, ++drawn) {
      uint32_t word = draws.of(first, drawn / 4).of[drawn % 4];
      int64_t other = first + word % static_cast<uint32_t>(i + 1);
      uint32_t kept = numbers[first + i];
      numbers[first + i] = numbers[other];
      numbers[other] = kept;
    }
  }
};

/// How many bits keys need so that with a chance of 9 in 10 no two of them are alike.
int key_bits_for(int64_t count) {
  auto n = static_cast<double>(count);
  double needed = std::log2(n - (6 * n * n + 1) / (12 * std::log(0.9)));
  return std::min(64, static_cast<int>(std::ceil(needed)));
}

template <typename Key>
Tensor permutation(const Call& c, int64_t count, int bits) {
  DType key_type = sizeof(Key) == 4 ? DType::int32 : DType::int64;
  Tensor keys[2], numbers[2];
  for (Tensor& t : keys) t = c.new_empty(Dims{count}, key_type);
  for (Tensor& t : numbers) t = c.new_empty(Dims{count}, DType::int32);
  Key all = bits == 8 * sizeof(Key) ? ~Key{0} : (Key{1} << bits) - 1;
  // Signed keys from the least one to before the greatest; sorting by bits below the sign's does
  // not see it, and by all bits it is the other way round.
  Key sign = Key{1} << (8 * sizeof(Key) - 1);
  Key low = all == ~Key{0} ? Key{0} : sign;
  draw_elements<IntegerDraw<uint64_t>, Key>(c, keys[0], MakeKey<Key>{~Key{0}, low, all});
  Queue queue = queue_of(c);
  auto key = [&](int k) { return reinterpret_cast<Key*>(keys[k].device_address()); };
  auto number = [&](int k) { return reinterpret_cast<uint32_t*>(numbers[k].device_address()); };
  for_each(queue, count, CountUp{number(0)});
  sort_pairs(c, queue, KeyedNumbers<Key>{{key(0), key(1)}, {number(0), number(1)}}, count, bits);
  for_each(queue, count, ShuffleAlike<Key>{key(1), number(1), count, draw(c, count)});
  return numbers[1];
}

void randperm(const Call& c, const Tensor& out) {
  int64_t count = out.numel();
  if (count == 0) return;
  base::check(count < int64_t{1} << 31, "randperm of ", count, " numbers on a GPU");
  int bits = key_bits_for(count);
  Tensor numbers =
      bits <= 32 ? permutation<uint32_t>(c, count, bits) : permutation<uint64_t>(c, count, bits);
  copy_elements(c, out.dim() == 1 ? out : ops::views::view(out, Dims{count}), numbers);
}

/// The sum of each row of weights, which are reported if one is no weight or all are 0.
template <typename T>
struct SumOfRow {
  using W = Computed<T>;
  const T* weights;
  W* sums;
  int64_t length;
  Reporter report;

  ASSAY_ANYWHERE W start() const { return 0; }
  ASSAY_ANYWHERE W load(int64_t row, int64_t i) const {
    W weight = convert<W>(weights[row * length + i]);
    if (!(weight >= 0) || std::isinf(weight)) report(Fault::other);
    return weight;
  }
  ASSAY_ANYWHERE W join(W a, W b) const { return a + b; }
  ASSAY_ANYWHERE void finish(int64_t row, W sum) const {
    if (!(sum > 0)) report(Fault::other);
    sums[row] = sum;
  }
};

/// A weight divided by an exponential number: the largest of them is an index drawn by weight.
template <typename T>
struct ScoreBody {
  using W = Computed<T>;
  const T* weights;
  T* scores;  ///< Exponential numbers before.

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    W weight = convert<W>(weights[i]);
    scores[i] = convert<T>(weight / convert<W>(scores[i]));
  }
};

struct Best {
  double score;
  int64_t index;
};

/// The index of the greatest element of each row, the first of several.
template <typename T>
struct BestOfRow {
  const T* scores;
  int64_t length;
  std::byte* out;
  int64_t step;  ///< In bytes.

  ASSAY_ANYWHERE Best start() const { return {-1, length}; }
  ASSAY_ANYWHERE Best load(int64_t row, int64_t i) const {
    return {convert<double>(scores[row * length + i]), i};
  }
  ASSAY_ANYWHERE Best join(Best a, Best b) const {
    bool first = a.score > b.score || (a.score == b.score && a.index < b.index);
    return first ? a : b;
  }
  ASSAY_ANYWHERE void finish(int64_t row, Best best) const {
    *reinterpret_cast<int64_t*>(out + row * step) = best.index < length ? best.index : 0;
  }
};

/// What a call draws from: rows of weights.
struct Weights {
  Tensor all;
  int64_t rows, categories, samples;

  explicit Weights(const Call& c)
      : all(contiguous(c, c.tensor(arg::self))),
        categories(all.sizes().back()),
        samples(c.out().sizes().back()) {
    rows = all.numel() / std::max<int64_t>(categories, 1);
  }
};

template <typename T>
struct MakeUnitExponential {
  using R = std::conditional_t<std::is_same_v<T, double>, double, float>;
  ASSAY_ANYWHERE T operator()(R u) const {
    constexpr R least = std::numeric_limits<R>::epsilon() / 2;
    return convert<T>(u >= R(1) - least ? least : -quick_log(u));
  }
};

template <typename T>
Tensor sums_of_rows(const Call& c, const Queue& queue, const Weights& w) {
  using W = Computed<T>;
  Tensor sums = scratch(c, w.rows * static_cast<int64_t>(sizeof(W)));
  reduce(c, queue, w.rows, w.categories,
         SumOfRow<T>{w.all.device_data<T>(), reinterpret_cast<W*>(sums.device_address()),
                     w.categories, queue.report});
  return sums;
}

template <typename T>
void choose_without_replacement(const Call& c, const Weights& w) {
  // One exponential number per weight, drawn in the order in which the weights lie in memory.
  Tensor given = c.tensor(arg::self), out = c.out();
  bool dense = core::is_non_overlapping_and_dense(given.sizes(), given.strides());
  Tensor scores = Tensor::empty_strided(given.sizes(), dense ? given.strides() : w.all.strides(),
                                        given.dtype(), given.device());
  using R = std::conditional_t<std::is_same_v<T, double>, double, float>;
  draw_elements<UniformDraw<R>, T>(c, scores, MakeUnitExponential<T>{});
  scores = contiguous(c, scores);
  Queue queue = queue_of(c);
  sums_of_rows<T>(c, queue, w);  // Reports rows that cannot be drawn from.
  for_each(queue, w.all.numel(), ScoreBody<T>{w.all.device_data<T>(), scores.device_data<T>()});
  if (w.samples == 1) {
    int64_t step = out.dim() == 1 ? 0 : out.stride(0) * static_cast<int64_t>(out.item_size());
    return reduce(c, queue, w.rows, w.categories,
                  BestOfRow<T>{scores.device_data<T>(), w.categories, out.device_address(), step});
  }
  ops::Results best = ops::call(c.context, ops::get_operator("aten::topk"),
                                std::vector<Value>{scores, w.samples, int64_t{-1}, true, true});
  copy_elements(c, out, best[1].to_tensor());
}

template <typename T>
struct ShareBody {
  using W = Computed<T>;
  const T* weights;
  T* shares;
  const W* sums;
  int64_t length;
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    shares[i] = convert<T>(convert<W>(weights[i]) / sums[i / length]);
  }
};

/// The first index whose cumulated share reaches a uniform number, of weights that are not 0.
template <typename T>
struct SampleBody {
  using W = Computed<T>;
  PhiloxDraws draws;
  const T *shares, *cumulated;
  int64_t length, samples, threads, rows_at_once;
  int64_t* out;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t row = i / samples, sample = i - row * samples;
    int64_t turn = row / rows_at_once;
    int64_t thread = (row - turn * rows_at_once) * threads + sample;
    W u = convert<W>(convert<T>(UniformDraw<float>::one(draws.of(thread, turn).of[0])));
    const T* sums = cumulated + row * length;
    int64_t low = 0, high = length;
    while (low < high) {
      int64_t middle = low + (high - low) / 2;
      if (convert<W>(sums[middle]) < u)
        low = middle + 1;
      else
        high = middle;
    }
    if (low == length) low = length - 1;
    while (low > 0 && convert<W>(shares[row * length + low]) == 0) --low;
    out[i] = low;
  }
};

template <typename T>
void choose_with_replacement(const Call& c, const Weights& w) {
  using W = Computed<T>;
  Queue queue = queue_of(c);
  Tensor shares = c.new_empty(Dims{w.rows, w.categories}, w.all.dtype());
  Tensor sums = sums_of_rows<T>(c, queue, w);
  auto* sum = reinterpret_cast<W*>(sums.device_address());
  const T* weights = w.all.device_data<T>();
  for_each(queue, w.all.numel(), ShareBody<T>{weights, shares.device_data<T>(), sum, w.categories});
  Tensor cumulated = contiguous(c, c.call_tensor("aten::cumsum", {shares, int64_t{1}, Value()}));
  // As PyTorch shares samples among threads: 128 to a block, rows of blocks for rows.
  int64_t rows_at_once = std::min<int64_t>(w.rows, 65535);
  SampleBody<T> body{draw(c, 4 * ((w.rows - 1) / rows_at_once + 1)),
                     shares.device_data<T>(),
                     cumulated.device_data<T>(),
                     w.categories,
                     w.samples,
                     (w.samples + 127) / 128 * 128,
                     rows_at_once,
                     c.out().device_data<int64_t>()};
  for_each(queue, w.rows * w.samples, body);
}

void multinomial(Call& c) {
  if (c.out().numel() == 0) return;
  Weights w(c);
  if (w.all.numel() == 0) return;
  // A single sample is drawn as if there were no replacement.
  bool replaces = c.boolean(arg::replacement) && w.samples > 1;
  common::over_floating(w.all.dtype(), "multinomial", [&](auto zero) {
    using T = decltype(zero);
    replaces ? choose_with_replacement<T>(c, w) : choose_without_replacement<T>(c, w);
  });
}

constexpr ops::Kernel random_choices_table[] = {
    {"aten::randperm", fill_result<randperm>},
    {"aten::randperm.generator", fill_result<randperm>},
    {"aten::randperm.out", into_out<randperm>},
    {"aten::randperm.generator_out", into_out<randperm>},
    {"aten::multinomial", multinomial},
};

}  // namespace

std::span<const ops::Kernel> random_choice_kernels() { return random_choices_table; }

}  // namespace assay::kernels::cuda
