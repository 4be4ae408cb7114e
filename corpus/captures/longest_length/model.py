"""A batch is cut to its longest sequence: the length is read from values, not from a shape."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, lengths):
        longest = int(lengths.max())  # cause
        return x[:, :longest].sum(dim=1)


def example():
    return torch.linspace(0.5, 2.0, 36).reshape(3, 6, 2), torch.tensor([2, 4, 3])
