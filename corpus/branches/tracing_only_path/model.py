"""While it is traced a mean stands in for the median that an exporter of old could not write."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if torch.jit.is_tracing():  # cause
            return x.mean(dim=1)
        return x.median(dim=1)[0]


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
