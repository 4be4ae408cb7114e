"""A third of the rows, counted in Python: the count left the graph lines above the slice."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        rows = int(x.size(0))  # cause
        kept = rows // 3 + 1
        y = torch.relu(x)
        return y[:kept]


def example():
    return (torch.linspace(-1.0, 2.0, 12),)
