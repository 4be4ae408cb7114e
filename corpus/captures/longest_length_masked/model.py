"""As longest_length, with a mask in place of the number: the maximum stays in the graph."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, lengths):
        inside = torch.arange(x.shape[1]) < lengths.max()
        return (x * inside.unsqueeze(1)).sum(dim=1)


def example():
    return torch.linspace(0.5, 2.0, 36).reshape(3, 6, 2), torch.tensor([2, 4, 3])
