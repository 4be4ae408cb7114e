"""Sentences lie behind one another: they are laid side by side, as wide as the longest, an int."""

import torch


class Net(torch.nn.Module):
    def forward(self, words, ends):
        begins = torch.nn.functional.pad(ends[:-1], (1, 0))
        longest = int((ends - begins).max())  # cause
        places = begins[:, None] + torch.arange(longest)
        inside = places < ends[:, None]
        rows = words[places.clamp(max=words.shape[0] - 1)]
        return rows * inside[:, :, None]


def example():
    return torch.linspace(-1.0, 1.0, 30).reshape(10, 3), torch.tensor([3, 8, 10])
