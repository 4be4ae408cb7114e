#include "engine/trace/detours.h"

#include <unordered_map>

#include "engine/base/error.h"

namespace assay::trace {
namespace {

using core::Value;
using core::Values;

/// A call that is replaced: its arguments by name.
struct Call {
  const ops::Operator& op;
  std::span<const Value> args;
  const RecordCall& record;

  const Value& operator[](std::string_view name) const {
    return args[*op.schema.find_argument(name)];
  }
  Value one(std::string_view name, Values given) const {
    return record(name, std::move(given)).at(0);
  }
};

/// A single number stands for one for each spatial dimension.
Value for_each_dim(const Value& value, int64_t dims) {
  if (value.is_list()) return value;
  return core::make_list(core::int_type(), Values(static_cast<size_t>(dims), value));
}

Values convolution(const Call& call, int64_t dims, bool transposed) {
  Value input = call["input"];
  bool batched = input.to_tensor().dim() != dims + 1;
  if (!batched) input = call.one("aten::unsqueeze", {input, 0});
  Value stride = for_each_dim(call["stride"], dims);
  Value dilation = for_each_dim(call["dilation"], dims);
  Value result;
  if (call["padding"].is_string()) {
    result = call.one("aten::_convolution_mode", {input, call["weight"], call["bias"], stride,
                                                  call["padding"], dilation, call["groups"]});
  } else {
    Value padding = for_each_dim(call["padding"], dims);
    Value output_padding = for_each_dim(transposed ? call["output_padding"] : Value(0), dims);
    result = call.one("aten::_convolution",
                      {input, call["weight"], call["bias"], stride, padding, dilation, transposed,
                       output_padding, call["groups"], false, false, true, true});
  }
  if (!batched) result = call.one("aten::squeeze.dim", {result, 0});
  return {result};
}

/// `aten::convolution` says all but PyTorch's settings.
Values general_convolution(const Call& call) {
  return {call.one("aten::_convolution",
                   {call["input"], call["weight"], call["bias"], call["stride"], call["padding"],
                    call["dilation"], call["transposed"], call["output_padding"], call["groups"],
                    false, false, true, true})};
}

template <int dims, bool transposed>
Values convolution(const Call& call) {
  return convolution(call, dims, transposed);
}

Value linear_of_hidden(const Call& call, const Value& hidden) {
  return call.one("aten::linear", {hidden, call["w_hh"], call["b_hh"]});
}

Value linear_of_input(const Call& call) {
  return call.one("aten::linear", {call["input"], call["w_ih"], call["b_ih"]});
}

Values chunks(const Call& call, const Value& gates, int64_t count) {
  return call.one("aten::unsafe_chunk", {gates, count, 1}).list().items;
}

Value sum_into(const Call& call, const Value& into, const Value& other) {
  return call.one("aten::add_.Tensor", {into, other, 1});
}

Values lstm_cell(const Call& call) {
  const Values hidden = call["hx"].list().items;
  Value of_hidden = linear_of_hidden(call, hidden[0]);
  Value gates = sum_into(call, of_hidden, linear_of_input(call));
  Values parts = chunks(call, gates, 4);
  Value in = call.one("aten::sigmoid_", {parts[0]});
  Value forget = call.one("aten::sigmoid_", {parts[1]});
  Value cell = call.one("aten::tanh_", {parts[2]});
  Value out = call.one("aten::sigmoid_", {parts[3]});
  Value kept = call.one("aten::mul.Tensor", {forget, hidden[1]});
  Value state = sum_into(call, kept, call.one("aten::mul.Tensor", {in, cell}));
  Value shown = call.one("aten::mul.Tensor", {out, call.one("aten::tanh", {state})});
  return {shown, state};
}

Values gru_cell(const Call& call) {
  Values of_input = chunks(call, linear_of_input(call), 3);
  Values of_hidden = chunks(call, linear_of_hidden(call, call["hx"]), 3);
  Value reset = call.one("aten::sigmoid_", {sum_into(call, of_hidden[0], of_input[0])});
  Value update = call.one("aten::sigmoid_", {sum_into(call, of_hidden[1], of_input[1])});
  Value kept = call.one("aten::mul_.Tensor", {of_hidden[2], reset});
  Value fresh = call.one("aten::tanh_", {call.one("aten::add.Tensor", {of_input[2], kept, 1})});
  Value difference = call.one("aten::sub.Tensor", {call["hx"], fresh, 1});
  return {sum_into(call, call.one("aten::mul_.Tensor", {difference, update}), fresh)};
}

Values simple_cell(const Call& call, std::string_view nonlinearity) {
  Value of_hidden = linear_of_hidden(call, call["hx"]);
  return {call.one(nonlinearity, {sum_into(call, of_hidden, linear_of_input(call))})};
}

Values tanh_cell(const Call& call) { return simple_cell(call, "aten::tanh"); }
Values relu_cell(const Call& call) { return simple_cell(call, "aten::relu"); }

using Detour = Values (*)(const Call&);

const std::unordered_map<base::Symbol, Detour>& detours() {
  static const std::unordered_map<base::Symbol, Detour> all{
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

bool takes_detour(const ops::Operator& op) { return detours().count(op.symbol) != 0; }

Values take_detour(const ops::Operator& op, std::span<const Value> args, const RecordCall& record) {
  return detours().at(op.symbol)(Call{op, args, record});
}

}  // namespace assay::trace
