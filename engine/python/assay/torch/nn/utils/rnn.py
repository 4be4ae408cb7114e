"""Sequences of different lengths: padded to one tensor, or packed without padding."""
import warnings
from collections.abc import Iterable
from typing import List, NamedTuple, Optional, Tuple, Union

from assay import _engine as _C
from ... import torch

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


class PackedSequence(PackedSequence_):
    """Steps of several sequences, step by step: batch_sizes[t] of them are that long.

    Made by pack_padded_sequence and pack_sequence.
    """

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        return super().__new__(
            cls, *_packed_sequence_init_args(data, batch_sizes, sorted_indices, unsorted_indices))

    def to(self, *args, **kwargs):
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        rest = {name: value for name, value in kwargs.items() if name not in ('device', 'dtype')}
        return type(self)(data, self.batch_sizes,
                          _mapped(lambda t: t.to(data.device, **rest), self.sorted_indices),
                          _mapped(lambda t: t.to(data.device, **rest), self.unsorted_indices))

    def cuda(self, *args, **kwargs):
        return self.to(*args, device='cuda', **kwargs)

    def cpu(self, *args, **kwargs):
        return self.to(*args, device='cpu', **kwargs)

    def double(self):
        return self.to(dtype=torch.double)

    def float(self):
        return self.to(dtype=torch.float)

    def half(self):
        return self.to(dtype=torch.half)

    def long(self):
        return self.to(dtype=torch.long)

    def int(self):
        return self.to(dtype=torch.int)

    def short(self):
        return self.to(dtype=torch.short)

    def char(self):
        return self.to(dtype=torch.int8)

    def byte(self):
        return self.to(dtype=torch.uint8)

    @property
    def is_cuda(self):
        return self.data.is_cuda


def _packed_sequence_init_args(
    data: Tensor, batch_sizes: Optional[Tensor] = None, sorted_indices: Optional[Tensor] = None,
    unsorted_indices: Optional[Tensor] = None
) -> Tuple[Tensor, Tensor, Optional[Tensor], Optional[Tensor]]:
    if unsorted_indices is None:
        unsorted_indices = invert_permutation(sorted_indices)
    if batch_sizes is not None:
        if batch_sizes.device.type != 'cpu':
            raise ValueError("batch_sizes should always be on CPU: a PackedSequence is made by pack_sequence or "
                             "pack_padded_sequence, which see to that")
        return data, batch_sizes, sorted_indices, unsorted_indices
    else:  # an old form: both in one argument
        assert isinstance(data, (list, tuple)) and len(data) == 2
        return data[0], data[1], sorted_indices, unsorted_indices


def _packed_sequence_init(
    data: Tensor, batch_sizes: Optional[Tensor] = None, sorted_indices: Optional[Tensor] = None,
    unsorted_indices: Optional[Tensor] = None
) -> PackedSequence:
    data, batch_sizes, sorted_indices, unsorted_indices = _packed_sequence_init_args(
        data, batch_sizes, sorted_indices, unsorted_indices)
    return PackedSequence(data, batch_sizes, sorted_indices, unsorted_indices)


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
    lengths = torch.as_tensor(lengths, dtype=torch.int64)
    if enforce_sorted:
        sorted_indices = None
    else:
        lengths, sorted_indices = torch.sort(lengths, descending=True)
        sorted_indices = sorted_indices.to(input.device)
        batch_dim = 0 if batch_first else 1
        input = input.index_select(batch_dim, sorted_indices)
    data, batch_sizes = torch._pack_padded_sequence(input, lengths, batch_first)
    return _packed_sequence_init(data, batch_sizes, sorted_indices, None)


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0,
    total_length: Optional[int] = None
) -> Tuple[Tensor, Tensor]:
    """The padded sequences, in the order that they were packed in, and their lengths."""
    max_seq_length = sequence.batch_sizes.size(0)
    if total_length is not None:
        if total_length < max_seq_length:
            raise ValueError("Expected total_length to be at least the length of the longest sequence in input, but "
                             "got total_length={} and max sequence length being {}".format(
                                 total_length, max_seq_length))
        max_seq_length = total_length
    padded_output, lengths = torch._pad_packed_sequence(
        sequence.data, sequence.batch_sizes, batch_first, padding_value, max_seq_length)
    unsorted_indices = sequence.unsorted_indices
    if unsorted_indices is not None:
        batch_dim = 0 if batch_first else 1
        return padded_output.index_select(batch_dim, unsorted_indices), lengths[unsorted_indices.cpu()]
    return padded_output, lengths


def pad_sequence(
    sequences: Union[Tensor, List[Tensor]], batch_first: bool = False, padding_value: float = 0.0
) -> Tensor:
    """Sequences of different lengths as one tensor."""
    if not (torch.jit.is_tracing() or torch.jit.is_scripting()):
        if not isinstance(sequences, Iterable):
            raise RuntimeError("pad_sequence: Expected iterable for input sequences, but got arg of type: "
                               f"{type(sequences)}")
        sequences = tuple(sequences)
    else:
        if isinstance(sequences, torch.Tensor):
            sequences = sequences.unbind(0)
    return _C_pad_sequence(sequences, batch_first, padding_value)


_C_pad_sequence = _C.operator("pad_sequence")


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> List[Tensor]:
    """The sequences of a padded tensor, each of its own length."""
    unpadded_sequences = []
    if not batch_first:
        padded_sequences.transpose_(0, 1)
    idx = torch.arange(padded_sequences.shape[1])
    for seq, length in zip(padded_sequences, lengths):
        unpadded_sequences.append(seq[idx < length])
    return unpadded_sequences


def pack_sequence(sequences: List[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Packs a list of sequences."""
    lengths = torch.as_tensor([v.size(0) for v in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> List[Tensor]:
    """The list of sequences of a pack."""
    padded_sequences, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded_sequences, lengths, batch_first=True)
