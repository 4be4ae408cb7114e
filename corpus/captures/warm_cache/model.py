"""A model that was warmed up before its export: what it kept for the size is taken as it is."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.angles = None

    def forward(self, x):
        length = x.shape[1]
        if self.angles is None or self.angles.shape[0] != length:  # cause
            self.angles = torch.arange(length) * 0.1
        return x * self.angles.cos().unsqueeze(1)


def export():
    net, inputs = Net().eval(), example()
    net(*inputs)
    return torch.jit.trace(net, inputs, check_trace=False)


def example():
    return (torch.linspace(-1.0, 1.0, 24).reshape(2, 6, 2),)
