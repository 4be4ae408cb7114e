"""A field is returned only where there are rows enough to compute it."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        found = {"total": x.sum(dim=0)}
        if x.shape[0] > 4:  # cause
            found["spread"] = x.max(dim=0)[0] - x.min(dim=0)[0]
        return found


def example():
    return (torch.linspace(-1.0, 1.0, 9).reshape(3, 3),)
