"""A running total takes up what is new, but for itself; the trace, made of two tensors, always adds."""

import torch


def take_up(total, new):
    if total is not new:  # cause
        total += new
    return total


class Net(torch.nn.Module):
    def forward(self, total, new):
        scaled = torch.tanh(new)
        return take_up(total, new) * scaled


def example():
    return torch.linspace(-1.0, 1.0, 6).reshape(2, 3), torch.linspace(0.0, 2.0, 6).reshape(2, 3)
