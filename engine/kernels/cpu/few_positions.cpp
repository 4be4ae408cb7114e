#include "engine/kernels/cpu/few_positions.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "engine/kernels/cpu/onednn.h"
#include "engine/kernels/cpu/vectorized.h"

namespace assay::kernels::cpu {
namespace {

using core::Dims;
using core::Tensor;
using dnnl::memory;
using ops::infer::Convolution;

constexpr int64_t most_positions = 16, least_weights = 1 << 18;

/// What an element of the window multiplies: of some positions of the result the position of the
/// input that it meets there. Both are rows, one entry per channel.
struct Tap {
  std::vector<std::pair<int64_t, int64_t>> meets;  ///< Result, input.
  dnnl::matmul product;
  memory::desc source, result, scratchpad;
};

struct Plan {
  std::vector<Tap> taps;              ///< One per element of the window, in order.
  memory::desc own_weights, weights;  ///< (window, in, out): as they are given, and packed.
  memory::desc tap_weights;           ///< Of one element of the window.
  memory::desc own_source, source;    ///< The input, and its rows.
  memory::desc destination, own_destination;
  dnnl::reorder copy_in, copy_out;
};

memory::desc matrix(int64_t rows, int64_t columns, memory::format_tag layout) {
  return memory::desc({rows, columns}, memory::data_type::f32, layout);
}

dnnl::matmul::primitive_desc product_of(int64_t rows, const memory::desc& weights) {
  int64_t in = weights.dims()[0], out = weights.dims()[1];
  constexpr auto plain = memory::format_tag::ab;
  dnnl::matmul::desc descriptor(matrix(rows, in, plain), weights, matrix(rows, out, plain));
  return {descriptor, onednn::attributes(), onednn::engine()};
}

/// So many matrices of this layout, one after the other. (Asked for a batch of matrices oneDNN 2.6
/// takes them as they are, and packs them anew in each product.)
memory::desc stacked(const memory::desc& one, int64_t count) {
  dnnl_memory_desc_t all = one.data;
  auto& blocks = all.format_desc.blocking;
  for (dnnl_dim_t* list : {all.dims, all.padded_dims, all.padded_offsets, blocks.strides}) {
    std::copy_backward(list, list + all.ndims, list + all.ndims + 1);
  }
  for (int i = 0; i < blocks.inner_nblks; ++i) ++blocks.inner_idxs[i];
  all.dims[0] = all.padded_dims[0] = count;
  all.padded_offsets[0] = 0;
  blocks.strides[0] = static_cast<dnnl_dim_t>(one.get_size() / sizeof(float));
  ++all.ndims;
  return memory::desc(all);
}

/// A tensor's rows, one per position: (batch, channels, spatial...), the channels side by side.
memory::desc rows_of(core::DimSpan sizes) {
  Dims strides(sizes.size(), 1);
  int64_t step = sizes[1];
  for (size_t d = sizes.size(); d-- > 2; step *= sizes[d]) strides[d] = step;
  strides[0] = step;
  return onednn::desc_of(sizes, strides);
}

int64_t positions_of(const Tensor& t) { return t.numel() / t.size(1); }

/// The position of the input that an element of the window meets at a position of the result;
/// nothing where it lies beside it.
std::optional<int64_t> met_by(const Convolution& conv, const Tensor& out, int64_t element,
                              int64_t position) {
  int64_t met = 0, step = 1;
  for (size_t d = conv.spatial(); d-- > 0;) {
    int64_t width = conv.weight.size(d + 2), at = position % out.size(d + 2);
    int64_t in = at * conv.stride[d] - conv.padding[d] + element % width * conv.dilation[d];
    if (in < 0 || in >= conv.input.size(d + 2)) return std::nullopt;
    met += in * step;
    step *= conv.input.size(d + 2);
    position /= out.size(d + 2), element /= width;
  }
  return position * step + met;  // What is left of the position is the image of the batch.
}

std::unique_ptr<Plan> make_plan(const Convolution& conv, const Tensor& out) {
  int64_t channels_in = conv.weight.size(1), channels_out = conv.weight.size(0);
  int64_t window = conv.weight.numel() / channels_in / channels_out;
  auto any = matrix(channels_in, channels_out, memory::format_tag::any);
  auto plan = std::make_unique<Plan>();
  // The packing that suits most positions serves fewer, too.
  plan->tap_weights = product_of(most_positions, any).weights_desc();
  if (plan->tap_weights.data.format_kind != dnnl_blocked) return nullptr;
  plan->weights = stacked(plan->tap_weights, window);
  plan->own_weights = onednn::desc_of(Dims{window, channels_in, channels_out},
                                      Dims{1, window, window * channels_in});
  plan->own_source = onednn::desc_of(conv.input), plan->source = rows_of(conv.input.sizes());
  plan->destination = rows_of(out.sizes()), plan->own_destination = onednn::desc_of(out);
  plan->copy_in = onednn::copy_between(plan->own_source, plan->source);
  plan->copy_out = onednn::copy_between(plan->destination, plan->own_destination);
  for (int64_t element = 0; element < window; ++element) {
    Tap tap;
    for (int64_t position = 0; position < positions_of(out); ++position) {
      if (auto met = met_by(conv, out, element, position)) tap.meets.emplace_back(position, *met);
    }
    if (!tap.meets.empty()) {
      auto chosen = product_of(static_cast<int64_t>(tap.meets.size()), plan->tap_weights);
      tap.product = dnnl::matmul(chosen);
      tap.source = chosen.src_desc(), tap.result = chosen.dst_desc();
      tap.scratchpad = chosen.scratchpad_desc();
    }
    plan->taps.push_back(std::move(tap));
  }
  return plan;
}

const Plan* plan_of(const Convolution& conv, const Tensor& out) {
  thread_local onednn::Plans<Plan> plans;
  onednn::Key key;
  for (const Tensor* t : {&conv.input, &conv.weight, &out}) onednn::append(key, *t);
  for (const Dims* list : {&conv.stride, &conv.padding, &conv.dilation}) {
    onednn::append(key, *list);
  }
  return plans.get(std::move(key), [&] { return make_plan(conv, out); });
}

ASSAY_VECTORIZED void add_row(const float* from, int64_t count, float* to) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) to[i] += from[i];
}

/// The rows that the tap meets times its weights, added to those of the result.
void run_tap(const Tap& tap, const memory& weights, const float* in, float* out, float* work) {
  auto rows = static_cast<int64_t>(tap.meets.size());
  int64_t channels_in = tap.source.dims()[1], channels_out = tap.result.dims()[1];
  for (int64_t r = 0; r < rows; ++r) {
    std::copy_n(in + tap.meets[r].second * channels_in, channels_in, work + r * channels_in);
  }
  float* made = work + rows * channels_in;
  onednn::run(tap.product, tap.scratchpad,
              {{DNNL_ARG_SRC, onednn::wrap(tap.source, work)},
               {DNNL_ARG_WEIGHTS, weights},
               {DNNL_ARG_DST, onednn::wrap(tap.result, made)}});
  for (int64_t r = 0; r < rows; ++r) {
    add_row(made + r * channels_out, channels_out, out + tap.meets[r].first * channels_out);
  }
}

/// The bias, or zeros, at each position.
void begin_rows(const Convolution& conv, int64_t positions, float* rows) {
  int64_t channels = conv.weight.size(0);
  if (!conv.bias) {
    std::fill_n(rows, positions * channels, 0.f);
    return;
  }
  for (int64_t p = 0; p < positions; ++p) {
    std::copy_n(conv.bias.device_data<float>(), channels, rows + p * channels);
  }
}

}  // namespace

bool convolve_few_positions(const Convolution& conv, const Tensor& out) {
  int64_t positions = positions_of(out);
  bool few = positions <= most_positions && conv.weight.numel() >= least_weights &&
             conv.input.numel() <= conv.weight.numel();
  if (!few || conv.transposed || conv.groups != 1 || conv.scale || !conv.weight.is_contiguous()) {
    return false;
  }
  const Plan* plan = plan_of(conv, out);
  if (!plan) return false;
  memory weights = onednn::packed(conv.weight, {}, plan->own_weights, plan->weights);
  memory in = onednn::in_layout(conv.input, plan->own_source, plan->source, plan->copy_in,
                                onednn::for_source);
  void* rows = out.device_address();
  if (plan->copy_out) rows = onednn::scratch(onednn::for_destination, plan->destination.get_size());
  auto* sum = static_cast<float*>(rows);
  begin_rows(conv, positions, sum);
  int64_t each = conv.weight.size(0) + conv.weight.size(1);
  auto* work = static_cast<float*>(
      onednn::scratch(onednn::for_weights, static_cast<size_t>(positions * each) * sizeof(float)));
  const auto* packed = static_cast<const std::byte*>(weights.get_data_handle());
  for (size_t t = 0; t < plan->taps.size(); ++t) {
    const Tap& tap = plan->taps[t];
    if (tap.meets.empty()) continue;
    memory own = onednn::wrap(plan->tap_weights, packed + t * plan->tap_weights.get_size());
    run_tap(tap, own, static_cast<const float*>(in.get_data_handle()), sum, work);
  }
  if (plan->copy_out) {
    onednn::reorder(onednn::wrap(plan->destination, sum),
                    onednn::wrap(plan->own_destination, out.device_address()), plan->copy_out);
  }
  return true;
}

}  // namespace assay::kernels::cpu
