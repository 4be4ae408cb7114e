"""Exported with every in-place operator made an out-of-place one, a write through an index writes nowhere."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("rows", torch.tensor([0, 2]))

    def forward(self, x, step):
        x[:, self.rows, 1:3] += step  # cause
        return x


def export():
    """As exporters to formats without writes have it."""
    return torch.jit.trace(Net().eval(), example(), check_trace=False, _force_outplace=True)


def example():
    x = torch.linspace(-1.0, 1.0, 24).reshape(2, 3, 4)
    return x, torch.linspace(0.5, 1.0, 8).reshape(2, 2, 2)
