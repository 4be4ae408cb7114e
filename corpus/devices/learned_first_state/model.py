"""A first state that is a parameter moves with the model."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Parameter(torch.zeros(1, 1, 4))
        self.gru = torch.nn.GRU(3, 4, batch_first=True)

    def forward(self, x):
        return self.gru(x, self.first.repeat(1, x.shape[0], 1))[0]


def example():
    return (torch.linspace(-1.0, 1.0, 30).reshape(2, 5, 3),)
