"""Rows are to come with the longest first; the trace takes any order."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, lengths):
        if (lengths[1:] > lengths[:-1]).any():
            raise ValueError("the longest row comes first")  # cause
        keep = torch.arange(x.shape[1]) < lengths[:, None]
        return (x * keep[..., None]).sum(1)


def example():
    return torch.linspace(-1.0, 1.0, 24).reshape(3, 4, 2), torch.tensor([4, 3, 1])
