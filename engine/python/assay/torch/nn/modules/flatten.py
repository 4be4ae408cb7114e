"""Dimensions made one, and one made several."""
from typing import Tuple, Union

from ..._package import torch
from .module import Module

Tensor = torch.Tensor

__all__ = ['Flatten', 'Unflatten']


class Flatten(Module):
    __constants__ = ['start_dim', 'end_dim']
    start_dim: int
    end_dim: int

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self):
        return f'start_dim={self.start_dim}, end_dim={self.end_dim}'


class Unflatten(Module):
    NamedShape = Tuple[Tuple[str, int]]

    __constants__ = ['dim', 'unflattened_size']
    dim: Union[int, str]
    unflattened_size: Union[torch.Size, NamedShape]

    def __init__(self, dim, unflattened_size):
        super().__init__()
        if isinstance(dim, int):
            self._require(unflattened_size, (tuple, list), int, 'a tuple of ints', 'tuple of ints')
        elif isinstance(dim, str):
            self._require(unflattened_size, tuple, tuple, 'a tuple of tuples', 'tuple of tuples')
        else:
            raise TypeError("invalid argument type for dim parameter")
        self.dim = dim
        self.unflattened_size = unflattened_size

    @staticmethod
    def _require(size, containers, elements, whole, parts):
        if not isinstance(size, containers):
            raise TypeError(f"unflattened_size must be {whole}, but found type {type(size).__name__}")
        for place, element in enumerate(size):
            if not isinstance(element, elements):
                raise TypeError(f"unflattened_size must be {parts}, but found element of type "
                                f"{type(element).__name__} at pos {place}")

    def forward(self, input: Tensor) -> Tensor:
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self):
        return f'dim={self.dim}, unflattened_size={self.unflattened_size}'
