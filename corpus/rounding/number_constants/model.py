"""Numbers of Python beside whole tensors: float64 constants that PyTorch's executor takes for numbers."""

import torch


class Net(torch.nn.Module):
    def forward(self, ids):
        places = torch.arange(ids.shape[1]) * 0.1
        return ids / 2.0 + places + (ids == 0) * -1e4


def example():
    return (torch.arange(12).reshape(3, 4),)
