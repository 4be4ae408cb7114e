"""An archive of weights that were trained further after the export."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.linear(x).relu()


def export():
    """What was exported before: the same layers, other numbers."""
    net = Net()
    with torch.no_grad():
        net.linear.weight.mul_(0.5)  # cause
    return torch.jit.trace(net, example())


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
