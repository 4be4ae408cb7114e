"""Without gradients a fused operator is taken, which gives the same as the path in the graph."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.linspace(-1.0, 1.0, 12).reshape(4, 3))
        self.bias = torch.nn.Parameter(torch.linspace(0.0, 1.0, 3))

    def forward(self, x):
        if torch.is_grad_enabled():
            return x @ self.weight + self.bias
        return torch.addmm(self.bias, x, self.weight)


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
