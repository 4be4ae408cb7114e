"""Recurrent layers and cells."""
import math
import numbers
import warnings
from typing import List, Optional, Tuple

from ..._package import torch
from ..._jit_internal import _overload_method
from .. import _operators as _nn
from .. import init
from ..parameter import Parameter
from ..utils.rnn import PackedSequence
from .module import Module

Tensor = torch.Tensor

__all__ = ['RNNBase', 'RNN', 'LSTM', 'GRU', 'RNNCellBase', 'RNNCell', 'LSTMCell', 'GRUCell']

_GATES = {'LSTM': 4, 'GRU': 3, 'RNN_TANH': 1, 'RNN_RELU': 1}


def _permuted(tensor: Tensor, permutation: Tensor) -> Tensor:
    """A hidden state with its sequences in another order. A trace calls the state `tensor`, as PyTorch's does."""
    return tensor.index_select(1, permutation)


def apply_permutation(tensor: Tensor, permutation: Tensor, dim: int = 1) -> Tensor:
    warnings.warn("apply_permutation goes away: tensor.index_select(dim, permutation) does the same")
    return tensor.index_select(dim, permutation)


def _init_uniform(module):
    """Every weight uniform within 1 / sqrt(hidden_size), in the order of registration."""
    bound = 1.0 / math.sqrt(module.hidden_size) if module.hidden_size > 0 else 0
    for weight in module.parameters():
        init.uniform_(weight, -bound, bound)


class RNNBase(Module):
    """The weights of several layers in one or two directions; what they compute is in the subclasses."""

    __constants__ = ['mode', 'input_size', 'hidden_size', 'num_layers', 'bias', 'batch_first', 'dropout',
                     'bidirectional', 'proj_size']
    __jit_unused_properties__ = ['all_weights']

    mode: str
    input_size: int
    hidden_size: int
    num_layers: int
    bias: bool
    batch_first: bool
    dropout: float
    bidirectional: bool
    proj_size: int

    def __init__(self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.,
                 bidirectional=False, proj_size=0, device=None, dtype=None):
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._check_sizes(dropout)

        self._name_weights()
        for name, shape in zip(self._flat_weights_names, self._weight_shapes()):
            setattr(self, name, Parameter(torch.empty(shape, device=device, dtype=dtype)))
        self._gather_weights()
        self.reset_parameters()

    def _check_sizes(self, dropout):
        if not isinstance(dropout, numbers.Number) or not 0 <= dropout <= 1 or isinstance(dropout, bool):
            raise ValueError(f"dropout must be a probability from 0 to 1, got {dropout!r}")
        if dropout > 0 and self.num_layers == 1:
            warnings.warn(f"dropout={dropout} has no effect on a single layer: it works between layers only")
        if not 0 <= self.proj_size < self.hidden_size:
            raise ValueError(f"proj_size={self.proj_size} must be 0 (no projection) or more, and less than "
                             f"hidden_size={self.hidden_size}")
        if self.mode not in _GATES:
            raise ValueError("Unrecognized RNN mode: " + self.mode)

    def _name_weights(self):
        """Names the weights, layer by layer and direction by direction: this order is the operators'."""
        kinds = ['weight_ih', 'weight_hh']
        if self.bias:
            kinds += ['bias_ih', 'bias_hh']
        if self.proj_size > 0:
            kinds += ['weight_hr']
        suffixes = ['', '_reverse'] if self.bidirectional else ['']
        self._flat_weights_names = []
        self._all_weights = []
        for layer in range(self.num_layers):
            for suffix in suffixes:
                names = [f'{kind}_l{layer}{suffix}' for kind in kinds]
                self._all_weights.append(names)
                self._flat_weights_names.extend(names)

    def _weight_shapes(self):
        """The shapes of the weights, in the order of their names."""
        directions = 2 if self.bidirectional else 1
        gates = _GATES[self.mode] * self.hidden_size
        state = self.proj_size if self.proj_size > 0 else self.hidden_size
        for layer in range(self.num_layers):
            width = self.input_size if layer == 0 else state * directions
            for _ in range(directions):
                yield gates, width
                yield gates, state
                if self.bias:
                    yield gates,
                    yield gates,
                if self.proj_size > 0:
                    yield self.proj_size, self.hidden_size

    def _gather_weights(self):
        self._flat_weights = [getattr(self, name, None) for name in self._flat_weights_names]

    def __setattr__(self, name, value):
        names = self.__dict__.get('_flat_weights_names', ())
        if name in names and '_flat_weights' in self.__dict__:
            self._flat_weights[names.index(name)] = value
        super().__setattr__(name, value)

    def flatten_parameters(self) -> None:
        """Does nothing: it is for a library that wants all weights in one piece of memory."""

    def _apply(self, fn):
        super()._apply(fn)
        self._gather_weights()
        return self

    def reset_parameters(self):
        _init_uniform(self)

    def check_input(self, input: Tensor, batch_sizes: Optional[Tensor]) -> None:
        wanted = 3 if batch_sizes is None else 2
        if input.dim() != wanted:
            raise RuntimeError(f'the input must have {wanted} dimensions here, not {input.dim()}')
        if input.size(-1) != self.input_size:
            raise RuntimeError(f'input_size is {self.input_size}, but the input has {input.size(-1)}')

    def _rows(self, input: Tensor, batch_sizes: Optional[Tensor]) -> int:
        """How many sequences the input has."""
        if batch_sizes is not None:
            return int(batch_sizes[0])
        return input.size(0 if self.batch_first else 1)

    def _chains(self) -> int:
        """How many states there are: one a layer and direction."""
        return 2 * self.num_layers if self.bidirectional else self.num_layers

    def _state_size(self, input: Tensor, batch_sizes: Optional[Tensor], width: int) -> Tuple[int, int, int]:
        return (self._chains(), self._rows(input, batch_sizes), width)

    def get_expected_hidden_size(self, input: Tensor, batch_sizes: Optional[Tensor]) -> Tuple[int, int, int]:
        return self._state_size(input, batch_sizes, self.proj_size if self.proj_size > 0 else self.hidden_size)

    def check_hidden_size(self, hx: Tensor, expected_hidden_size: Tuple[int, int, int],
                          msg: str = 'the hidden state must have shape {}, not {}') -> None:
        shape = hx.size()
        if shape != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(shape)))

    def check_forward_args(self, input: Tensor, hidden: Tensor, batch_sizes: Optional[Tensor]):
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx: Tensor, permutation: Optional[Tensor]):
        return hx if permutation is None else _permuted(hx, permutation)

    def _no_state(self, input: Tensor, max_batch_size: int, width: int) -> Tensor:
        return torch.zeros(self._chains(), max_batch_size, width, dtype=input.dtype, device=input.device)

    # The parts of `forward`. Without a batch, input and states get one of a single row for the call. The names of
    # the local tensors show in traces: they are PyTorch's.

    def _with_batch(self, input: Tensor) -> Tensor:
        return input if input.dim() == 3 else input.unsqueeze(0 if self.batch_first else 1)

    def _without_batch(self, output: Tensor) -> Tensor:
        return output.squeeze(0 if self.batch_first else 1)

    def _check_state_rank(self, found: int, rank: int) -> None:
        wanted = 3 if rank == 3 else 2
        if found != wanted:
            raise RuntimeError(f"the input has {rank} dimensions, so a state must have {wanted}, not {found}: both "
                               "come with a batch or both without")

    def _state_with_batch(self, hx: Tensor, input: Tensor) -> Tensor:
        self._check_state_rank(hx.dim(), input.dim())
        return hx if input.dim() == 3 else hx.unsqueeze(1)

    def _first_state(self, input: Tensor, hx: Optional[Tensor], batch_sizes: Optional[Tensor],
                     order: Optional[Tensor]) -> Tensor:
        """What the first step starts from, in the order of the sequences, and of the right shape."""
        max_batch_size = self._rows(input, batch_sizes)
        if hx is None:
            hx = self._no_state(input, max_batch_size, self.hidden_size)
        else:
            hx = self.permute_hidden(hx, order)
        self.check_forward_args(input, hx, batch_sizes)
        return hx

    def extra_repr(self):
        parts = [f'{self.input_size}, {self.hidden_size}']
        for name, default in (('proj_size', 0), ('num_layers', 1), ('bias', True), ('batch_first', False),
                              ('dropout', 0), ('bidirectional', False)):
            if getattr(self, name) != default:
                parts.append(f'{name}={getattr(self, name)}')
        return ', '.join(parts)

    def __setstate__(self, state):
        super().__setstate__(state)
        self.__dict__.setdefault('proj_size', 0)
        self._name_weights()
        self._gather_weights()

    @property
    def all_weights(self):
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def _replicate_for_data_parallel(self):
        replica = super()._replicate_for_data_parallel()
        for lists in ('_flat_weights', '_flat_weights_names'):
            setattr(replica, lists, list(getattr(replica, lists)))
        return replica


def _refuse_projection(module, options):
    if 'proj_size' in options:
        raise ValueError(f"{type(module).__name__} takes no proj_size: only LSTM has projections")


class RNN(RNNBase):
    """A network that feeds its state back through tanh or ReLU."""

    def __init__(self, *args, **kwargs):
        _refuse_projection(self, kwargs)
        self.nonlinearity = kwargs.pop('nonlinearity') if 'nonlinearity' in kwargs else 'tanh'
        if self.nonlinearity not in ('tanh', 'relu'):
            raise ValueError(f"nonlinearity must be 'tanh' or 'relu', not '{self.nonlinearity}'")
        super().__init__('RNN_' + self.nonlinearity.upper(), *args, **kwargs)

    @_overload_method
    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
        pass

    @_overload_method
    def forward(self, input: PackedSequence, hx: Optional[Tensor] = None) -> Tuple[PackedSequence, Tensor]:
        pass

    def forward(self, input, hx=None):
        if isinstance(input, PackedSequence):
            input, batch_sizes, order, back = input
            hx = self._first_state(input, hx, batch_sizes, order)
            output, hidden = self._packed_steps(input, batch_sizes, hx)
            return PackedSequence(output, batch_sizes, order, back), self.permute_hidden(hidden, back)
        else:
            steps = self._with_batch(input)
            if hx is not None:
                hx = self._state_with_batch(hx, input)
            hx = self._first_state(steps, hx, None, None)
            output, hidden = self._padded_steps(steps, hx)
            if input.dim() != 3:
                output, hidden = self._without_batch(output), hidden.squeeze(1)
            return output, self.permute_hidden(hidden, None)

    def _padded_steps(self, steps: Tensor, hx: Tensor) -> Tuple[Tensor, Tensor]:
        if self.mode == 'RNN_RELU':
            return _nn.rnn_relu(steps, hx, self._flat_weights, self.bias, self.num_layers, self.dropout,
                                self.training, self.bidirectional, self.batch_first)
        else:
            return _nn.rnn_tanh(steps, hx, self._flat_weights, self.bias, self.num_layers, self.dropout,
                                self.training, self.bidirectional, self.batch_first)

    def _packed_steps(self, input: Tensor, batch_sizes: Tensor, hx: Tensor) -> Tuple[Tensor, Tensor]:
        if self.mode == 'RNN_RELU':
            return _nn.rnn_relu(input, batch_sizes, hx, self._flat_weights, self.bias, self.num_layers,
                                self.dropout, self.training, self.bidirectional)
        else:
            return _nn.rnn_tanh(input, batch_sizes, hx, self._flat_weights, self.bias, self.num_layers,
                                self.dropout, self.training, self.bidirectional)


class LSTM(RNNBase):
    """Long short-term memory: a hidden state and a cell state."""

    def __init__(self, *args, **kwargs):
        super().__init__('LSTM', *args, **kwargs)

    def get_expected_cell_size(self, input: Tensor, batch_sizes: Optional[Tensor]) -> Tuple[int, int, int]:
        return self._state_size(input, batch_sizes, self.hidden_size)

    def check_forward_args(self, input: Tensor, hidden: Tuple[Tensor, Tensor], batch_sizes: Optional[Tensor]):
        self.check_input(input, batch_sizes)
        state, cell = hidden
        self.check_hidden_size(state, self.get_expected_hidden_size(input, batch_sizes),
                               'the hidden state hx[0] must have shape {}, not {}')
        self.check_hidden_size(cell, self.get_expected_cell_size(input, batch_sizes),
                               'the cell state hx[1] must have shape {}, not {}')

    def permute_hidden(self, hx: Tuple[Tensor, Tensor], permutation: Optional[Tensor]) -> Tuple[Tensor, Tensor]:
        if permutation is not None:
            hx = (_permuted(hx[0], permutation), _permuted(hx[1], permutation))
        return hx

    def _first_states(self, input: Tensor, hx: Optional[Tuple[Tensor, Tensor]], batch_sizes: Optional[Tensor],
                      order: Optional[Tensor]) -> Tuple[Tensor, Tensor]:
        """Like _first_state, for the hidden state and the cell state."""
        max_batch_size = self._rows(input, batch_sizes)
        if hx is None:
            width = self.proj_size if self.proj_size > 0 else self.hidden_size
            states = (self._no_state(input, max_batch_size, width), self._no_state(input, max_batch_size, self.hidden_size))
        else:
            states = self.permute_hidden(hx, order)
        self.check_forward_args(input, states, batch_sizes)
        return states

    @_overload_method
    def forward(self, input: Tensor, hx: Optional[Tuple[Tensor, Tensor]] = None) -> Tuple[Tensor, Tuple[Tensor, Tensor]]:  # noqa: E501
        pass

    @_overload_method
    def forward(self, input: PackedSequence, hx: Optional[Tuple[Tensor, Tensor]] = None) -> Tuple[PackedSequence, Tuple[Tensor, Tensor]]:  # noqa: E501
        pass

    def forward(self, input, hx=None):
        if isinstance(input, PackedSequence):
            input, batch_sizes, order, back = input
            states = self._first_states(input, hx, batch_sizes, order)
            result = _nn.lstm(input, batch_sizes, states, self._flat_weights, self.bias,
                              self.num_layers, self.dropout, self.training, self.bidirectional)
            return PackedSequence(result[0], batch_sizes, order, back), self.permute_hidden(result[1:], back)
        else:
            steps = self._with_batch(input)
            if hx is not None:
                self._check_state_rank(hx[0].dim(), input.dim())
                self._check_state_rank(hx[1].dim(), input.dim())
                if input.dim() != 3:
                    hx = (hx[0].unsqueeze(1), hx[1].unsqueeze(1))
            states = self._first_states(steps, hx, None, None)
            result = _nn.lstm(steps, states, self._flat_weights, self.bias, self.num_layers,
                              self.dropout, self.training, self.bidirectional, self.batch_first)
            output, hidden = result[0], result[1:]
            if input.dim() != 3:
                output, hidden = self._without_batch(output), (hidden[0].squeeze(1), hidden[1].squeeze(1))
            return output, self.permute_hidden(hidden, None)


class GRU(RNNBase):
    """Gated recurrent units."""

    def __init__(self, *args, **kwargs):
        _refuse_projection(self, kwargs)
        super().__init__('GRU', *args, **kwargs)

    @_overload_method
    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
        pass

    @_overload_method
    def forward(self, input: PackedSequence, hx: Optional[Tensor] = None) -> Tuple[PackedSequence, Tensor]:
        pass

    def forward(self, input, hx=None):
        if isinstance(input, PackedSequence):
            input, batch_sizes, order, back = input
            hx = self._first_state(input, hx, batch_sizes, order)
            output, hidden = _nn.gru(input, batch_sizes, hx, self._flat_weights, self.bias, self.num_layers,
                                    self.dropout, self.training, self.bidirectional)
            return PackedSequence(output, batch_sizes, order, back), self.permute_hidden(hidden, back)
        else:
            steps = self._with_batch(input)
            if hx is not None:
                hx = self._state_with_batch(hx, input)
            hx = self._first_state(steps, hx, None, None)
            output, hidden = _nn.gru(steps, hx, self._flat_weights, self.bias, self.num_layers, self.dropout,
                                    self.training, self.bidirectional, self.batch_first)
            if input.dim() != 3:
                output, hidden = self._without_batch(output), hidden.squeeze(1)
            return output, self.permute_hidden(hidden, None)


class RNNCellBase(Module):
    """The weights of one step."""

    __constants__ = ['input_size', 'hidden_size', 'bias']
    input_size: int
    hidden_size: int
    bias: bool
    weight_ih: Tensor
    weight_hh: Tensor

    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        gates = num_chunks * hidden_size
        for name, shape in (('weight_ih', (gates, input_size)), ('weight_hh', (gates, hidden_size)),
                            ('bias_ih', (gates,)), ('bias_hh', (gates,))):
            present = bias or name.startswith('weight')
            value = Parameter(torch.empty(shape, device=device, dtype=dtype)) if present else None
            self.register_parameter(name, value)
        self.reset_parameters()

    def extra_repr(self):
        parts = [f'{self.input_size}, {self.hidden_size}']
        if self.bias is not True:
            parts.append(f'bias={self.bias}')
        if getattr(self, 'nonlinearity', 'tanh') != 'tanh':
            parts.append(f'nonlinearity={self.nonlinearity}')
        return ', '.join(parts)

    def reset_parameters(self):
        _init_uniform(self)


    # Without a batch, input and states get one of a single row for the time of the call. The names of the local
    # tensors show in traces: they are PyTorch's.

    def _rows(self, input: Tensor) -> Tensor:
        assert input.dim() in (1, 2), f"the input must be a row or rows, not {input.dim()}-D"
        return input if input.dim() == 2 else input.unsqueeze(0)

    def _no_state(self, input: Tensor) -> Tensor:
        return torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)

    def _first_state(self, input: Tensor, hx: Optional[Tensor], single: bool) -> Tensor:
        if hx is None:
            return self._no_state(input)
        return hx.unsqueeze(0) if single else hx


class RNNCell(RNNCellBase):
    """One step through tanh or ReLU."""

    __constants__ = ['input_size', 'hidden_size', 'bias', 'nonlinearity']
    nonlinearity: str

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, num_chunks=1, device=device, dtype=dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tensor:
        single = input.dim() == 1
        input = self._rows(input)
        hx = self._first_state(input, hx, single)
        if self.nonlinearity == "tanh":
            ret = _nn.rnn_tanh_cell(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        elif self.nonlinearity == "relu":
            ret = _nn.rnn_relu_cell(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        else:
            raise RuntimeError(f"nonlinearity must be tanh or relu, not {self.nonlinearity}")
        return ret.squeeze(0) if single else ret


class LSTMCell(RNNCellBase):
    """One step of long short-term memory."""

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, num_chunks=4, device=device, dtype=dtype)

    def forward(self, input: Tensor, hx: Optional[Tuple[Tensor, Tensor]] = None) -> Tuple[Tensor, Tensor]:
        single = input.dim() == 1
        input = self._rows(input)
        if hx is None:
            zeros = self._no_state(input)
            hx = (zeros, zeros)
        elif single:
            hx = (hx[0].unsqueeze(0), hx[1].unsqueeze(0))
        ret = _nn.lstm_cell(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return (ret[0].squeeze(0), ret[1].squeeze(0)) if single else ret


class GRUCell(RNNCellBase):
    """One step of gated recurrent units."""

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, num_chunks=3, device=device, dtype=dtype)

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tensor:
        single = input.dim() == 1
        input = self._rows(input)
        hx = self._first_state(input, hx, single)
        ret = _nn.gru_cell(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return ret.squeeze(0) if single else ret
