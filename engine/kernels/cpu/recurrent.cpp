// Recurrent layers of float32: one product for all inputs of a layer, then per step one for the
// state and a loop over the gates. Gates are ordered as in PyTorch (see the reference kernels).

#include "engine/ops/infer/recurrent.h"

#include <algorithm>
#include <cstring>

#include "engine/base/error.h"
#include "engine/kernels/common/recurrent_steps.h"
#include "engine/kernels/cpu/families.h"
#include "engine/kernels/cpu/onednn.h"
#include "engine/kernels/cpu/product.h"
#include "engine/kernels/cpu/vectorized.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::kernels::cpu {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::Tensor;
using ops::Call;
using ops::infer::Recurrent;

enum class Cell { lstm, gru, tanh, relu };

constexpr int64_t gates_of(Cell cell) { return cell == Cell::lstm ? 4 : cell == Cell::gru ? 3 : 1; }

/// x and h: the gates' shares from input and state, `hidden` values per gate.
ASSAY_VECTORIZED void lstm_row(const float* x, const float* h, int64_t hidden, float* cell,
                               float* out) {
#pragma omp simd
  for (int64_t i = 0; i < hidden; ++i) {
    float in = vector_sigmoid(x[i] + h[i]);
    float forget = vector_sigmoid(x[hidden + i] + h[hidden + i]);
    float fresh = vector_tanh(x[2 * hidden + i] + h[2 * hidden + i]);
    float show = vector_sigmoid(x[3 * hidden + i] + h[3 * hidden + i]);
    float next = forget * cell[i] + in * fresh;
    cell[i] = next;
    out[i] = show * vector_tanh(next);
  }
}

ASSAY_VECTORIZED void gru_row(const float* x, const float* h, int64_t hidden, float* state) {
#pragma omp simd
  for (int64_t i = 0; i < hidden; ++i) {
    float reset = vector_sigmoid(x[i] + h[i]);
    float keep = vector_sigmoid(x[hidden + i] + h[hidden + i]);
    float fresh = vector_tanh(x[2 * hidden + i] + reset * h[2 * hidden + i]);
    state[i] = fresh + keep * (state[i] - fresh);
  }
}

ASSAY_VECTORIZED void tanh_row(const float* x, const float* h, int64_t hidden, float* state) {
#pragma omp simd
  for (int64_t i = 0; i < hidden; ++i) state[i] = vector_tanh(x[i] + h[i]);
}

ASSAY_VECTORIZED void relu_row(const float* x, const float* h, int64_t hidden, float* state) {
#pragma omp simd
  for (int64_t i = 0; i < hidden; ++i) {
    float v = x[i] + h[i];
    state[i] = v < 0 ? 0 : v;
  }
}

/// The first `rows` rows of a matrix.
Tensor head(const Tensor& t, int64_t rows) { return ops::views::narrow(t, 0, 0, rows); }

/// rows x weight' + bias, into `out`.
void project(const Tensor& rows, const Tensor& weight, const Tensor& bias, const Tensor& out) {
  multiply({rows, ops::views::transpose(weight, 0, 1), bias, out, true});
}

/// One layer in one direction over all steps.
struct Pass {
  Cell cell;
  Recurrent::Layer layer;
  int64_t hidden;
  Tensor h, c;         ///< State, (batch, out) and (batch, hidden): row-major, changed in place.
  Tensor from_input;   ///< (rows, gates * hidden)
  Tensor from_state;   ///< Room for (batch, gates * hidden)
  Tensor unprojected;  ///< Room for (batch, hidden), where the layer projects.

  /// The first `count` rows of the state go with the input's row `begin` and those after it, or all
  /// with that one.
  void step(int64_t begin, int64_t count, bool share = false) {
    if (count == 0) return;
    project(head(h, count), layer.w_hh, layer.b_hh, head(from_state, count));
    int64_t width = gates_of(cell) * hidden;
    for (int64_t n = 0; n < count; ++n) {
      const float* x = from_input.device_data<float>() + (begin + (share ? 0 : n)) * width;
      const float* s = from_state.device_data<float>() + n * width;
      Tensor& target = unprojected ? unprojected : h;
      float* state = target.device_data<float>() + n * hidden;
      if (cell == Cell::lstm) lstm_row(x, s, hidden, c.device_data<float>() + n * hidden, state);
      if (cell == Cell::gru) gru_row(x, s, hidden, state);
      if (cell == Cell::tanh) tanh_row(x, s, hidden, state);
      if (cell == Cell::relu) relu_row(x, s, hidden, state);
    }
    if (unprojected) project(head(unprojected, count), layer.w_hr, {}, head(h, count));
  }
};

RecurrentSteps steps_of(const Recurrent& r) {
  if (!r.packed()) return {r, {}};
  const auto* sizes = r.batch_sizes.device_data<int64_t>();
  return {r, {sizes, sizes + r.batch_sizes.numel()}};
}

/// Runs one direction; its results become `width` columns of `out` (rows, directions * width).
void run_pass(Pass& pass, const RecurrentSteps& steps, bool reverse, float* out, int64_t out_step,
              int64_t width) {
  size_t count = steps.rows.size();
  for (size_t k = 0; k < count; ++k) {
    size_t t = reverse ? count - 1 - k : k;
    pass.step(steps.input_row(t, 0), steps.rows[t], steps.shares_rows);
    for (int64_t n = 0; n < steps.rows[t]; ++n) {
      std::memcpy(out + (steps.begin[t] + n) * out_step, pass.h.device_data<float>() + n * width,
                  static_cast<size_t>(width) * sizeof(float));
    }
  }
}

Tensor contiguous(const Call& c, const Tensor& t) {
  return t.is_contiguous() ? t : c.call_tensor("aten::contiguous", {t, 0});
}

/// A row-major copy of one state, inside the result that will hold the last one.
Tensor state_in(const Call& c, const Tensor& result, const Tensor& first, int64_t index) {
  Tensor to = ops::views::select(result, 0, index);
  Tensor from = contiguous(c, ops::views::select(first, 0, index));
  std::memcpy(to.device_address(), from.device_address(),
              static_cast<size_t>(to.numel()) * sizeof(float));
  return to;
}

bool is_bias(const Tensor& t) {
  return !t || (onednn::readable(t) && t.dim() == 1 && t.is_contiguous());
}

bool accepts_recurrent(const Call& c) {
  Recurrent r = ops::infer::recurrent_of(c);
  bool fits = r.input.dtype() == core::DType::float32 && r.input.numel() > 0 && r.h0.numel() > 0;
  if (r.packed())
    fits &= r.batch_sizes.dtype() == core::DType::int64 && r.batch_sizes.is_contiguous();
  for (const Tensor& t : r.params) fits &= onednn::readable(t);
  for (int64_t i = 0; i < r.layers * r.directions(); ++i) {
    Recurrent::Layer layer = r.layer(i / r.directions(), i % r.directions());
    fits &= is_bias(layer.b_ih) && is_bias(layer.b_hh);
  }
  return fits && r.h0.dtype() == core::DType::float32;
}

template <Cell cell>
void run_layers(Call& c) {
  Recurrent r = ops::infer::recurrent_of(c);
  RecurrentSteps steps = steps_of(r);
  int64_t directions = r.directions(), width = r.out();
  int64_t hidden = r.c0 ? r.c0.size(2) : width, gates = gates_of(cell) * hidden;
  Tensor h_last = c.out(1), c_last = r.c0 ? c.out(2) : Tensor();
  Tensor input = contiguous(c, r.input);
  if (!r.packed()) input = ops::views::view(input, Dims{steps.total, input.size(2)});
  Tensor from_input = c.new_empty(Dims{steps.total, gates}, core::DType::float32);
  Tensor from_state = c.new_empty(Dims{r.batch(), gates}, core::DType::float32);
  Tensor room;
  if (r.projects) room = c.new_empty(Dims{r.batch(), hidden}, core::DType::float32);
  for (int64_t l = 0; l < r.layers; ++l) {
    Tensor next = c.new_empty(Dims{steps.total, width * directions}, core::DType::float32);
    for (int64_t d = 0; d < directions; ++d) {
      int64_t index = l * directions + d;
      Pass pass{cell, r.layer(l, d), hidden,     state_in(c, h_last, r.h0, index),
                {},   from_input,    from_state, room};
      if (r.c0) pass.c = state_in(c, c_last, r.c0, index);
      project(input, pass.layer.w_ih, pass.layer.b_ih, head(from_input, input.size(0)));
      run_pass(pass, steps, d == 1, next.device_data<float>() + d * width, width * directions,
               width);
    }
    input = next;
    if (r.train && r.dropout != 0 && l + 1 < r.layers) {
      input = c.call_tensor("aten::dropout", {input, r.dropout, true});
    }
  }
  // Results are (time, batch, features) in memory, whichever way they are seen.
  std::memcpy(c.out().device_address(), input.device_address(),
              static_cast<size_t>(input.numel()) * sizeof(float));
}

template <Cell cell>
void run_cell(Call& c) {
  constexpr bool lstm = cell == Cell::lstm;
  Tensor x = contiguous(c, c.tensor(arg::input)),
         h = lstm ? c.tensors(arg::hx)[0] : c.tensor(arg::hx);
  int64_t batch = x.size(0), hidden = h.size(1), gates = gates_of(cell) * hidden;
  Tensor from_input = c.new_empty(Dims{batch, gates}, core::DType::float32);
  Pass pass{
      cell,
      {c.tensor(arg::w_ih), c.tensor(arg::w_hh), c.tensor(arg::b_ih), c.tensor(arg::b_hh), {}},
      hidden,
      c.out(),
      {},
      from_input,
      c.new_empty(Dims{batch, gates}, core::DType::float32),
      {}};
  auto copy = [&](const Tensor& from, const Tensor& to) {
    Tensor plain = contiguous(c, from);
    std::memcpy(to.device_address(), plain.device_address(),
                static_cast<size_t>(to.numel()) * sizeof(float));
  };
  copy(h, c.out());
  if constexpr (lstm) {
    pass.c = c.out(1);
    copy(c.tensors(arg::hx)[1], pass.c);
  }
  project(x, pass.layer.w_ih, pass.layer.b_ih, from_input);
  pass.step(0, batch);
}

bool accepts_cell(const Call& c) {
  bool fits = onednn::readable(c.tensor(arg::w_ih)) && onednn::readable(c.tensor(arg::w_hh));
  if (!fits || !is_bias(c.tensor(arg::b_ih)) || !is_bias(c.tensor(arg::b_hh))) return false;
  Tensor x = c.tensor(arg::input);
  return x.dtype() == core::DType::float32 && x.numel() > 0 && c.out().numel() > 0;
}

constexpr ops::Kernel recurrent_table[] = {
    {"aten::lstm.input", run_layers<Cell::lstm>, accepts_recurrent},
    {"aten::lstm.data", run_layers<Cell::lstm>, accepts_recurrent},
    {"aten::gru.input", run_layers<Cell::gru>, accepts_recurrent},
    {"aten::gru.data", run_layers<Cell::gru>, accepts_recurrent},
    {"aten::rnn_tanh.input", run_layers<Cell::tanh>, accepts_recurrent},
    {"aten::rnn_tanh.data", run_layers<Cell::tanh>, accepts_recurrent},
    {"aten::rnn_relu.input", run_layers<Cell::relu>, accepts_recurrent},
    {"aten::rnn_relu.data", run_layers<Cell::relu>, accepts_recurrent},
    {"aten::lstm_cell", run_cell<Cell::lstm>, accepts_cell},
    {"aten::gru_cell", run_cell<Cell::gru>, accepts_cell},
    {"aten::rnn_tanh_cell", run_cell<Cell::tanh>, accepts_cell},
    {"aten::rnn_relu_cell", run_cell<Cell::relu>, accepts_cell},
};

}  // namespace

std::span<const ops::Kernel> recurrent_kernels() { return recurrent_table; }

}  // namespace assay::kernels::cpu
