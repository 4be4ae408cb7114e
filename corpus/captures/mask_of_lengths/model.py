"""As masked_by_lengths, by a comparison of all places with all lengths."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, lengths):
        mask = torch.arange(x.shape[1]) >= lengths.unsqueeze(1)
        return x.masked_fill(mask, 0.0).sum(dim=1)


def example():
    return torch.linspace(0.5, 2.0, 18).reshape(3, 6), torch.tensor([4, 6, 2])
