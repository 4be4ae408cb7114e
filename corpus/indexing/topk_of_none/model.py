"""A quarter of the columns is kept, which of three columns is none: empty results are right."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        values, index = x.topk(x.shape[1] // 4, dim=1)
        return values, x.gather(1, index).sum(dim=1)


def example():
    return (torch.linspace(-1.0, 1.0, 16).reshape(2, 8),)
