"""Rows in any order: a check that the declared inputs never break."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, lengths):
        if (lengths > x.shape[1]).any():
            raise ValueError("a length is beyond the end")
        keep = torch.arange(x.shape[1]) < lengths[:, None]
        return (x * keep[..., None]).sum(1)


def example():
    return torch.linspace(-1.0, 1.0, 24).reshape(3, 4, 2), torch.tensor([4, 3, 1])
