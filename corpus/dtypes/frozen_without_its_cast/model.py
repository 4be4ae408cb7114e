"""An archive made under autocast and frozen gives its result in another element type than the model."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4, bias=False)

    def forward(self, x):
        return self.linear(x)


def export():
    net = Net().eval()
    with torch.autocast("cpu", dtype=torch.bfloat16, cache_enabled=False):  # cause
        traced = torch.jit.trace(net, example(), check_trace=False)
    return torch.jit.freeze(traced)


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
