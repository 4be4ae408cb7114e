"""A confident first head ends the work; traced with an unsure example, the graph always goes on."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.second = torch.nn.Linear(4, 4)

    def forward(self, x):
        sure = x.softmax(dim=1)
        if sure.max() > 0.6:  # cause
            return sure
        return (x + self.second(x)).softmax(dim=1)


def example():
    return (torch.linspace(-0.2, 0.2, 12).reshape(3, 4),)
