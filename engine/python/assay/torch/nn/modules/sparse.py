"""Embeddings: rows of a table."""
from typing import Optional

from ..._package import torch
from .. import functional as F
from .. import init
from ..parameter import Parameter
from .module import Module

Tensor = torch.Tensor

__all__ = ['Embedding', 'EmbeddingBag']


class _Table(Module):
    """A weight of rows, one of which may be a padding of zeros."""

    def _set_padding_idx(self, padding_idx):
        if padding_idx is not None:
            assert -self.num_embeddings <= padding_idx < self.num_embeddings, \
                f"padding_idx: {padding_idx} is none of {self.num_embeddings} rows"
            if padding_idx < 0:
                padding_idx += self.num_embeddings
        self.padding_idx = padding_idx

    def _set_weight(self, weight, device, dtype):
        shape = [self.num_embeddings, self.embedding_dim]
        if weight is None:
            self.weight = Parameter(torch.empty(shape, device=device, dtype=dtype))
            self.reset_parameters()
        else:
            assert list(weight.shape) == shape, f'_weight has shape {list(weight.shape)}, not {shape}'
            self.weight = Parameter(weight)

    def reset_parameters(self):
        init.normal_(self.weight)
        self._fill_padding_idx_with_zero()

    def _fill_padding_idx_with_zero(self):
        if self.padding_idx is not None:
            with torch.no_grad():
                self.weight[self.padding_idx].fill_(0)

    @classmethod
    def _of_rows(cls, embeddings, freeze, **kwargs):
        assert embeddings.dim() == 2, f'embeddings: rows are needed, not {embeddings.dim()} dimensions'
        rows, columns = embeddings.shape
        made = cls(num_embeddings=rows, embedding_dim=columns, _weight=embeddings, **kwargs)
        made.weight.requires_grad = not freeze
        return made


class Embedding(_Table):
    """Each number of the input becomes a row of the weight."""

    __constants__ = ['num_embeddings', 'embedding_dim', 'padding_idx', 'max_norm', 'norm_type', 'scale_grad_by_freq',
                     'sparse']
    num_embeddings: int
    embedding_dim: int
    padding_idx: Optional[int]
    max_norm: Optional[float]
    norm_type: float
    scale_grad_by_freq: bool
    weight: Tensor
    sparse: bool

    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.,
                 scale_grad_by_freq=False, sparse=False, _weight=None, device=None, dtype=None):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self._set_padding_idx(padding_idx)
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self._set_weight(_weight, device, dtype)
        self.sparse = sparse

    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type,
                           self.scale_grad_by_freq, self.sparse)

    def extra_repr(self):
        parts = [f'{self.num_embeddings}, {self.embedding_dim}']
        if self.padding_idx is not None:
            parts.append(f'padding_idx={self.padding_idx}')
        if self.max_norm is not None:
            parts.append(f'max_norm={self.max_norm}')
        if self.norm_type != 2:
            parts.append(f'norm_type={self.norm_type}')
        if self.scale_grad_by_freq is not False:
            parts.append(f'scale_grad_by_freq={self.scale_grad_by_freq}')
        if self.sparse is not False:
            parts.append('sparse=True')
        return ', '.join(parts)

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.,
                        scale_grad_by_freq=False, sparse=False):
        """An Embedding with these rows."""
        return cls._of_rows(embeddings, freeze, padding_idx=padding_idx, max_norm=max_norm, norm_type=norm_type,
                            scale_grad_by_freq=scale_grad_by_freq, sparse=sparse)


class EmbeddingBag(_Table):
    """Each bag of numbers becomes the sum, mean or maximum of its rows."""

    __constants__ = ['num_embeddings', 'embedding_dim', 'max_norm', 'norm_type', 'scale_grad_by_freq', 'mode',
                     'sparse', 'include_last_offset', 'padding_idx']
    num_embeddings: int
    embedding_dim: int
    max_norm: Optional[float]
    norm_type: float
    scale_grad_by_freq: bool
    weight: Tensor
    mode: str
    sparse: bool
    include_last_offset: bool
    padding_idx: Optional[int]

    def __init__(self, num_embeddings, embedding_dim, max_norm=None, norm_type=2., scale_grad_by_freq=False,
                 mode='mean', sparse=False, _weight=None, include_last_offset=False, padding_idx=None,
                 device=None, dtype=None):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self._set_padding_idx(padding_idx)
        self._set_weight(_weight, device, dtype)
        self.mode = mode
        self.sparse = sparse
        self.include_last_offset = include_last_offset

    def forward(self, input: Tensor, offsets: Optional[Tensor] = None,
                per_sample_weights: Optional[Tensor] = None) -> Tensor:
        return F.embedding_bag(input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq,
                               self.mode, self.sparse, per_sample_weights, self.include_last_offset,
                               self.padding_idx)

    def extra_repr(self):
        parts = [f'{self.num_embeddings}, {self.embedding_dim}']
        if self.max_norm is not None:
            parts.append(f'max_norm={self.max_norm}')
        if self.norm_type != 2:
            parts.append(f'norm_type={self.norm_type}')
        if self.scale_grad_by_freq is not False:
            parts.append(f'scale_grad_by_freq={self.scale_grad_by_freq}')
        parts.append(f'mode={self.mode}')
        if self.padding_idx is not None:
            parts.append(f'padding_idx={self.padding_idx}')
        return ', '.join(parts)

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, max_norm=None, norm_type=2., scale_grad_by_freq=False,
                        mode='mean', sparse=False, include_last_offset=False, padding_idx=None):
        """An EmbeddingBag with these rows."""
        return cls._of_rows(embeddings, freeze, max_norm=max_norm, norm_type=norm_type,
                            scale_grad_by_freq=scale_grad_by_freq, mode=mode, sparse=sparse,
                            include_last_offset=include_last_offset, padding_idx=padding_idx)
