"""Where gradients are recorded a step is replaced by a slope, and tracing records them."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steepness = torch.nn.Parameter(torch.tensor(4.0))

    def forward(self, x):
        if torch.is_grad_enabled():  # cause
            return torch.sigmoid(x * self.steepness)
        return (x > 0).to(x.dtype)


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
