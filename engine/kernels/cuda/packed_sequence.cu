// Sequences of several lengths, packed step by step: all first elements, all
// second ones, ...

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/gather_elements.h"
#include "engine/kernels/cuda/write_elements.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace views = ops::views;
namespace arg = ops::arg;

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;

/// The numbers of a vector on the CPU.
std::vector<int64_t> numbers_of(const Tensor& t) {
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < t.numel(); ++i) {
    const std::byte* at =
        t.device_address() + i * t.stride(0) * static_cast<int64_t>(t.item_size());
    int64_t number = 0;
    switch (t.dtype()) {
      case DType::int64:
        number = *reinterpret_cast<const int64_t*>(at);
        break;
      case DType::int32:
        number = *reinterpret_cast<const int32_t*>(at);
        break;
      default:
        base::fail("expected counts of int64, got ", core::script_name(t.dtype()));
    }
    numbers.push_back(number);
  }
  return numbers;
}

Tensor int64_vector(const std::vector<int64_t>& values) {
  Tensor t = Tensor::empty(Dims{static_cast<int64_t>(values.size())}, DType::int64);
  std::copy(values.begin(), values.end(), t.device_data<int64_t>());
  return t;
}

Tensor on_device(const Call& c, const std::vector<int64_t>& values) {
  Tensor there = Tensor::empty(Dims{static_cast<int64_t>(values.size())}, DType::int64, c.device());
  c.call("aten::copy_", {there, int64_vector(values)});
  return there;
}

void check_lengths(const std::vector<int64_t>& lengths, int64_t batch) {
  base::check(static_cast<int64_t>(lengths.size()) == batch,
              "Expected `len(lengths)` to be equal to batch_size, but got ", lengths.size(),
              " (batch_size=", batch, ")");
  for (size_t i = 0; i < lengths.size(); ++i) {
    base::check(lengths[i] > 0,
                "Length of all samples has to be greater than 0, but found an "
                "element in 'lengths' that is <= 0");
    base::check(i == 0 || lengths[i] <= lengths[i - 1],
                "`lengths` array must be sorted in decreasing order when "
                "`enforce_sorted` is True. "
                "You can pass `enforce_sorted=False` to pack_padded_sequence and/or "
                "pack_sequence "
                "to sidestep this requirement if you do not need ONNX exportability.");
  }
}

/// Where the rows of a packed sequence are in a (time, batch, ...) tensor, in
/// elements.
std::vector<int64_t> places_of(const std::vector<int64_t>& sizes, int64_t time_step,
                               int64_t batch_step) {
  std::vector<int64_t> places;
  for (size_t t = 0; t < sizes.size(); ++t) {
    for (int64_t n = 0; n < sizes[t]; ++n)
      places.push_back(static_cast<int64_t>(t) * time_step + n * batch_step);
  }
  return places;
}

/// As many rows of a tensor, all from the first one's place on, and their
/// distances from it.
struct Rows {
  Tensor first;
  Positions positions;
  Dims sizes;

  Rows(const Call& c, const Tensor& padded, const std::vector<int64_t>& places) {
    sizes = Dims(padded.sizes().begin() + 1, padded.sizes().end());
    sizes[0] = static_cast<int64_t>(places.size());
    Dims strides(padded.strides().begin() + 1, padded.strides().end());
    strides[0] = 0;
    Dims along(sizes.size(), 0);
    along[0] = 1;
    first = seen_as(padded, sizes, strides);
    positions = {seen_as(on_device(c, places), sizes, along), INT64_MAX, 1, false};
  }
};

void run_pack(Call& c) {
  Tensor input = c.tensor(arg::input);
  base::check(input.dim() >= 2 && input.numel() > 0, "Cannot pack empty tensors.");
  if (c.boolean(arg::batch_first)) input = views::transpose(input, 0, 1);
  auto lengths = numbers_of(c.tensor(arg::lengths));
  check_lengths(lengths, input.size(1));
  base::check(lengths[0] <= input.size(0), "Expected the longest sequence to have at most ",
              input.size(0), " steps, but `lengths` has ", lengths[0]);
  std::vector<int64_t> sizes(static_cast<size_t>(lengths[0]));
  for (int64_t length : lengths) {
    for (int64_t t = 0; t < length; ++t) ++sizes[static_cast<size_t>(t)];
  }
  Rows rows(c, input, places_of(sizes, input.stride(0), input.stride(1)));
  Tensor data = c.new_empty(rows.sizes, input.dtype());
  gather_elements(c, data, rows.first, rows.positions);
  c.finish({data, int64_vector(sizes)});
}

void run_pad(Call& c) {
  Tensor data = c.tensor(arg::data);
  auto sizes = numbers_of(c.tensor(arg::batch_sizes));
  int64_t longest = static_cast<int64_t>(sizes.size()), total = c.integer(arg::total_length);
  base::check(longest > 0 && data.dim() > 0, "expected a packed sequence with at least one step");
  base::check(total <= 0 || total >= longest,
              "Expected total_length to be at least the length of the longest "
              "sequence in input, "
              "but got total_length=",
              total, " and max sequence length being ", longest);
  int64_t batch = sizes[0], sum = 0;
  for (size_t t = 0; t < sizes.size(); ++t) {
    base::check(sizes[t] > 0 && sizes[t] <= (t ? sizes[t - 1] : batch),
                "batch_sizes of a packed sequence must be positive and not grow");
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
  if (out.numel() > 0) {
    Rows rows(c, out, places_of(sizes, out.stride(0), out.stride(1)));
    write_elements(c, rows.first,
                   {rows.positions, views::narrow(data, 0, 0, sum), rows.sizes, 0, Join::replace});
  }
  std::vector<int64_t> lengths(static_cast<size_t>(batch));
  for (int64_t size : sizes) {
    for (int64_t n = 0; n < size; ++n) ++lengths[static_cast<size_t>(n)];
  }
  c.finish(
      {c.boolean(arg::batch_first) ? views::transpose(out, 0, 1) : out, int64_vector(lengths)});
}

constexpr ops::Kernel packed_sequence_table[] = {
    {"aten::_pack_padded_sequence", run_pack},
    {"aten::_pad_packed_sequence", run_pad},
};

}  // namespace

std::span<const ops::Kernel> packed_sequence_kernels() { return packed_sequence_table; }

}  // namespace assay::kernels::cuda
