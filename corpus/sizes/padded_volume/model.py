"""Three sides are padded up to whole blocks; how far is computed in Python's numbers, by a comprehension."""

import torch
from torch.nn import functional


class Net(torch.nn.Module):
    def __init__(self, block=4):
        super().__init__()
        self.block = block

    def forward(self, volume):
        d, h, w = [-int(size) % self.block for size in volume.shape[1:]]  # cause
        return functional.pad(volume, (0, w, 0, h, 0, d)).cumsum(1)


def example():
    return (torch.linspace(-1.0, 1.0, 210).reshape(1, 5, 6, 7),)
