"""Two sets are joined and taken apart again by lengths that left the graph as a list."""

import torch


class Net(torch.nn.Module):
    def forward(self, sets, direction):
        lengths = [int(s.shape[0]) for s in sets]  # cause
        joined = torch.cat(sets) @ direction
        first, second = joined.split(lengths)
        return first.sum() - 2 * second.sum()


def example():
    sets = [torch.linspace(-1.0, 1.0, 4).reshape(2, 2), torch.linspace(0.0, 1.0, 6).reshape(3, 2)]
    return sets, torch.tensor([1.0, -0.5])
