"""The last three means are kept in a buffer that is overwritten in place."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("history", torch.zeros(3, 4))

    def forward(self, x):
        self.history.copy_(torch.cat([self.history[1:], x.mean(dim=0, keepdim=True)]))
        return x + self.history.mean(dim=0)


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
