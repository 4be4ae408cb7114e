"""Packed tokens are put into as many columns as the longest sequence of the example has."""

import torch


class Net(torch.nn.Module):
    def forward(self, tokens, ends):
        lengths = ends[1:] - ends[:-1]
        longest = int(lengths.max())  # cause
        places = ends[:-1, None] + torch.arange(longest)
        inside = torch.arange(longest) < lengths[:, None]
        filled = torch.zeros(lengths.shape[0], longest, tokens.shape[1])
        filled[inside] = tokens[places[inside]]
        return filled.sum(dim=2)


def example():
    return torch.linspace(0.5, 2.0, 18).reshape(9, 2), torch.tensor([0, 2, 5, 9])
