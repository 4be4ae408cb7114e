// Sequences of several lengths, packed step by step: all first elements, all second ones, ...

#include "engine/base/checked.h"
#include "engine/base/error.h"
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

void check_lengths(const std::vector<int64_t>& lengths, int64_t batch) {
  base::check(static_cast<int64_t>(lengths.size()) == batch,
              "Expected `len(lengths)` to be equal to batch_size, but got ", lengths.size(),
              " (batch_size=", batch, ")");
  for (size_t i = 0; i < lengths.size(); ++i) {
    base::check(lengths[i] > 0,
                "Length of all samples has to be greater than 0, but found an "
                "element in 'lengths' that is <= 0");
    base::check(i == 0 || lengths[i] <= lengths[i - 1],
                "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. "
                "You can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence "
                "to sidestep this requirement if you do not need ONNX exportability.");
  }
}

Tensor int64_vector(const std::vector<int64_t>& values) {
  Tensor t = Tensor::empty(Dims{static_cast<int64_t>(values.size())}, DType::int64);
  store<int64_t>(values, t);
  return t;
}

/// One time step of a (time, batch, ...) tensor: its first `rows` rows.
Tensor step_of(const Tensor& t, int64_t time, int64_t rows) {
  Dims sizes(t.sizes().begin() + 1, t.sizes().end());
  Dims strides(t.strides().begin() + 1, t.strides().end());
  sizes[0] = rows;
  return t.view(sizes, strides, t.offset() + time * t.stride(0));
}

Tensor rows_of(const Tensor& t, int64_t begin, int64_t rows) {
  Dims sizes = t.sizes();
  sizes[0] = rows;
  return t.view(sizes, t.strides(), t.offset() + begin * t.stride(0));
}

void copy(const Tensor& from, const Tensor& to) {
  over_wide(from.dtype(), [&]<typename W>(W) { store(dense<W>(from), to); });
}

void run_pack(Call& c) {
  Tensor input = c.tensor(arg::input);
  base::check(input.dim() >= 2 && input.numel() > 0, "Cannot pack empty tensors.");
  if (c.boolean(arg::batch_first)) input = transposed(input, 0, 1);
  auto lengths = dense<int64_t>(c.tensor(arg::lengths)).values;
  check_lengths(lengths, input.size(1));
  base::check(lengths[0] <= input.size(0), "Expected the longest sequence to have at most ",
              input.size(0), " steps, but `lengths` has ", lengths[0]);
  std::vector<int64_t> sizes(static_cast<size_t>(lengths[0]));
  int64_t total = 0;
  for (int64_t length : lengths) {
    for (int64_t t = 0; t < length; ++t) ++sizes[static_cast<size_t>(t)];
    total += length;
  }
  Dims shape(input.sizes().begin() + 1, input.sizes().end());
  shape[0] = total;
  Tensor data = c.new_empty(shape, input.dtype());
  int64_t row = 0;
  for (size_t t = 0; t < sizes.size(); ++t) {
    copy(step_of(input, static_cast<int64_t>(t), sizes[t]), rows_of(data, row, sizes[t]));
    row += sizes[t];
  }
  c.finish({data, int64_vector(sizes)});
}

void run_pad(Call& c) {
  Tensor data = c.tensor(arg::data);
  auto sizes = dense<int64_t>(c.tensor(arg::batch_sizes)).values;
  int64_t longest = static_cast<int64_t>(sizes.size()), total = c.integer(arg::total_length);
  base::check(longest > 0 && data.dim() > 0, "expected a packed sequence with at least one step");
  base::check(total <= 0 || total >= longest,
              "Expected total_length to be at least the length of the longest sequence in input, "
              "but got total_length=",
              total, " and max sequence length being ", longest);
  int64_t batch = sizes[0], sum = 0;
  for (size_t t = 0; t < sizes.size(); ++t) {
    base::check(sizes[t] > 0 && sizes[t] <= (t ? sizes[t - 1] : batch),
                "batch_sizes of a packed sequence must be positive and not grow, got ", sizes);
    sum = base::checked_add(sum, sizes[t]);
  }
  // PyTorch leaves further rows out.
  base::check(sum <= data.size(0), "batch_sizes sum to ", sum, ", but there are ", data.size(0),
              " rows");
  Dims shape = data.sizes();
  shape[0] = batch;
  shape.insert(0, total > 0 ? total : longest);
  Tensor out = c.call_tensor("aten::full", {core::make_int_list(shape),
                                            c.value(arg::padding_value),
                                            static_cast<int64_t>(data.dtype()),
                                            {},
                                            c.device(),
                                            {}});
  std::vector<int64_t> lengths(static_cast<size_t>(batch));
  int64_t row = 0;
  for (size_t t = 0; t < sizes.size(); ++t) {
    copy(rows_of(data, row, sizes[t]), step_of(out, static_cast<int64_t>(t), sizes[t]));
    for (int64_t n = 0; n < sizes[t]; ++n) ++lengths[static_cast<size_t>(n)];
    row += sizes[t];
  }
  c.finish({c.boolean(arg::batch_first) ? transposed(out, 0, 1) : out, int64_vector(lengths)});
}

constexpr ops::Kernel packed_sequence_table[] = {
    {"aten::_pack_padded_sequence", run_pack},
    {"aten::_pad_packed_sequence", run_pad},
};

}  // namespace

std::span<const ops::Kernel> packed_sequence_kernels() { return packed_sequence_table; }

}  // namespace assay::kernels::reference
