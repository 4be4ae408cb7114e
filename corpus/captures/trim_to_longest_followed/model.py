"""As trim_to_longest, with the largest length itself: a tensor may bound a slice and an arange."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, lengths):
        longest = lengths.max()
        inside = torch.arange(longest) < lengths.unsqueeze(1)
        return x[:, :longest] * inside


def example():
    return torch.linspace(0.5, 2.0, 18).reshape(3, 6), torch.tensor([4, 1, 3])
