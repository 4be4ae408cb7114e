#include "engine/ops/infer/recurrent.h"

#include <algorithm>
#include <initializer_list>

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::ops::infer {

using core::Dims;
using core::Tensor;

Recurrent::Layer Recurrent::layer(int64_t index, int64_t direction) const {
  size_t per_layer = 2 + (biases ? 2 : 0) + (projects ? 1 : 0);
  size_t at = static_cast<size_t>(index * directions() + direction) * per_layer;
  Layer l{params[at], params[at + 1], {}, {}, {}};
  if (biases) l.b_ih = params[at + 2], l.b_hh = params[at + 3];
  if (projects) l.w_hr = params[at + per_layer - 1];
  return l;
}

int64_t Recurrent::packed_rows() const {
  bool one_row_each = batch_sizes.numel() == input.size(0);
  return one_row_each ? base::checked_mul(input.size(0), batch()) : input.size(0);
}

namespace {

Tensor swapped(const Tensor& t) {
  return t.view(Dims{t.size(1), t.size(0), t.size(2)}, Dims{t.stride(1), t.stride(0), t.stride(2)},
                t.offset());
}

/// Whether the operator has one of these rules.
bool is_one_of(const Call& c, std::initializer_list<const Rule*> rules) {
  return std::find(rules.begin(), rules.end(), &c.op.rule()) != rules.end();
}
bool is_lstm(const Call& c) { return is_one_of(c, {&lstm, &lstm_packed, &lstm_cell}); }

int64_t gates_of(const Call& c) {
  return is_lstm(c) ? 4 : is_one_of(c, {&gru, &gru_packed, &gru_cell}) ? 3 : 1;
}

/// Which element types layers have: PyTorch's CPU kernels of products lack bool and half, and only
/// relu takes integers.
void check_type(const Call& c, const Tensor& weight) {
  core::DType dtype = weight.dtype();
  bool cpu = weight.device().type == core::DeviceType::cpu;
  base::check(dtype != core::DType::boolean && !(cpu && dtype == core::DType::float16),
              "\"addmm_impl_cpu_\" not implemented for '", core::script_name(dtype), "'");
  if (core::is_complex(dtype)) base::unsupported("recurrent layers of complex numbers");
  bool relu = is_one_of(c, {&rnn_relu, &rnn_relu_packed, &rnn_relu_cell});
  base::check(relu || !core::is_integral(dtype, true),
              "result type Float can't be cast to the desired output type ",
              core::script_name(dtype));
}

void check_layer(const Recurrent::Layer& l, int64_t in, int64_t hidden, int64_t out, int64_t rows,
                 int64_t gates) {
  base::check(l.w_ih.dim() == 2 && l.w_hh.dim() == 2,
              "weights of a recurrent layer must be matrices, but have shapes ", l.w_ih.sizes(),
              " and ", l.w_hh.sizes());
  base::check(l.w_ih.size(1) == in, "mat1 and mat2 shapes cannot be multiplied (", rows, "x", in,
              " and ", l.w_ih.size(1), "x", l.w_ih.size(0), ")");
  base::check(l.w_hh.size(1) == out, "mat1 and mat2 shapes cannot be multiplied (", rows, "x", out,
              " and ", l.w_hh.size(1), "x", l.w_hh.size(0), ")");
  bool fits = l.w_ih.size(0) == gates * hidden && l.w_hh.size(0) == gates * hidden;
  for (const Tensor& b : {l.b_ih, l.b_hh}) fits &= !b || b.numel() == gates * hidden;
  if (l.w_hr) fits &= l.w_hr.dim() == 2 && l.w_hr.size(0) == out && l.w_hr.size(1) == hidden;
  base::check(fits, "the parameters of a recurrent layer do not fit a hidden size of ", hidden,
              ": ", l.w_ih.sizes(), " and ", l.w_hh.sizes());
}

void check_parameters(const Recurrent& r, int64_t gates) {
  auto per_layer = static_cast<int64_t>(2 + (r.biases ? 2 : 0) + (r.projects ? 1 : 0));
  int64_t passes = base::checked_mul(r.layers, r.directions());
  base::check(static_cast<int64_t>(r.params.size()) == base::checked_mul(passes, per_layer),
              "got an incorrect number of RNN parameters");
  base::check(r.h0.size(0) == passes, "Expected more hidden states in stacked_rnn");
  base::check(!r.c0 || r.c0.size(0) == r.h0.size(0), "Expected more hidden states in stacked_rnn");
  int64_t in = r.input.sizes().back();
  int64_t hidden = r.c0 ? r.c0.size(2) : r.out();
  int64_t rows = in == 0 ? 0 : r.input.numel() / in;
  for (int64_t l = 0; l < r.layers; ++l) {
    for (int64_t d = 0; d < r.directions(); ++d) {
      check_layer(r.layer(l, d), in, hidden, r.out(), rows, gates);
    }
    in = r.out() * r.directions();
  }
}

Tensor with_rows(const Tensor& t, int64_t rows) {
  return views::expand(t, Dims{t.size(0), rows, t.size(2)});
}

/// A first state of several rows goes with an input of one, and the two first states of lstm with
/// each other if one of them has one row, since PyTorch's steps broadcast.
void join_rows(Recurrent& r) {
  int64_t rows = r.batch();
  if (!r.packed()) {
    base::check(r.input.size(0) > 0, "Expected sequence length to be larger than 0 in RNN");
    check_rows(r.input.size(1), rows);
    // A state of one row grows to the other's only beside an input of one row.
    if (r.c0 && rows == 1) rows = r.c0.size(1);
    if (r.layers > 1) check_rows(rows, r.batch());
    if (r.input.size(1) == 1) r.input = with_rows(r.input, rows);
  } else if (r.c0 && rows == 1 && r.batch_sizes.numel() == r.input.size(0)) {
    rows = r.c0.size(1);
  }
  bool sliced = r.packed() && r.bidirectional;
  base::check(!r.c0 || r.c0.size(1) == rows || (r.c0.size(1) == 1 && !sliced),
              "The size of tensor a (", rows, ") must match the size of tensor b (",
              r.c0 ? r.c0.size(1) : 0, ") at non-singleton dimension 0");
  r.h0 = with_rows(r.h0, rows);
  if (r.c0) r.c0 = with_rows(r.c0, rows);
}

void infer_recurrent(RuleCall& c) {
  Recurrent r = recurrent_of(c);
  int64_t width = r.out() * r.directions();
  if (r.packed()) {
    c.declare(Dims{r.packed_rows(), width}, r.input.dtype());
  } else if (r.batch_first) {
    int64_t time = r.input.size(0), batch = r.input.size(1);
    c.declare(Dims{batch, time, width}, Dims{width, batch * width, 1}, r.input.dtype());
  } else {
    c.declare(Dims{r.input.size(0), r.input.size(1), width}, r.input.dtype());
  }
  c.declare(r.h0.sizes(), r.input.dtype());
  if (r.c0) c.declare(r.c0.sizes(), r.input.dtype());
}

void check_cell(const Call& c, const Tensor& h, int64_t gates) {
  Tensor x = c.tensor(arg::input);
  base::check(x.size(0) == h.size(0), "Input batch size ", x.sizes(), " doesn't match hidden",
              h.sizes());
  Recurrent::Layer l{
      c.tensor(arg::w_ih), c.tensor(arg::w_hh), c.tensor(arg::b_ih), c.tensor(arg::b_hh), {}};
  check_type(c, l.w_ih);
  check_layer(l, x.size(1), h.size(1), h.size(1), x.size(0), gates);
}

void infer_cell(RuleCall& c) {
  Tensor h = c.tensor(arg::hx);
  check_cell(c, h, gates_of(c));
  c.declare(h.sizes(), h.dtype());
}

void infer_lstm_cell(RuleCall& c) {
  auto state = c.tensors(arg::hx);
  base::check(state.size() == 2, "lstm_cell expects two hidden states");
  check_cell(c, state[0], 4);
  base::check(state[0].sizes() == state[1].sizes(),
              "the hidden states of lstm_cell differ: ", state[0].sizes(), " and ",
              state[1].sizes());
  c.declare(state[0].sizes(), state[0].dtype());
  c.declare(state[1].sizes(), state[1].dtype());
}

}  // namespace

void check_rows(int64_t input, int64_t state) {
  base::check(input == state || input == 1, "The size of tensor a (", state,
              ") must match the size of tensor b (", input, ") at non-singleton dimension 0");
}

Recurrent recurrent_of(const Call& c) {
  bool packed = c.has(arg::batch_sizes), has_cells = is_lstm(c);
  Recurrent r;
  r.input = c.tensor(packed ? arg::data : arg::input);
  if (packed) r.batch_sizes = c.tensor(arg::batch_sizes);
  if (has_cells) {
    auto states = c.tensors(arg::hx);
    base::check(states.size() == 2, "lstm expects two hidden states");
    r.h0 = states[0], r.c0 = states[1];
  } else {
    r.h0 = c.tensor(arg::hx);
  }
  r.params = c.tensors(arg::params);
  r.biases = c.boolean(arg::has_biases);
  r.layers = c.integer(arg::num_layers);
  r.dropout = c.floating(arg::dropout);
  r.train = c.boolean(arg::train);
  r.bidirectional = c.boolean(arg::bidirectional);
  r.batch_first = !packed && c.boolean(arg::batch_first);
  r.projects = has_cells && r.h0.size(2) != r.c0.size(2);
  if (r.batch_first) r.input = swapped(r.input);
  check_type(c, r.params[0]);
  check_parameters(r, gates_of(c));
  join_rows(r);
  return r;
}

const Rule lstm{infer_recurrent}, gru{infer_recurrent}, rnn_tanh{infer_recurrent},
    rnn_relu{infer_recurrent};
const Rule lstm_packed{infer_recurrent, false, Devices::counts_on_cpu};
const Rule gru_packed{infer_recurrent, false, Devices::counts_on_cpu};
const Rule rnn_tanh_packed{infer_recurrent, false, Devices::counts_on_cpu};
const Rule rnn_relu_packed{infer_recurrent, false, Devices::counts_on_cpu};
const Rule gru_cell{infer_cell}, rnn_tanh_cell{infer_cell}, rnn_relu_cell{infer_cell};
const Rule lstm_cell{infer_lstm_cell};

}  // namespace assay::ops::infer
