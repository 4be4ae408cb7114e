// How the arguments of operators with structure fit together. Each family draws right arguments and
// lets a few draws go wrong; arguments that it does not name are drawn from their types.

#include <fmt/core.h>

#include <array>

#include "engine/core/elements.h"
#include "tests/engine/kernels/calls.h"
#include "tests/engine/kernels/draw.h"

namespace assay::kernels::testing {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;
using ops::Operator;

/// Elements for operators that add up many: large ones leave only the bound's slack to see, but NaN
/// and infinities show.
Fill fill_for_sums() {
  if (chance(10)) return Fill::special;
  return one_of<Fill>({Fill::grid, Fill::normal, Fill::normal, Fill::wide});
}

/// A slightly wrong size, once in a while.
int64_t nearly(int64_t n) { return chance(2) ? n + 1 : n; }

Value ints(const Dims& list) { return core::make_int_list(list); }

Value maybe(Tensor t) { return chance(30) ? Value() : Value(std::move(t)); }

/// What all tensors of one call are drawn alike in.
struct Maker {
  DType dtype = draw_dtype();
  Fill fill = fill_for_sums();

  Tensor operator()(const Dims& sizes) const { return draw_tensor(sizes, dtype, fill); }
  /// A vector, sometimes of another type.
  Tensor vector(int64_t count) const {
    return draw_tensor(Dims{nearly(count)}, chance(3) ? DType::float64 : dtype, fill);
  }
};

bool has(const Operator& op, const char* name) { return op.schema.find_argument(name).has_value(); }

std::string first_name(const Operator& op) { return op.schema.arguments[0].name; }

size_t spatial_of(const Operator& op) {
  for (size_t n : {1u, 2u, 3u}) {
    if (op.schema.name.find(fmt::format("{}d", n)) != std::string::npos) return n;
  }
  return static_cast<size_t>(between(1, 3));
}

void convolution(const Operator& op, Named& named) {
  Maker make;
  size_t spatial = spatial_of(op);
  bool fused = op.schema.name == "assay::convolution";
  bool transposed = op.schema.name.find("transpose") != std::string::npos ||
                    (has(op, "transposed") && chance(40));
  int64_t groups = chance(30) ? between(2, 4) : 1;
  int64_t in = nearly(groups * between(1, 5)), out = nearly(groups * between(1, 5));
  Dims weight = transposed ? Dims{in, out / groups} : Dims{out, in / groups};
  Dims input{between(1, 3) - (chance(3) ? 1 : 0), nearly(in)};
  int64_t longest = spatial == 1 ? 40 : spatial == 2 ? 13 : 6;
  Dims stride, padding, dilation, extra;
  for (size_t d = 0; d < spatial; ++d) {
    weight.push_back(between(1, spatial == 3 ? 3 : 5));
    input.push_back(between(1, longest) + weight.back() - 1);
    stride.push_back(between(1, 3));
    padding.push_back(between(0, 3));
    dilation.push_back(between(1, 3));
    extra.push_back(transposed ? between(0, 2) : 0);
  }
  if (!fused && chance(10)) input.erase(0);  // Without a batch.
  Tensor image = make(input);
  named[first_name(op)] = image;
  // Whether padding is multiplied, which makes NaN of an infinite weight, is a kernel's own
  // business.
  Fill finite = make.fill == Fill::special ? Fill::wide : make.fill;
  named["weight"] = draw_tensor(weight, make.dtype, finite);
  named["bias"] = maybe(make.vector(out));
  named["stride"] = ints(stride);
  named["dilation"] = ints(dilation);
  named["groups"] = groups;
  named["transposed"] = transposed;
  named["output_padding"] = ints(extra);
  bool by_name = op.schema.overload == "padding" || op.schema.name == "aten::_convolution_mode";
  named["padding"] =
      by_name ? Value(one_of<std::string>({"valid", "same", "other"})) : ints(padding);
  if (!fused) return;
  Dims result{image.size(0), out};
  for (size_t d = 0; d < spatial; ++d) {
    int64_t reach = dilation[d] * (weight[d + 2] - 1) + 1;
    result.push_back(std::max<int64_t>(0, (input[d + 2] + 2 * padding[d] - reach) / stride[d] + 1));
  }
  named["residual"] = maybe(make(result));
  DType factors = chance(3) ? DType::float32 : DType::float64;
  named["scale"] = maybe(draw_tensor(Dims{nearly(out)}, factors, finite));
}

void linear(const Operator& op, Named& named) {
  Maker make;
  int64_t in = nearly(draw_size()), out = draw_size();
  Dims sizes = draw_sizes(0, 3);
  sizes.push_back(nearly(in));
  named[first_name(op)] = make(sizes);
  named["weight"] = make(chance(10) ? Dims{in} : Dims{out, in});
  named["bias"] = maybe(chance(5) ? make(Dims{1, out}) : make.vector(out));
}

/// self x other, and the operators that add to it.
void product(const Operator& op, Named& named) {
  Maker make;
  int64_t rows = draw_size(), inner = draw_size(), columns = draw_size();
  const std::string& name = op.schema.name;
  bool batched = name == "aten::bmm" || name == "aten::baddbmm";
  Dims left{rows, inner}, right{nearly(inner), columns}, result{rows, columns};
  if (batched) {
    int64_t batch = between(0, 4);
    for (Dims* sizes : {&left, &right, &result}) sizes->insert(0, batch);
  }
  if (name == "aten::mv") right = {nearly(inner)};
  if (name == "aten::matmul") {
    Dims lead = draw_sizes(0, 2);
    for (Dims* sizes : {&left, &right}) {
      for (size_t d = lead.size(); d-- > 0 && !chance(25);) {
        sizes->insert(0, chance(20) ? 1 : lead[d]);
      }
    }
    if (chance(15)) left = {inner};
    if (chance(15)) right = {inner};
  }
  const auto& arguments = op.schema.arguments;
  size_t first = 0;
  if (has(op, "beta")) {
    first = 1;
    if (chance(40)) result.erase(0);
    if (chance(20)) result[static_cast<size_t>(between(0, 0))] = 1;
    named["self"] = make(result);
    named["beta"] = chance(50) ? Value(1) : Value(draw_factor());
    named["alpha"] = chance(50) ? Value(1) : Value(draw_factor());
  }
  named[arguments[first].name] = make(left);
  named[arguments[first + 1].name] = make(right);
}

/// An image with or without a batch.
Dims image_sizes() {
  Dims sizes;
  if (!chance(15)) sizes.push_back(between(1, 3) - (chance(5) ? 1 : 0));
  sizes.push_back(between(1, 7));
  sizes.push_back(between(1, 20));
  sizes.push_back(between(1, 20));
  return sizes;
}

void pooling(const Operator&, Named& named) {
  Maker make;
  Dims kernel, stride, padding, dilation;
  for (int d = 0; d < 2; ++d) {
    kernel.push_back(between(1, 5));
    stride.push_back(between(1, 4));
    padding.push_back(between(0, kernel.back() / 2));
    dilation.push_back(between(1, 2));
  }
  named["self"] = draw_tensor(image_sizes(), make.dtype, chance(20) ? Fill::special : make.fill);
  named["kernel_size"] = ints(kernel);
  named["stride"] = chance(20) ? ints({}) : ints(stride);
  named["padding"] = ints(padding);
  named["dilation"] = ints(dilation);
  named["divisor_override"] = chance(80) ? Value() : Value(between(1, 9) - (chance(10) ? 1 : 0));
  named["output_size"] = ints({between(1, 8) - (chance(5) ? 1 : 0), between(1, 8)});
}

void normalization(const Operator& op, Named& named) {
  Maker make;
  make.fill = one_of<Fill>({Fill::grid, Fill::normal});
  const std::string& name = op.schema.name;
  int64_t groups = between(1, 4);
  int64_t channels = name == "aten::group_norm" ? nearly(groups * between(1, 4)) : between(1, 9);
  Dims sizes{between(0, 4), channels};
  for (int64_t rest = between(0, 3); rest-- > 0;) sizes.push_back(between(1, 9));
  named["input"] = make(sizes);
  bool layer = has(op, "normalized_shape");
  Dims normal{channels};
  if (layer)
    normal = Dims(sizes.begin() + between(1, static_cast<int64_t>(sizes.size()) - 1), sizes.end());
  auto entries = [&] { return layer && !chance(3) ? make(normal) : make.vector(channels); };
  named["normalized_shape"] = ints(normal);
  named["num_groups"] = groups;
  for (const char* affine : {"weight", "bias"}) named[affine] = maybe(entries());
  for (const char* affine : {"scale", "shift"}) named[affine] = make.vector(channels);
  bool keeps = !chance(name == "aten::instance_norm" ? 70 : 10);
  named["running_mean"] = keeps ? Value(make.vector(channels)) : Value();
  // Variances are not negative.
  Tensor ones = draw_plain(Dims{channels}, DType::boolean, Fill::grid);
  std::vector<core::Scalar> variances;
  for (int64_t i = 0; i < channels; ++i)
    variances.emplace_back(0.25 + (ones.data<core::Bool>()[i] ? 2 : 0));
  named["running_var"] =
      keeps ? Value(core::tensor_from(variances, Dims{channels}, make.dtype)) : Value();
  named["training"] = chance(20);
  named["use_input_stats"] = !chance(10);
  named["momentum"] = 0.1;
  named["eps"] = one_of<double>({1e-5, 1e-3, 1.0});
}

void embedding(const Operator&, Named& named) {
  int64_t rows = between(1, 20);
  named["weight"] = draw_tensor(Dims{rows, draw_size()}, draw_dtype(), Fill::special);
  Dims sizes = draw_sizes(0, 2);
  std::vector<int64_t> at;
  for (int64_t i = 0; i < core::numel(sizes); ++i) at.push_back((i * 7 + 3) % rows);
  if (!at.empty() && chance(5)) at.back() = chance(50) ? rows : -1;
  Tensor indices = int_tensor(sizes, at);
  if (sizes.size() == 2 && chance(30)) {
    indices = indices.view(Dims{sizes[1], sizes[0]}, Dims{1, sizes[1]}, 0);
  }
  named["indices"] = indices;
}

void upsample(const Operator& op, Named& named) {
  Maker make;
  Dims sizes = image_sizes();
  named[first_name(op)] = draw_tensor(sizes, make.dtype, chance(15) ? Fill::special : make.fill);
  auto scale = [] { return static_cast<double>(between(1, 40)) / 8; };
  bool by_size = op.schema.overload != "vec" || chance(50);
  named["output_size"] = by_size ? ints({between(1, 30), between(1, 30)}) : Value();
  named["scale_factors"] =
      by_size ? Value() : Value(core::make_list(core::float_type(), {scale(), scale()}));
  for (const char* name : {"scales_h", "scales_w"}) {
    named[name] = chance(70) ? Value() : Value(scale());
  }
}

void softmax(const Operator& op, Named& named) {
  Maker make;
  Dims sizes = draw_sizes(0, 4);
  auto rank = static_cast<int64_t>(sizes.size());
  named["self"] = draw_tensor(sizes, make.dtype, chance(30) ? Fill::special : make.fill);
  if (!has(op, "mask")) {
    named["dim"] = -1 - (chance(30) ? between(0, rank) : 0);
    named["half_to_float"] = chance(5);
    named["dtype"] = chance(80) ? Value() : Value(static_cast<int64_t>(draw_dtype()));
    return;
  }
  bool all = chance(20);  // Rows without any element shown.
  Tensor mask = draw_tensor(sizes, DType::boolean, Fill::grid);
  if (all && mask.numel() > 0) *mask.data<core::Bool>() = true;
  named["mask"] = mask;
  named["dim"] = chance(50) ? Value() : Value(rank - 1);
  named["mask_type"] = chance(95) ? Value(between(0, 2)) : Value();
}

void rescale(const Operator&, Named& named) {
  Maker make;
  int64_t heads = between(1, 4), width = 3 * heads * between(0, 5);
  named["qkv"] = make(Dims{between(0, 3), between(0, 7), width});
  named["qkv_bias"] = make(Dims{nearly(width)});
  named["num_heads"] = heads;
}

void concatenation(const Operator&, Named& named) {
  Dims sizes = draw_sizes(1, 4);
  auto dim = between(0, static_cast<int64_t>(sizes.size()) - 1);
  DType dtype = draw_dtype();
  core::Values items;
  for (int64_t i = between(0, 4); i > 0; --i) {
    sizes[static_cast<size_t>(dim)] = draw_size() % 12;
    Dims own = sizes;
    if (chance(2)) own.push_back(2);
    if (chance(3)) own = {0};
    items.push_back(draw_tensor(own, chance(5) ? draw_dtype() : dtype, Fill::special));
  }
  named["tensors"] = core::make_list(core::tensor_type(), items);
  named["dim"] = chance(40) ? dim - static_cast<int64_t>(sizes.size()) : dim;
}

/// Parameters are small, as trained ones are: a step then shrinks what rounding did before it.
struct Recurrence {
  DType dtype = draw_dtype();
  int64_t gates, hidden = between(1, 9), input = between(1, 9), batch = between(1, 4);

  explicit Recurrence(const Operator& op)
      : gates(op.schema.name.starts_with("aten::lstm")  ? 4
              : op.schema.name.starts_with("aten::gru") ? 3
                                                        : 1) {}
  Tensor state(const Dims& sizes) const { return draw_tensor(sizes, dtype, Fill::normal); }
  Tensor weight(const Dims& sizes) const {
    Tensor t = draw_tensor(sizes, dtype, Fill::grid);
    if (dtype == DType::float32) shrink<float>(t);
    if (dtype == DType::float64) shrink<double>(t);
    if (dtype == DType::float16) shrink<core::Half>(t);
    if (dtype == DType::bfloat16) shrink<core::BFloat16>(t);
    return t;
  }

 private:
  template <typename T>
  static void shrink(const Tensor& t) {
    auto by = static_cast<float>(8 * t.sizes().back());
    T* elements = reinterpret_cast<T*>(t.storage()->data());
    for (size_t i = 0; i < t.storage()->nbytes() / sizeof(T); ++i) {
      elements[i] = T(static_cast<float>(elements[i]) / by);
    }
  }
};

void recurrent_cell(const Operator& op, Named& named) {
  Recurrence r(op);
  int64_t rows = r.gates * r.hidden;
  Dims state{nearly(r.batch), r.hidden};
  named["input"] = r.state({r.batch, r.input});
  if (op.schema.name == "aten::lstm_cell") {
    named["hx"] = core::make_tensor_list({r.state(state), r.state(state)});
  } else {
    named["hx"] = r.state(state);
  }
  named["w_ih"] = r.weight({rows, r.input});
  named["w_hh"] = r.weight({rows, r.hidden});
  for (const char* bias : {"b_ih", "b_hh"}) {
    named[bias] = maybe(r.weight(chance(5) ? Dims{1, rows} : Dims{rows}));
  }
}

void recurrent(const Operator& op, Named& named) {
  Recurrence r(op);
  bool lstm = op.schema.name == "aten::lstm", packed = op.schema.overload == "data";
  bool both = chance(40), biases = chance(70), first = !packed && chance(40);
  int64_t layers = between(1, 3), directions = both ? 2 : 1, time = between(1, 6);
  int64_t out = lstm && chance(30) ? between(1, r.hidden) : r.hidden;
  std::vector<Tensor> params;
  for (int64_t l = 0, in = r.input; l < layers; ++l, in = out * directions) {
    for (int64_t d = 0; d < directions; ++d) {
      int64_t rows = r.gates * r.hidden;
      params.push_back(r.weight({rows, in}));
      params.push_back(r.weight({rows, out}));
      for (int b = 0; biases && b < 2; ++b) params.push_back(r.weight({rows}));
      if (out != r.hidden) params.push_back(r.weight({out, r.hidden}));
    }
  }
  if (chance(2)) params.pop_back();
  Dims h{layers * directions, nearly(r.batch), out}, c{layers * directions, r.batch, r.hidden};
  Tensor state = r.state(h);
  named["hx"] = lstm ? Value(core::make_tensor_list({state, r.state(c)})) : Value(state);
  named["params"] = core::make_tensor_list(params);
  named["has_biases"] = biases;
  named["num_layers"] = layers;
  named["dropout"] = chance(20) ? 0.5 : 0.0;
  named["train"] = chance(20);
  named["bidirectional"] = both;
  named["batch_first"] = first;
  if (!packed) {
    named["input"] = r.state(first ? Dims{r.batch, time, r.input} : Dims{time, r.batch, r.input});
    return;
  }
  std::vector<int64_t> steps;
  int64_t total = 0, rows = r.batch;
  for (int64_t t = 0; t < time; ++t) {
    if (t > 0 && rows > 1 && chance(40)) --rows;
    steps.push_back(rows);
    total += rows;
  }
  named["data"] = r.state({nearly(total), r.input});
  named["batch_sizes"] = int_tensor(Dims{time}, steps);
}

/// Bounds of segments that cover each row, but for a few draws that leave a rest or go beyond it.
void segments(const Operator&, Named& named) {
  Maker make;
  Dims sizes = draw_sizes(1, 4);
  int64_t axis = between(0, static_cast<int64_t>(sizes.size()) - 1);
  int64_t length = sizes[static_cast<size_t>(axis)], count = between(1, 4);
  bool by_offsets = chance(50);
  Dims rows(sizes.begin(), sizes.begin() + axis);
  std::vector<int64_t> bounds;
  for (int64_t row = core::numel(rows); row > 0; --row) {
    int64_t end = 0;
    if (by_offsets) bounds.push_back(0);
    for (int64_t k = 0; k < count; ++k) {
      int64_t begin = end;
      end = k + 1 == count ? nearly(length) : between(begin, std::max(begin, length));
      bounds.push_back(by_offsets ? end : end - begin);
    }
  }
  rows.push_back(by_offsets ? count + 1 : count);
  named["data"] = make(sizes);
  named["reduce"] = std::string(one_of<const char*>({"sum", "mean", "max", "min", "prod"}));
  named["lengths"] = by_offsets ? Value() : Value(int_tensor(rows, bounds));
  named["offsets"] = by_offsets ? Value(int_tensor(rows, bounds)) : Value();
  named["indices"] = Value();
  named["axis"] = chance(30) ? axis - static_cast<int64_t>(sizes.size()) : axis;
  named["unsafe"] = chance(30);
  named["initial"] = chance(70) ? Value() : Value(draw_float());
}

struct Row {
  const char* prefix;
  Family family;
};
constexpr Row families[] = {
    {"assay::convolution", convolution},
    {"aten::convolution", convolution},
    {"aten::_convolution", convolution},
    {"aten::mkldnn_convolution", convolution},
    {"aten::conv", convolution},
    {"aten::linear", linear},
    {"aten::mm", product},
    {"aten::bmm", product},
    {"aten::mv", product},
    {"aten::matmul", product},
    {"aten::addmm", product},
    {"aten::baddbmm", product},
    {"aten::max_pool2d", pooling},
    {"aten::avg_pool2d", pooling},
    {"aten::adaptive_avg_pool2d", pooling},
    {"aten::layer_norm", normalization},
    {"aten::native_layer_norm", normalization},
    {"aten::batch_norm", normalization},
    {"aten::group_norm", normalization},
    {"aten::instance_norm", normalization},
    {"assay::scale_channels", normalization},
    {"aten::embedding", embedding},
    {"aten::upsample", upsample},
    {"aten::softmax", softmax},
    {"aten::_softmax", softmax},
    {"aten::log_softmax", softmax},
    {"aten::_masked_softmax", softmax},
    {"aten::_transform_bias_rescale_qkv", rescale},
    {"aten::cat", concatenation},
    {"aten::lstm_cell", recurrent_cell},
    {"aten::gru_cell", recurrent_cell},
    {"aten::rnn_tanh_cell", recurrent_cell},
    {"aten::rnn_relu_cell", recurrent_cell},
    {"aten::lstm", recurrent},
    {"aten::gru", recurrent},
    {"aten::rnn_", recurrent},
    {"aten::segment_reduce", segments},
};

}  // namespace

Family family_of(const Operator& op) {
  for (const Row& row : families) {
    if (op.qualified_name.starts_with(row.prefix)) return row.family;
  }
  return nullptr;
}

}  // namespace assay::kernels::testing
