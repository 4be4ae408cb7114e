// Recurrent layers: one product for all inputs of a layer, then per step one for the state and a
// kernel for the gates. Gates are ordered as in PyTorch (see the reference kernels).

#include <cmath>

#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/recurrent_steps.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/layout.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/ops/infer/recurrent.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;
namespace views = ops::views;

using core::Dims;
using core::Tensor;
using ops::Call;
using ops::infer::Recurrent;

enum class Cell { lstm, gru, tanh, relu };

constexpr int64_t gates_of(Cell cell) { return cell == Cell::lstm ? 4 : cell == Cell::gru ? 3 : 1; }

/// sum + a * b, each rounded.
ASSAY_ANYWHERE inline double add_product(double sum, double a, double b) {
#ifdef __CUDA_ARCH__
  return __dadd_rn(sum, __dmul_rn(a, b));
#else
  return sum + a * b;
#endif
}

/// rows x weight' + bias, added up in order: what is left of numbers beyond 2^53 when they become
/// integers depends on it.
struct OrderedProduct {
  const double *x, *w, *bias;
  double* out;
  int64_t inner, columns;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t n = i / columns, column = i % columns;
    double sum = bias ? bias[column] : 0;
    for (int64_t j = 0; j < inner; ++j)
      sum = add_product(sum, w[column * inner + j], x[n * inner + j]);
    out[i] = sum;
  }
};

/// out = rows x weight', and the bias added where the layer is one of integers.
void project(const Call& c, const Tensor& rows, const Tensor& weight, const Tensor& out,
             bool integers, const Tensor& bias) {
  if (!integers) {
    c.call("aten::mm.out", {rows, views::transpose(weight, 0, 1), out});
    return;
  }
  OrderedProduct product{rows.device_data<double>(),
                         weight.device_data<double>(),
                         bias ? bias.device_data<double>() : nullptr,
                         out.device_data<double>(),
                         rows.size(1),
                         weight.size(0)};
  for_each(queue_of(c), rows.size(0) * weight.size(0), product);
}

/// One step of the rows of a state: `hidden` values per gate from the input and from the state,
/// which are added, and the biases.
template <typename T, Cell cell>
struct GatesBody {
  using C = Computed<T>;

  const T *x, *s;        ///< Products of the step's rows.
  const T *b_ih, *b_hh;  ///< May be null.
  const T *h_before, *c_before;
  T *h, *c;
  T* out;  ///< Rows that the new state is written to besides; may be null.
  int64_t hidden, x_step, out_step;
  Divider by_hidden;
  bool narrow;

  ASSAY_ANYWHERE C input(int64_t n, int64_t gate) const {
    C v = convert<C>(x[n * x_step + gate]);
    return b_ih ? v + convert<C>(b_ih[gate]) : v;
  }
  ASSAY_ANYWHERE C state(int64_t n, int64_t gate) const {
    C v = convert<C>(s[n * gates_of(cell) * hidden + gate]);
    return b_hh ? v + convert<C>(b_hh[gate]) : v;
  }
  ASSAY_ANYWHERE static C sigmoid(C v) { return 1 / (1 + std::exp(-v)); }

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t n = by_hidden.divide(i, narrow), j = i - n * hidden;
    auto gate = [&](int64_t g) { return input(n, g * hidden + j) + state(n, g * hidden + j); };
    C value;
    if constexpr (cell == Cell::lstm) {
      C next = sigmoid(gate(1)) * convert<C>(c_before[i]) + sigmoid(gate(0)) * std::tanh(gate(2));
      c[i] = convert<T>(next);
      value = sigmoid(gate(3)) * std::tanh(next);
    } else if constexpr (cell == Cell::gru) {
      int64_t at = 2 * hidden + j;
      C fresh = std::tanh(input(n, at) + sigmoid(gate(0)) * state(n, at));
      value = fresh + sigmoid(gate(1)) * (convert<C>(h_before[i]) - fresh);
    } else if constexpr (cell == Cell::tanh) {
      value = std::tanh(gate(0));
    } else {
      C v = gate(0);
      value = v < 0 ? C(0) : v;
    }
    h[i] = convert<T>(value);
    if (out) out[n * out_step + j] = h[i];
  }
};

Tensor head(const Tensor& t, int64_t rows) { return views::narrow(t, 0, 0, rows); }

template <typename T>
T* data_of(const Tensor& t) {
  return t ? t.device_data<T>() : nullptr;
}

/// One layer in one direction over all steps. States are row-major and changed in place.
struct Pass {
  Recurrent::Layer layer;
  int64_t hidden;
  Tensor h_before, c_before;  ///< (batch, out) and (batch, hidden)
  Tensor h, c;                ///< What becomes of them; may be the same.
  Tensor from_input;          ///< (rows, gates * hidden)
  Tensor from_state;          ///< Room for (batch, gates * hidden)
  Tensor unprojected;         ///< Room for (batch, hidden), where the layer projects.
  bool integers = false;      ///< Seen as float64; biases are part of the products.
};

/// The first `count` rows of the state go with the input's row `begin` and those after it, or all
/// with that one. They are written to `out`, too, if it is defined.
template <typename T, Cell cell>
void step(const Call& c, const Pass& p, int64_t begin, int64_t count, bool share,
          const Tensor& out) {
  if (count == 0 || p.hidden == 0) return;
  project(c, head(p.h_before, count), p.layer.w_hh, head(p.from_state, count), p.integers,
          p.layer.b_hh);
  int64_t width = gates_of(cell) * p.hidden;
  bool projects = p.unprojected.defined();
  GatesBody<T, cell> body{p.from_input.device_data<T>() + begin * width,
                          p.from_state.device_data<T>(),
                          p.integers ? nullptr : data_of<T>(p.layer.b_ih),
                          p.integers ? nullptr : data_of<T>(p.layer.b_hh),
                          p.h_before.device_data<T>(),
                          data_of<T>(p.c_before),
                          (projects ? p.unprojected : p.h).template device_data<T>(),
                          data_of<T>(p.c),
                          projects ? nullptr : data_of<T>(out),
                          p.hidden,
                          share ? 0 : width,
                          out ? out.stride(0) : 0,
                          Divider(p.hidden),
                          count * p.hidden < (int64_t{1} << 31)};
  for_each(queue_of(c), count * p.hidden, body);
  if (!projects) return;
  project(c, head(p.unprojected, count), p.layer.w_hr, head(p.h, count), p.integers, {});
  if (out) copy_elements(c, out, head(p.h, count));
}

RecurrentSteps steps_of(const Recurrent& r) {
  if (!r.packed()) return {r, {}};
  std::vector<int64_t> sizes;
  Tensor counts = r.batch_sizes;  // On the CPU.
  int64_t stride = counts.numel() > 1 ? counts.stride(0) : 1;
  for (int64_t i = 0; i < counts.numel(); ++i)
    sizes.push_back(counts.device_data<int64_t>()[i * stride]);
  return {r, sizes};
}

/// Runs one direction; its results become `width` columns of `out` (rows, directions * width).
template <typename T, Cell cell>
void run_pass(const Call& c, const Pass& pass, const RecurrentSteps& steps, bool reverse,
              const Tensor& out) {
  size_t count = steps.rows.size();
  for (size_t k = 0; k < count; ++k) {
    size_t t = reverse ? count - 1 - k : k;
    Tensor rows = views::narrow(out, 0, steps.begin[t], steps.rows[t]);
    step<T, cell>(c, pass, steps.input_row(t, 0), steps.rows[t], steps.shares_rows, rows);
  }
}

/// A bias as a vector without gaps.
Tensor vector_of(const Call& c, const Tensor& bias) { return bias ? contiguous(c, bias) : bias; }

Recurrent::Layer prepared(const Call& c, Recurrent::Layer layer) {
  layer.b_ih = vector_of(c, layer.b_ih);
  layer.b_hh = vector_of(c, layer.b_hh);
  return layer;
}

/// Integers, which relu has, are computed with as float64.
Tensor as_float(const Call& c, const Tensor& t) {
  if (!t || core::is_floating(t.dtype())) return t;
  Tensor wide = c.new_empty(t.sizes(), core::DType::float64);
  copy_elements(c, wide, t);
  return wide;
}

/// Elements are dropped in the type of the result, which integers are refused for.
Tensor dropped(const Call& c, const Tensor& rows, double p) {
  Tensor typed = rows;
  if (c.out().dtype() != rows.dtype()) {
    typed = c.new_empty(rows.sizes(), c.out().dtype());
    copy_elements(c, typed, rows);
  }
  return contiguous(c, as_float(c, c.call_tensor("aten::dropout", {typed, p, true})));
}

/// All layers. States become the last ones; the last layer's rows are written to `out`.
template <typename T, Cell cell>
void run_layers(const Call& c, const Recurrent& r, const RecurrentSteps& steps, const Tensor& out,
                const Tensor& h, const Tensor& cells) {
  int64_t directions = r.directions(), width = r.out();
  int64_t hidden = r.c0 ? r.c0.size(2) : width, gates = gates_of(cell) * hidden;
  copy_elements(c, h, r.h0);
  if (r.c0) copy_elements(c, cells, r.c0);
  Tensor input = contiguous(c, r.input);
  if (!r.packed()) input = views::view(input, Dims{steps.total, input.size(2)});
  core::DType dtype = out.dtype();
  Tensor from_input = c.new_empty(Dims{std::max(steps.total, input.size(0)), gates}, dtype);
  Tensor from_state = c.new_empty(Dims{r.batch(), gates}, dtype), room;
  if (r.projects) room = c.new_empty(Dims{r.batch(), hidden}, dtype);
  for (int64_t l = 0; l < r.layers; ++l) {
    bool last = l + 1 == r.layers;
    Tensor next = last ? out : c.new_empty(out.sizes(), dtype);
    for (int64_t d = 0; d < directions; ++d) {
      int64_t index = l * directions + d;
      Tensor state = views::select(h, 0, index), cell_state;
      if (r.c0) cell_state = views::select(cells, 0, index);
      Pass pass{prepared(c, r.layer(l, d)),
                hidden,
                state,
                cell_state,
                state,
                cell_state,
                from_input,
                from_state,
                room};
      pass.integers = !core::is_floating(c.out().dtype());
      project(c, input, pass.layer.w_ih, head(from_input, input.size(0)), pass.integers,
              pass.layer.b_ih);
      run_pass<T, cell>(c, pass, steps, d == 1, views::narrow(next, 1, d * width, width));
    }
    input = next;
    if (r.train && r.dropout != 0 && !last) input = dropped(c, input, r.dropout);
  }
}

/// What is computed for a result: itself, or numbers that become integers in it.
Tensor room_for(const Call& c, const Tensor& result) {
  if (core::is_floating(result.dtype())) return result;
  return c.new_empty(result.sizes(), core::DType::float64);
}

void put(const Call& c, const Tensor& result, const Tensor& computed) {
  if (!result.same(computed)) copy_elements(c, result, computed);
}

template <Cell cell>
void run_recurrent(Call& c) {
  Recurrent r = ops::infer::recurrent_of(c);
  RecurrentSteps steps = steps_of(r);
  r.input = as_float(c, r.input), r.h0 = as_float(c, r.h0);
  for (Tensor& t : r.params) t = as_float(c, t);
  // Results are (time, batch, features) in memory, whichever way they are seen.
  int64_t columns = r.out() * r.directions();
  Tensor rows = c.out().view(Dims{steps.total, columns}, Dims{columns, 1}, c.out().offset());
  Tensor out = room_for(c, rows), last = c.out(1), h = room_for(c, last);
  Tensor cells = r.c0 ? c.out(2) : Tensor();
  common::over_floating(out.dtype(), "recurrent layers", [&](auto zero) {
    run_layers<decltype(zero), cell>(c, r, steps, out, h, cells);
  });
  put(c, rows, out);
  put(c, last, h);
}

template <Cell cell>
void run_cell(Call& c) {
  constexpr bool lstm = cell == Cell::lstm;
  Tensor x = contiguous(c, as_float(c, c.tensor(arg::input))), result = c.out();
  Tensor before = as_float(c, lstm ? c.tensors(arg::hx)[0] : c.tensor(arg::hx));
  int64_t batch = x.size(0), hidden = before.size(1), gates = gates_of(cell) * hidden;
  if (result.numel() == 0) return;
  Pass pass{};
  pass.layer = prepared(c, {as_float(c, c.tensor(arg::w_ih)),
                            as_float(c, c.tensor(arg::w_hh)),
                            as_float(c, c.tensor(arg::b_ih)),
                            as_float(c, c.tensor(arg::b_hh)),
                            {}});
  pass.hidden = hidden;
  pass.h_before = contiguous(c, before);
  pass.h = room_for(c, result);
  if constexpr (lstm) {
    pass.c_before = contiguous(c, c.tensors(arg::hx)[1]);
    pass.c = c.out(1);
  }
  pass.from_input = c.new_empty(Dims{batch, gates}, x.dtype());
  pass.from_state = c.new_empty(Dims{batch, gates}, x.dtype());
  pass.integers = !core::is_floating(result.dtype());
  project(c, x, pass.layer.w_ih, pass.from_input, pass.integers, pass.layer.b_ih);
  common::over_floating(x.dtype(), "recurrent layers", [&](auto zero) {
    step<decltype(zero), cell>(c, pass, 0, batch, false, {});
  });
  put(c, result, pass.h);
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

}  // namespace assay::kernels::cuda
