// Recurrent layers, step by step. Gates are ordered as PyTorch orders them: LSTM i, f, g, o
// (Hochreiter and Schmidhuber 1997); GRU r, z, n (Cho et al. 2014, reset after the product).

#include "engine/ops/infer/recurrent.h"

#include <cmath>

#include "engine/base/deadline.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/recurrent_steps.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::Tensor;
using ops::Call;
using ops::infer::Recurrent;

enum class Cell { lstm, gru, tanh, relu };

/// One layer in one direction: parameters and what a step does.
struct Layer {
  Cell cell;
  Dense<double> w_ih, w_hh, b_ih, b_hh, w_hr;

  Layer(Cell kind, const Recurrent::Layer& l)
      : cell(kind),
        w_ih(dense<double>(l.w_ih)),
        w_hh(dense<double>(l.w_hh)),
        b_ih(dense<double>(l.b_ih)),
        b_hh(dense<double>(l.b_hh)),
        w_hr(dense<double>(l.w_hr)) {}

  /// The new state from one row of input and state; `c` is used by LSTM only.
  void step(const double* x, double* h, double* c) const {
    auto from_x = product(w_ih, b_ih, x), from_h = product(w_hh, b_hh, h);
    int64_t hidden = w_ih.size(0) / (cell == Cell::lstm ? 4 : cell == Cell::gru ? 3 : 1);
    std::vector<double> next(static_cast<size_t>(hidden));
    for (int64_t i = 0; i < hidden; ++i) {
      auto gate = [&](int64_t g) {
        auto at = static_cast<size_t>(g * hidden + i);
        return from_x[at] + from_h[at];
      };
      double& value = next[static_cast<size_t>(i)];
      if (cell == Cell::lstm) {
        c[i] = sigmoid(gate(1)) * c[i] + sigmoid(gate(0)) * std::tanh(gate(2));
        value = sigmoid(gate(3)) * std::tanh(c[i]);
      } else if (cell == Cell::gru) {
        auto at = static_cast<size_t>(2 * hidden + i);
        double fresh = std::tanh(from_x[at] + sigmoid(gate(0)) * from_h[at]);
        value = fresh + sigmoid(gate(1)) * (h[i] - fresh);
      } else {
        value = cell == Cell::tanh ? std::tanh(gate(0)) : std::max(gate(0), 0.0);
      }
    }
    if (w_hr.defined()) next = product(w_hr, {}, next.data());
    std::copy(next.begin(), next.end(), h);
  }

 private:
  static double sigmoid(double v) { return 1 / (1 + std::exp(-v)); }
  static std::vector<double> product(const Dense<double>& w, const Dense<double>& b,
                                     const double* v) {
    std::vector<double> out(static_cast<size_t>(w.size(0)));
    for (int64_t i = 0; i < w.size(0); ++i) {
      double sum = b.defined() ? b.data()[i] : 0;
      for (int64_t j = 0; j < w.size(1); ++j) sum += w.data()[i * w.size(1) + j] * v[j];
      out[static_cast<size_t>(i)] = sum;
    }
    return out;
  }
};

/// Runs a layer over the steps; writes column block `direction` of `out`, and the last states.
void run_layer(const Layer& layer, const RecurrentSteps& steps, const std::vector<double>& input,
               int64_t direction, int64_t directions, double* h, double* c, int64_t width,
               int64_t cells, std::vector<double>& out) {
  int64_t in = layer.w_ih.size(1);
  auto count = static_cast<int64_t>(steps.rows.size());
  base::DeadlineTicker deadline;
  for (int64_t k = 0; k < count; ++k) {
    deadline.tick();
    auto t = static_cast<size_t>(direction == 0 ? k : count - 1 - k);
    for (int64_t n = 0; n < steps.rows[t]; ++n) {
      int64_t row = steps.begin[t] + n;
      layer.step(input.data() + steps.input_row(t, n) * in, h + n * width,
                 c ? c + n * cells : nullptr);
      std::copy_n(h + n * width, width, out.data() + (row * directions + direction) * width);
    }
  }
}

/// PyTorch drops elements between layers in the element type, with the engine's generator.
void drop(Call& c, std::vector<double>& values, const Dims& sizes, double p) {
  Tensor t = c.new_empty(sizes, c.out().dtype());
  store<double>(values, t);
  values = dense<double>(c.call_tensor("aten::dropout", {t, p, true})).values;
}

template <Cell cell>
void run_recurrent(Call& c) {
  Recurrent r = ops::infer::recurrent_of(c);
  std::vector<int64_t> sizes;
  if (r.packed()) sizes = dense<int64_t>(r.batch_sizes).values;
  RecurrentSteps steps(r, sizes);
  auto h = dense<double>(r.h0), cells = dense<double>(r.c0);
  auto values = dense<double>(r.input).values;
  int64_t directions = r.directions(), width = r.out();
  int64_t hidden = r.c0 ? r.c0.size(2) : width;
  Dims shape = r.packed() ? Dims{steps.total, width * directions}
                          : Dims{r.input.size(0), r.batch(), width * directions};
  for (int64_t l = 0; l < r.layers; ++l) {
    std::vector<double> next(static_cast<size_t>(steps.total * width * directions));
    for (int64_t d = 0; d < directions; ++d) {
      Layer layer(cell, r.layer(l, d));
      int64_t state = (l * directions + d) * r.batch();
      run_layer(layer, steps, values, d, directions, h.data() + state * width,
                r.c0 ? cells.data() + state * hidden : nullptr, width, hidden, next);
    }
    values = std::move(next);
    if (r.train && r.dropout != 0 && l + 1 < r.layers) drop(c, values, shape, r.dropout);
  }
  Tensor out = c.out();
  store<double>(values, r.batch_first ? transposed(out, 0, 1) : out);
  store(h, c.out(1));
  if (r.c0) store(cells, c.out(2));
}

template <Cell cell>
void run_cell(Call& c) {
  Layer layer(
      cell,
      {c.tensor(arg::w_ih), c.tensor(arg::w_hh), c.tensor(arg::b_ih), c.tensor(arg::b_hh), {}});
  constexpr bool lstm = cell == Cell::lstm;
  auto x = dense<double>(c.tensor(arg::input));
  Dense<double> h, cells;
  if constexpr (lstm) {
    h = dense<double>(c.tensors(arg::hx)[0]);
    cells = dense<double>(c.tensors(arg::hx)[1]);
  } else {
    h = dense<double>(c.tensor(arg::hx));
  }
  for (int64_t n = 0; n < x.size(0); ++n) {
    layer.step(x.data() + n * x.size(1), h.data() + n * h.size(1),
               lstm ? cells.data() + n * cells.size(1) : nullptr);
  }
  store(h, c.out());
  if (lstm) store(cells, c.out(1));
}

constexpr ops::Kernel recurrent_table[] = {
    {"aten::lstm.input", run_recurrent<Cell::lstm>},
    {"aten::lstm.data", run_recurrent<Cell::lstm>},
    {"aten::gru.input", run_recurrent<Cell::gru>},
    {"aten::gru.data", run_recurrent<Cell::gru>},
    {"aten::rnn_tanh.input", run_recurrent<Cell::tanh>},
    {"aten::rnn_tanh.data", run_recurrent<Cell::tanh>},
    {"aten::rnn_relu.input", run_recurrent<Cell::relu>},
    {"aten::rnn_relu.data", run_recurrent<Cell::relu>},
    {"aten::lstm_cell", run_cell<Cell::lstm>},
    {"aten::gru_cell", run_cell<Cell::gru>},
    {"aten::rnn_tanh_cell", run_cell<Cell::tanh>},
    {"aten::rnn_relu_cell", run_cell<Cell::relu>},
};

}  // namespace

std::span<const ops::Kernel> recurrent_kernels() { return recurrent_table; }

}  // namespace assay::kernels::reference
