#include "engine/ops/composite/traced_parts.h"

#include <unordered_map>

#include "engine/ops/argument_names.h"

namespace assay::ops::composite {
namespace {

using core::Value;
using core::Values;

/// The call whose parts are wanted: its arguments by name.
struct Whole {
  const Operator& op;
  std::span<const Value> args;
  const CallPart& call;

  const Value& operator[](ArgName name) const { return args[op.position(name)]; }
  /// The one result of a part.
  Value one(std::string_view part, Values given) const {
    return call(part, std::move(given)).at(0);
  }
};

/// A single number stands for one for each spatial dimension.
Value for_each_dim(const Value& value, int64_t dims) {
  if (value.is_list()) return value;
  return core::make_list(core::int_type(), Values(static_cast<size_t>(dims), value));
}

Values convolution(const Whole& whole, int64_t dims, bool transposed) {
  Value input = whole[arg::input];
  bool batched = input.to_tensor().dim() != dims + 1;
  if (!batched) input = whole.one("aten::unsqueeze", {input, 0});
  Value stride = for_each_dim(whole[arg::stride], dims);
  Value dilation = for_each_dim(whole[arg::dilation], dims);
  Value result;
  if (whole[arg::padding].is_string()) {
    result =
        whole.one("aten::_convolution_mode", {input, whole[arg::weight], whole[arg::bias], stride,
                                              whole[arg::padding], dilation, whole[arg::groups]});
  } else {
    Value padding = for_each_dim(whole[arg::padding], dims);
    Value output_padding = for_each_dim(transposed ? whole[arg::output_padding] : Value(0), dims);
    result = whole.one("aten::_convolution",
                       {input, whole[arg::weight], whole[arg::bias], stride, padding, dilation,
                        transposed, output_padding, whole[arg::groups], false, false, true, true});
  }
  if (!batched) result = whole.one("aten::squeeze.dim", {result, 0});
  return {result};
}

/// `aten::convolution` says all but PyTorch's settings.
Values general_convolution(const Whole& whole) {
  return {whole.one("aten::_convolution",
                    {whole[arg::input], whole[arg::weight], whole[arg::bias], whole[arg::stride],
                     whole[arg::padding], whole[arg::dilation], whole[arg::transposed],
                     whole[arg::output_padding], whole[arg::groups], false, false, true, true})};
}

template <int dims, bool transposed>
Values convolution(const Whole& whole) {
  return convolution(whole, dims, transposed);
}

Value linear_of_hidden(const Whole& whole, const Value& hidden) {
  return whole.one("aten::linear", {hidden, whole[arg::w_hh], whole[arg::b_hh]});
}

Value linear_of_input(const Whole& whole) {
  return whole.one("aten::linear", {whole[arg::input], whole[arg::w_ih], whole[arg::b_ih]});
}

Values chunks(const Whole& whole, const Value& gates, int64_t count) {
  return whole.one("aten::unsafe_chunk", {gates, count, 1}).list().items;
}

Value sum_into(const Whole& whole, const Value& into, const Value& other) {
  return whole.one("aten::add_.Tensor", {into, other, 1});
}

Values lstm_cell(const Whole& whole) {
  const Values hidden = whole[arg::hx].list().items;
  Value of_hidden = linear_of_hidden(whole, hidden[0]);
  Value gates = sum_into(whole, of_hidden, linear_of_input(whole));
  Values parts = chunks(whole, gates, 4);
  Value in = whole.one("aten::sigmoid_", {parts[0]});
  Value forget = whole.one("aten::sigmoid_", {parts[1]});
  Value cell = whole.one("aten::tanh_", {parts[2]});
  Value out = whole.one("aten::sigmoid_", {parts[3]});
  Value kept = whole.one("aten::mul.Tensor", {forget, hidden[1]});
  Value state = sum_into(whole, kept, whole.one("aten::mul.Tensor", {in, cell}));
  Value shown = whole.one("aten::mul.Tensor", {out, whole.one("aten::tanh", {state})});
  return {shown, state};
}

Values gru_cell(const Whole& whole) {
  Values of_input = chunks(whole, linear_of_input(whole), 3);
  Values of_hidden = chunks(whole, linear_of_hidden(whole, whole[arg::hx]), 3);
  Value reset = whole.one("aten::sigmoid_", {sum_into(whole, of_hidden[0], of_input[0])});
  Value update = whole.one("aten::sigmoid_", {sum_into(whole, of_hidden[1], of_input[1])});
  Value kept = whole.one("aten::mul_.Tensor", {of_hidden[2], reset});
  Value fresh = whole.one("aten::tanh_", {whole.one("aten::add.Tensor", {of_input[2], kept, 1})});
  Value difference = whole.one("aten::sub.Tensor", {whole[arg::hx], fresh, 1});
  return {sum_into(whole, whole.one("aten::mul_.Tensor", {difference, update}), fresh)};
}

Values simple_cell(const Whole& whole, std::string_view nonlinearity) {
  Value of_hidden = linear_of_hidden(whole, whole[arg::hx]);
  return {whole.one(nonlinearity, {sum_into(whole, of_hidden, linear_of_input(whole))})};
}

Values tanh_cell(const Whole& whole) { return simple_cell(whole, "aten::tanh"); }
Values relu_cell(const Whole& whole) { return simple_cell(whole, "aten::relu"); }

using Parts = Values (*)(const Whole&);

const std::unordered_map<base::Symbol, Parts>& all_parts() {
  static const std::unordered_map<base::Symbol, Parts> all{
      {"aten::convolution", general_convolution},
      {"aten::conv1d", convolution<1, false>},
      {"aten::conv2d", convolution<2, false>},
      {"aten::conv3d", convolution<3, false>},
      {"aten::conv_transpose1d", convolution<1, true>},
      {"aten::conv_transpose2d", convolution<2, true>},
      {"aten::conv_transpose3d", convolution<3, true>},
      {"aten::lstm_cell", lstm_cell},
      {"aten::gru_cell", gru_cell},
      {"aten::rnn_tanh_cell", tanh_cell},
      {"aten::rnn_relu_cell", relu_cell},
  };
  return all;
}

}  // namespace

bool has_traced_parts(const Operator& op) { return all_parts().count(op.symbol) != 0; }

Values call_traced_parts(const Operator& op, std::span<const Value> args, const CallPart& call) {
  return all_parts().at(op.symbol)(Whole{op, args, call});
}

}  // namespace assay::ops::composite
