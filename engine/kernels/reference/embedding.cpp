// Rows of a table, looked up one by one or reduced by bags.

#include <cmath>
#include <limits>
#include <set>

#include "engine/base/error.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/norm.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;

void check_index(int64_t index, int64_t rows) {
  base::check_index(index >= 0 && index < rows, "index out of range in self");
}

void run_embedding(Call& c) {
  Tensor weight = c.tensor(arg::weight);
  auto indices = dense<int64_t>(c.tensor(arg::indices));
  int64_t width = weight.size(1);
  over_wide(weight.dtype(), [&]<typename W>(W) {
    auto table = dense<W>(weight);
    Dense<W> out(c.out().sizes());
    for (size_t i = 0; i < indices.values.size(); ++i) {
      check_index(indices.values[i], weight.size(0));
      std::copy_n(table.data() + indices.values[i] * width, width,
                  out.data() + static_cast<int64_t>(i) * width);
    }
    store(out, c.out());
  });
}

/// Scales the rows that the indices name down to a norm of max_norm.
void run_renorm(Call& c) {
  Tensor weight = c.tensor(arg::self);
  double max_norm = c.floating(arg::max_norm), p = c.floating(arg::norm_type);
  auto indices = dense<int64_t>(c.tensor(arg::indices)).values;
  auto run = [&]<typename C>(C) {
    // One after the other, since they may share elements.
    for (int64_t at : std::set<int64_t>(indices.begin(), indices.end())) {
      check_index(at, weight.size(0));
      Tensor row = ops::views::select(weight, 0, at);
      Dense<C> values = dense<C>(row);
      Norm norm(p);
      for (C v : values.values) norm.add(std::abs(v));
      double size = norm.result();
      if (!(size > max_norm)) continue;
      for (C& v : values.values) v *= max_norm / (size + 1e-7);
      store(values, row);
    }
  };
  core::is_complex(weight.dtype()) ? run(core::Complex128{}) : run(double{});
  c.finish(weight);
}

enum class Mode : int64_t { sum, mean, max };

/// The arguments of embedding_bag.
struct Bags {
  Tensor weight;
  std::vector<int64_t> indices, offsets;
  Mode mode;
  Dense<double> factors;
  bool last_offset;
  int64_t padding = -1;

  explicit Bags(const Call& c)
      : weight(c.tensor(arg::weight)),
        mode(static_cast<Mode>(c.integer(arg::mode))),
        last_offset(c.boolean(arg::include_last_offset)) {
    Tensor index = c.tensor(arg::indices), offset = c.tensor(arg::offsets),
           factor = c.tensor(arg::per_sample_weights);
    base::check(index.dim() == 1, "embedding_bag: input has to be a 1D Tensor, but got Tensor of ",
                "dimension ", index.dim());
    base::check(offset.dim() == 1, "embedding_bag: offsets has to be a 1D Tensor, but got Tensor ",
                "of dimension ", offset.dim());
    base::check(mode >= Mode::sum && mode <= Mode::max, "embedding_bag: unknown mode ",
                c.integer(arg::mode));
    base::check(!factor || mode == Mode::sum,
                "embedding_bag: per_sample_weights only supported with mode='sum'");
    base::check(!factor || factor.sizes() == index.sizes(),
                "expected per_sample_weights to have the shape of the indices, ", index.sizes());
    indices = dense<int64_t>(index).values;
    offsets = dense<int64_t>(offset).values;
    factors = dense<double>(factor);
    bool pads = c.has(arg::padding_idx) && !c.is_none(arg::padding_idx);
    if (pads) padding = c.integer(arg::padding_idx);
    if (padding < 0 && pads && padding >= -weight.size(0) &&
        c.op.schema.overload == "padding_idx") {
      padding += weight.size(0);
    }
    check_offsets();
  }

  size_t bags() const { return offsets.size() - (last_offset ? 1 : 0); }
  size_t end(size_t bag) const {
    return bag + 1 < offsets.size() ? static_cast<size_t>(offsets[bag + 1]) : indices.size();
  }

 private:
  void check_offsets() const {
    base::check(!last_offset || !offsets.empty(),
                "include_last_offset: number of offsets should be at least 1");
    if (offsets.empty()) return;
    base::check(offsets[0] == 0,
                "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start "
                "from position 0. However, got ",
                offsets[0]);
    auto count = static_cast<int64_t>(indices.size());
    for (size_t i = 0; i < offsets.size(); ++i) {
      base::check(offsets[i] <= count, "offsets[-1] can not be greater than input's length ", count,
                  " but got offsets[-1] of ", offsets[i]);
      base::check(i == 0 || offsets[i] >= offsets[i - 1], "offsets must not decrease, got ",
                  offsets);
    }
  }
};

Tensor integers(const Call& c, core::DimSpan sizes, const std::vector<int64_t>& values) {
  Tensor t = c.new_empty(sizes, DType::int64);
  store<int64_t>(values, t);
  return t;
}

/// One bag: its reduced row, how many entries count, and for max the row of each maximum.
int64_t reduce_bag(const Bags& b, const Dense<double>& table, size_t bag, double* out,
                   int64_t* maxima) {
  int64_t width = b.weight.size(1), count = 0;
  for (auto i = static_cast<size_t>(b.offsets[bag]); i < b.end(bag); ++i) {
    int64_t row = b.indices[i];
    check_index(row, b.weight.size(0));
    if (row == b.padding) continue;
    double factor = b.factors.defined() ? b.factors.values[i] : 1;
    for (int64_t j = 0; j < width; ++j) {
      double value = table.data()[row * width + j] * factor;
      if (b.mode != Mode::max) {
        out[j] += value;
      } else if (count == 0 || value > out[j]) {
        out[j] = value;
        maxima[j] = row;
      }
    }
    ++count;
  }
  for (int64_t j = 0; j < width && b.mode == Mode::mean && count > 0; ++j) {
    out[j] /= static_cast<double>(count);
  }
  return count;
}

/// The result, then what PyTorch keeps for the gradient: the bag of each index, the size of each
/// bag, and the rows of the maxima.
void run_embedding_bag(Call& c) {
  Bags b(c);
  auto bags = static_cast<int64_t>(b.bags());
  int64_t width = b.weight.size(1);
  auto table = dense<double>(b.weight);
  Dense<double> out(Dims{bags, width});
  std::vector<int64_t> maxima(static_cast<size_t>(bags * width)), sizes, bag_of;
  for (size_t bag = 0; bag < b.bags(); ++bag) {
    auto at = static_cast<int64_t>(bag) * width;
    sizes.push_back(reduce_bag(b, table, bag, out.data() + at, maxima.data() + at));
    bag_of.insert(bag_of.end(), b.end(bag) - static_cast<size_t>(b.offsets[bag]),
                  static_cast<int64_t>(bag));
  }
  Tensor result = c.new_empty(out.sizes, b.weight.dtype());
  store(out, result);
  // Plain sums of float rows take a path in PyTorch that keeps neither bags nor sizes.
  bool sums = b.mode == Mode::sum;
  bool plain = sums && b.padding < 0 && b.weight.dtype() != DType::float64;
  if (plain) bag_of.clear();
  if (sums) sizes.assign(b.offsets.size(), 0);
  auto counted = static_cast<int64_t>(bag_of.size());
  Tensor per_bag = integers(c, Dims{static_cast<int64_t>(sizes.size())}, sizes);
  Tensor rows = b.mode == Mode::max ? integers(c, Dims{bags, width}, maxima)
                                    : integers(c, per_bag.sizes(), sizes);
  c.finish({result, integers(c, Dims{counted}, bag_of), per_bag, rows});
}

constexpr ops::Kernel embedding_table[] = {
    {"aten::embedding", run_embedding},
    {"aten::embedding_renorm_", run_renorm},
    {"aten::embedding_bag", run_embedding_bag},
    {"aten::embedding_bag.padding_idx", run_embedding_bag},
    {"aten::_embedding_bag", run_embedding_bag},
    {"aten::_embedding_bag_forward_only", run_embedding_bag},
};

}  // namespace

std::span<const ops::Kernel> embedding_kernels() { return embedding_table; }

}  // namespace assay::kernels::reference
