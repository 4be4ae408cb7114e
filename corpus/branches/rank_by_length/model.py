"""The rank as the length of the shape: of a single text, the graph keeps the dimension it added."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        alone = len(x.shape) == 2
        if alone:  # cause
            x = x.unsqueeze(0)
        weights = x.softmax(dim=1)
        return (x * weights).sum(dim=1)


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
