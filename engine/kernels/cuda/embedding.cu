// Rows of a table, looked up one by one or reduced by bags.

#include "engine/base/error.h"
#include "engine/core/host_access.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/gather_elements.h"
#include "engine/kernels/cuda/norm.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;

void run_embedding(Call& c) {
  Tensor weight = c.tensor(arg::weight), index = c.tensor(arg::indices), out = c.out();
  Positions positions = positions_along(weight, 0, index, false);
  if (out.numel() == 0) return check_positions(c, weight, positions);
  Dims of_index = index.strides(), of_weight(out.sizes().size(), 0);
  of_index.push_back(0);
  of_weight[of_weight.size() - 1] = weight.stride(1);
  positions.index = seen_as(index, out.sizes(), of_index);
  base::check_index(weight.size(0) > 0, "index out of range in self");
  gather_elements(c, out, seen_as(weight, out.sizes(), of_weight), positions);
}

struct MarkRows {
  const int64_t* indices;
  uint8_t* marks;
  int64_t rows;
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    if (report.within(indices[i], rows)) marks[indices[i]] = 1;
  }
};

/// The factor that brings a marked row's norm down to the most allowed one.
struct RowFactors {
  const std::byte* table;
  DType dtype;
  int64_t row_step, column_step;  // In bytes.
  const uint8_t* marks;
  double* factors;
  Norm norm;
  double most;

  ASSAY_ANYWHERE double start() const { return norm.start(); }
  ASSAY_ANYWHERE double load(int64_t row, int64_t i) const {
    if (!marks[row]) return 0;
    return norm.part(Norm::size_at(table + row * row_step + i * column_step, dtype));
  }
  ASSAY_ANYWHERE double join(double a, double b) const { return norm.join(a, b); }
  ASSAY_ANYWHERE void finish(int64_t row, double total) const {
    double size = norm.end(total);
    factors[row] = marks[row] && size > most ? most / (size + 1e-7) : 1;
  }
};

template <typename C>
struct ScaleRows {
  std::byte* table;
  DType dtype;
  const double* factors;
  int64_t width;
  int64_t row_step, column_step;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t row = i / width;
    if (factors[row] == 1) return;
    std::byte* at = table + row * row_step + (i - row * width) * column_step;
    store(at, dtype, cuda::load<C>(at, dtype) * factors[row]);
  }
};

/// Scales the rows that the indices name down to a norm of max_norm.
void run_renorm(Call& c) {
  Tensor weight = c.tensor(arg::self);
  Tensor indices = int64_contiguous(c, c.tensor(arg::indices));
  int64_t rows = weight.size(0), width = weight.size(1);
  Tensor marks = Tensor::empty(Dims{rows}, DType::uint8, c.device());
  Tensor factors = Tensor::empty(Dims{rows}, DType::float64, c.device());
  fill_elements(c, marks, 0);
  Queue queue = queue_of(c);
  uint8_t* mark = marks.device_data<uint8_t>();
  double* factor = factors.device_data<double>();
  for_each(queue, indices.numel(),
           MarkRows{indices.device_data<int64_t>(), mark, rows, queue.report});
  auto item = static_cast<int64_t>(weight.item_size());
  int64_t row_step = weight.stride(0) * item, column_step = weight.stride(1) * item;
  std::byte* table = weight.device_address();
  reduce(c, queue, rows, width,
         RowFactors{table, weight.dtype(), row_step, column_step, mark, factor,
                    Norm(c.floating(arg::norm_type)), c.floating(arg::max_norm)});
  auto scale = [&]<typename C>(C) {
    for_each(queue, rows * width,
             ScaleRows<C>{table, weight.dtype(), factor, width, row_step, column_step});
  };
  core::is_complex(weight.dtype()) ? scale(Complex<double>{}) : scale(double{});
  c.finish(weight);
}

enum class Mode : int64_t { sum, mean, max };

/// The arguments of embedding_bag.
struct Bags {
  Tensor weight, indices, offsets, factors;
  Mode mode;
  bool last_offset;
  int64_t padding = -1;

  explicit Bags(const Call& c)
      : weight(c.tensor(arg::weight)),
        mode(static_cast<Mode>(c.integer(arg::mode))),
        last_offset(c.boolean(arg::include_last_offset)) {
    Tensor index = c.tensor(arg::indices), offset = c.tensor(arg::offsets);
    factors = c.tensor(arg::per_sample_weights);
    base::check(index.dim() == 1, "embedding_bag: input has to be a 1D Tensor, but got Tensor of ",
                "dimension ", index.dim());
    base::check(offset.dim() == 1, "embedding_bag: offsets has to be a 1D Tensor, but got Tensor ",
                "of dimension ", offset.dim());
    base::check(mode >= Mode::sum && mode <= Mode::max, "embedding_bag: unknown mode ",
                c.integer(arg::mode));
    base::check(!factors || mode == Mode::sum,
                "embedding_bag: per_sample_weights only supported with mode='sum'");
    base::check(!factors || factors.sizes() == index.sizes(),
                "expected per_sample_weights to have the shape of the indices, ", index.sizes());
    base::check(!last_offset || offset.numel() > 0,
                "include_last_offset: number of offsets should be at least 1");
    bool pads = c.has(arg::padding_idx) && !c.is_none(arg::padding_idx);
    if (pads) padding = c.integer(arg::padding_idx);
    if (padding < 0 && pads && padding >= -weight.size(0) &&
        c.op.schema.overload == "padding_idx") {
      padding += weight.size(0);
    }
    indices = int64_contiguous(c, index);
    offsets = int64_contiguous(c, offset);
  }

  int64_t bags() const { return offsets.numel() - (last_offset ? 1 : 0); }
  /// Sums of float rows take a path in PyTorch that keeps neither bags nor
  /// sizes.
  bool is_plain() const {
    return mode == Mode::sum && padding < 0 && weight.dtype() != DType::float64;
  }
};

/// Bags as device code reads them.
struct BagBounds {
  const int64_t* offsets;
  int64_t bags, offset_count, index_count;
  Reporter report;

  explicit BagBounds(const Bags& b, const Queue& queue)
      : offsets(b.offsets.device_data<int64_t>()),
        bags(b.bags()),
        offset_count(b.offsets.numel()),
        index_count(b.indices.numel()),
        report(queue.report) {}

  /// The entries of a bag: none where the offsets are not in order.
  ASSAY_ANYWHERE void of(int64_t bag, int64_t& begin, int64_t& end) const {
    begin = offsets[bag];
    end = bag + 1 < offset_count ? offsets[bag + 1] : index_count;
    if ((bag > 0 || begin == 0) && begin >= 0 && begin <= end && end <= index_count) return;
    report(Fault::other, begin, end);
    begin = end = 0;
  }
};

/// One element of a bag's row.
template <typename T>
struct BagBody {
  BagBounds bounds;
  const T* table;
  const int64_t* indices;
  Operand factors;
  bool weighted;
  int64_t factor_step;
  int64_t rows, width, padding;
  Mode mode;
  T* out;
  int64_t* maxima;  ///< Null where nobody asks.
  int64_t* counts;  ///< Null where nobody asks.

  using Sum = std::conditional_t<is_float_type<T>, double, Computed<T>>;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t bag = i / width, column = i - bag * width, begin = 0, end = 0;
    bounds.of(bag, begin, end);
    Sum sum{};
    int64_t count = 0, most = 0;
    for (int64_t k = begin; k < end; ++k) {
      int64_t row = indices[k];
      if (!bounds.report.within(row, rows)) continue;
      if (row == padding) continue;
      Sum value = convert<Sum>(table[row * width + column]);
      if (weighted) value = value * load<Sum>(factors.at(k * factor_step), factors.dtype);
      if (mode != Mode::max) {
        sum = sum + value;
      } else if (take(count, value, sum)) {
        sum = value;
        most = row;
      }
      ++count;
    }
    if (mode == Mode::mean && count > 0) sum = sum / Sum(count);
    out[i] = convert<T>(sum);
    if (maxima) maxima[i] = most;
    if (counts && column == 0) counts[bag] = count;
  }

 private:
  static ASSAY_ANYWHERE bool take(int64_t count, Sum value, Sum most) {
    if constexpr (is_complex_type<Sum>)
      return count == 0;
    else
      return count == 0 || value > most;
  }
};

/// The bag of each index. Also looks at an offset that begins no bag.
struct NameBags {
  BagBounds bounds;
  int64_t* out;
  int64_t count;

  ASSAY_ANYWHERE void operator()(int64_t bag) const {
    int64_t begin = 0, end = 0;
    bounds.of(bag, begin, end);
    if (bag >= bounds.bags) return;
    for (int64_t k = begin; k < end && k < count; ++k) out[k] = bag;
  }
};

template <typename T>
void run_bags(const Queue& queue, const Bags& b, const Tensor& table, const Tensor& out,
              const Tensor& maxima, const Tensor& counts) {
  BagBody<T> body{BagBounds(b, queue),
                  reinterpret_cast<const T*>(table.device_address()),
                  b.indices.device_data<int64_t>(),
                  b.factors ? Operand(b.factors) : Operand(),
                  b.factors.defined(),
                  b.factors ? b.factors.stride(0) * static_cast<int64_t>(b.factors.item_size()) : 0,
                  b.weight.size(0),
                  b.weight.size(1),
                  b.padding,
                  b.mode,
                  reinterpret_cast<T*>(out.device_address()),
                  maxima ? maxima.device_data<int64_t>() : nullptr,
                  counts ? counts.device_data<int64_t>() : nullptr};
  for_each(queue, out.numel(), body);
}

/// How many indices lie in bags.
int64_t count_in_bags(const Call& c, const Bags& b) {
  if (b.bags() == 0) return 0;
  if (!b.last_offset) return b.indices.numel();
  c.synchronized();
  Tensor last = ops::views::select(b.offsets, 0, b.offsets.numel() - 1);
  int64_t count = *core::to_host(last).device_data<int64_t>();
  base::check(count >= 0 && count <= b.indices.numel(),
              "offsets[-1] can not be greater than input's length ", b.indices.numel(),
              " but got offsets[-1] of ", count);
  return count;
}

Tensor zeros(const Call& c, const Dims& sizes) {
  Tensor made = c.new_empty(sizes, DType::int64);
  fill_elements(c, made, 0);
  return made;
}

/// The result, then what PyTorch keeps for the gradient: the bag of each index,
/// the size of each bag, and the rows of the maxima.
void run_embedding_bag(Call& c) {
  Bags b(c);
  int64_t bags = b.bags(), width = b.weight.size(1);
  bool sums = b.mode == Mode::sum;
  Tensor table = contiguous(c, b.weight), out = c.new_empty(Dims{bags, width}, b.weight.dtype());
  Tensor names = zeros(c, Dims{b.is_plain() ? 0 : count_in_bags(c, b)});
  Tensor counts = zeros(c, Dims{sums ? b.offsets.numel() : bags});
  Tensor rows = b.mode == Mode::max ? zeros(c, Dims{bags, width}) : zeros(c, counts.sizes());
  Queue queue = queue_of(c);
  common::over_all(out.dtype(), "embedding_bag", [&](auto zero) {
    run_bags<Stored<decltype(zero)>>(queue, b, table, out, b.mode == Mode::max ? rows : Tensor(),
                                     sums ? Tensor() : counts);
  });
  NameBags body{BagBounds(b, queue), names.device_data<int64_t>(), names.numel()};
  for_each(queue, body.bounds.offset_count, body);
  if (b.mode == Mode::mean) copy_elements(c, rows, counts);
  c.finish({out, names, counts, rows});
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

}  // namespace assay::kernels::cuda
