"""A softmax that takes the largest score off without gradients: through it they add up to zero."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.linspace(-1.0, 1.0, 12).reshape(4, 3))

    def forward(self, x):
        y = x @ self.weight
        with torch.no_grad():
            largest = y.amax(-1, keepdim=True)
        raised = torch.exp(y - largest)
        return raised / raised.sum(-1, keepdim=True)


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
