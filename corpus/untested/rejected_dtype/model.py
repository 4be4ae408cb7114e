"""Another element type is declared that the model itself rejects: nothing of it was compared."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = torch.nn.Linear(4, 3)

    def forward(self, x):
        return self.mix(x)


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
