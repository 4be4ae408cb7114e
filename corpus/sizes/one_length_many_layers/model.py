"""A length is made an int once and shapes every layer: many literals, one cause."""

import torch


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = torch.nn.Linear(4, 4)

    def forward(self, x, batch, length):
        heads = self.mix(x).view(batch, length, 2, 2).transpose(1, 2)
        weights = torch.softmax(heads @ heads.transpose(2, 3), dim=3)
        return x + (weights @ heads).transpose(1, 2).reshape(batch, length, 4)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList([Block() for _ in range(2)])

    def forward(self, x):
        length = int(x.shape[1])  # cause
        for block in self.blocks:
            x = block(x, x.shape[0], length)
        return x


def example():
    return (torch.linspace(-1.0, 1.0, 48).reshape(2, 6, 4),)
