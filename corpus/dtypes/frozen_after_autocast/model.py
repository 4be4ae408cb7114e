"""Freezing an archive made under autocast folds the weight's cast: it holds bfloat16 for good."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4, bias=False)

    def forward(self, x):
        return self.linear(x).float()


def export():
    net = Net().eval()
    with torch.autocast("cpu", dtype=torch.bfloat16, cache_enabled=False):  # cause
        return torch.jit.freeze(torch.jit.trace(net, example(), check_trace=False))


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
