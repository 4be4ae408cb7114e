"""A size that is added to becomes another one, and the first name keeps what it had."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        parts = x.shape[1]
        count = parts + 1
        padded = torch.cat([x, x[:, :1]], dim=1)
        return padded.sum(dim=1) * parts / count


def example():
    return (torch.linspace(-1.0, 2.0, 12).reshape(3, 4),)
