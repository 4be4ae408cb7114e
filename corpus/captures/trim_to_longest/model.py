"""A padded batch is cut to its longest sequence, whose length was read from the graph."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, lengths):
        longest = int(lengths.max())  # cause
        inside = torch.arange(longest) < lengths.unsqueeze(1)
        return x[:, :longest] * inside


def example():
    return torch.linspace(0.5, 2.0, 18).reshape(3, 6), torch.tensor([4, 1, 3])
