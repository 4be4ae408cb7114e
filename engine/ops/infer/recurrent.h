#pragma once

#include <vector>

#include "engine/core/tensor.h"
#include "engine/ops/rule.h"

namespace assay::ops {

class Call;

namespace infer {

/// The arguments of lstm, gru, rnn_tanh and rnn_relu, in one form: sequences are (time, batch,
/// features), or packed rows (all steps one after the other) with `batch_sizes`.
struct Recurrent {
  core::Tensor input;        ///< (time, batch, in), or (rows, in) where packed.
  core::Tensor batch_sizes;  ///< Undefined unless packed.
  core::Tensor h0;           ///< (layers * directions, batch, out)
  core::Tensor c0;           ///< LSTM only: (layers * directions, batch, hidden)
  std::vector<core::Tensor> params;
  bool biases = true;
  bool train = false;
  bool bidirectional = false;
  bool batch_first = false;
  bool projects = false;  ///< LSTM with proj_size: out < hidden.
  int64_t layers = 1;
  double dropout = 0;

  /// How many rows the result of a packed sequence has. Where each step has one row, all rows of
  /// the state see it, as PyTorch has it, and each step gives as many.
  int64_t packed_rows() const;
  int64_t directions() const { return bidirectional ? 2 : 1; }
  int64_t batch() const { return h0.size(1); }
  int64_t out() const { return h0.size(2); }
  bool packed() const { return batch_sizes.defined(); }

  /// The parameters of one layer in one direction; the last three may be undefined.
  struct Layer {
    core::Tensor w_ih, w_hh, b_ih, b_hh, w_hr;
  };
  Layer layer(int64_t index, int64_t direction) const;
};

/// Reads a call of {lstm, gru, rnn_tanh, rnn_relu}.{input, data}; PyTorch's errors.
Recurrent recurrent_of(const Call& call);

/// Input error unless a step's rows of the input go with the state's.
void check_rows(int64_t input, int64_t state);

/// The output sequence, then the last hidden state (and the last cell state).
extern const Rule lstm, gru, rnn_tanh, rnn_relu;
/// The same of packed sequences, whose batch_sizes lives on the CPU.
extern const Rule lstm_packed, gru_packed, rnn_tanh_packed, rnn_relu_packed;
/// (input, h, w_ih, w_hh, b_ih, b_hh) -> h
extern const Rule gru_cell, rnn_tanh_cell, rnn_relu_cell;
/// (input, [h, c], w_ih, w_hh, b_ih, b_hh) -> h, c
extern const Rule lstm_cell;

}  // namespace infer
}  // namespace assay::ops
