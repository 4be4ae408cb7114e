"""Reordering of channels."""
from ..._package import torch
from .. import functional as F
from .module import Module

Tensor = torch.Tensor

__all__ = ['ChannelShuffle']


class ChannelShuffle(Module):
    """Interleaves the channels of `groups` groups."""

    __constants__ = ['groups']
    groups: int

    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self):
        return f'groups={self.groups}'
