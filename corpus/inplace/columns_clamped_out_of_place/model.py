"""Columns of a copy are clamped through a view; exported out of place, the copy stays as it was."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        y = x * 1.5
        y[:, 1:].clamp_(max=1)  # cause
        return y.cumsum(dim=1)


def export():
    return torch.jit.trace(Net().eval(), example(), check_trace=False, _force_outplace=True)


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
