"""A setting of the file was on while the model was exported and is off where it runs."""

import torch
import torch.nn.functional as F

FAST = False


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = torch.nn.Parameter(torch.tensor([1.0, 2.0, 3.0, 4.0]))

    def forward(self, x):
        y = x * self.gain
        if FAST:  # cause
            return F.hardtanh(y)
        return torch.tanh(y)


def export():
    """What was exported with the setting of a benchmark."""
    global FAST
    FAST = True
    try:
        return torch.jit.trace(Net(), example())
    finally:
        FAST = False


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
