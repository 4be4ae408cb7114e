"""Sequences of different lengths: padded to one tensor, or packed without padding."""
import warnings
from collections.abc import Iterable
from typing import List, NamedTuple, Optional, Tuple, Union

from assay import _engine as _C
from ..._package import torch

Tensor = torch.Tensor

__all__ = ['PackedSequence', 'invert_permutation', 'pack_padded_sequence', 'pad_packed_sequence', 'pad_sequence',
           'unpad_sequence', 'pack_sequence', 'unpack_sequence']


class PackedSequence_(NamedTuple):
    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Optional[Tensor]
    unsorted_indices: Optional[Tensor]


def _mapped(function, tensor):
    return None if tensor is None else function(tensor)


def _conversion(name, dtype):
    def convert(self):
        return self.to(dtype=dtype)

    convert.__name__ = name
    convert.__qualname__ = 'PackedSequence.' + name
    return convert


class PackedSequence(PackedSequence_):
    """Steps of several sequences, step by step: batch_sizes[t] of them are that long.

    Made by pack_padded_sequence and pack_sequence.
    """

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if batch_sizes is None:  # an old form: both in one argument
            is_pair = isinstance(data, (list, tuple)) and len(data) == 2
            assert is_pair, "without batch_sizes, data must be the pair of both"
            data, batch_sizes = data
        elif batch_sizes.device.type != 'cpu':
            raise ValueError(f"batch_sizes must be on the CPU, not on {batch_sizes.device}")
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs):
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        rest = {name: value for name, value in kwargs.items() if name not in ('device', 'dtype')}
        return type(self)(data, self.batch_sizes,
                          _mapped(lambda t: t.to(data.device, **rest), self.sorted_indices),
                          _mapped(lambda t: t.to(data.device, **rest), self.unsorted_indices))

    def cuda(self, *args, **kwargs):
        kwargs.setdefault('device', 'cuda')
        return self.to(*args, **kwargs)

    def cpu(self, *args, **kwargs):
        kwargs.setdefault('device', 'cpu')
        return self.to(*args, **kwargs)

    double = _conversion('double', torch.double)
    float = _conversion('float', torch.float)
    half = _conversion('half', torch.half)
    long = _conversion('long', torch.long)
    int = _conversion('int', torch.int)
    short = _conversion('short', torch.short)
    char = _conversion('char', torch.int8)
    byte = _conversion('byte', torch.uint8)

    @property
    def is_cuda(self):
        return self.data.is_cuda


def invert_permutation(permutation: Optional[Tensor]) -> Optional[Tensor]:
    if permutation is None:
        return None
    output = torch.empty_like(permutation, memory_format=torch.legacy_contiguous_format)
    output.scatter_(0, permutation, torch.arange(0, permutation.numel(), device=permutation.device))
    return output


def pack_padded_sequence(
    input: Tensor, lengths: Tensor, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Packs padded sequences of these lengths, which fall unless `enforce_sorted` is false."""
    if not isinstance(lengths, torch.Tensor) and _C._get_tracing_state():
        warnings.warn("pack_padded_sequence was called with lengths that are no tensor: the trace will have them as "
                      "constants", stacklevel=2)
    # The names of the local tensors show in traces: they are PyTorch's.
    lengths = torch.as_tensor(lengths, dtype=torch.long)
    sorted_indices: Optional[Tensor] = None
    if not enforce_sorted:
        lengths, sorted_indices = lengths.sort(descending=True)
        sorted_indices = sorted_indices.to(input.device)
        input = input.index_select(0 if batch_first else 1, sorted_indices)
    data, batch_sizes = torch._pack_padded_sequence(input, lengths, batch_first)
    return PackedSequence(data, batch_sizes, sorted_indices, invert_permutation(sorted_indices))


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0,
    total_length: Optional[int] = None
) -> Tuple[Tensor, Tensor]:
    """The padded sequences, in the order that they were packed in, and their lengths."""
    max_seq_length = sequence.batch_sizes.size(0)
    if total_length is not None:
        if max_seq_length > total_length:
            raise ValueError(f"total_length={total_length}, but the longest sequence has {max_seq_length} steps")
        max_seq_length = total_length
    padded_output, lengths = torch._pad_packed_sequence(
        sequence.data, sequence.batch_sizes, batch_first, padding_value, max_seq_length)
    unsorted_indices = sequence.unsorted_indices
    if unsorted_indices is None:
        return padded_output, lengths
    return padded_output.index_select(0 if batch_first else 1, unsorted_indices), lengths[unsorted_indices.cpu()]


def pad_sequence(
    sequences: Union[Tensor, List[Tensor]], batch_first: bool = False, padding_value: float = 0.0
) -> Tensor:
    """Sequences of different lengths as one tensor."""
    if torch.jit.is_scripting() or torch.jit.is_tracing():
        if isinstance(sequences, torch.Tensor):
            sequences = sequences.unbind(0)
    else:
        if not isinstance(sequences, Iterable):
            raise RuntimeError(f"pad_sequence takes an iterable of tensors, not {type(sequences)}")
        sequences = tuple(sequences)
    return _C_pad_sequence(sequences, batch_first, padding_value)


_C_pad_sequence = _C.operator("pad_sequence")


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> List[Tensor]:
    """The sequences of a padded tensor, each of its own length."""
    if not batch_first:
        padded_sequences.transpose_(0, 1)  # in place, as PyTorch does it
    steps = torch.arange(padded_sequences.shape[1])
    found = []
    for row, length in zip(padded_sequences, lengths):
        found.append(row[steps < length])
    return found


def pack_sequence(sequences: List[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Packs a list of sequences."""
    lengths = torch.as_tensor([sequence.size(0) for sequence in sequences])
    padded = pad_sequence(sequences)
    return pack_padded_sequence(padded, lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> List[Tensor]:
    """The list of sequences of a pack."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
