"""While tracing a size is a tensor: what counts it up changes it under its other name, too."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        count = parts = x.shape[1]
        count += 1  # cause
        padded = torch.cat([x, x[:, :1]], dim=1)
        return padded.sum(dim=1) * parts / count


def example():
    return (torch.linspace(-1.0, 2.0, 12).reshape(3, 4),)
