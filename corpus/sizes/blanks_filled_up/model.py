"""A short row is filled up with blanks: how many stands in the trace as the length of a list."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.blank = torch.nn.Parameter(torch.full((1, 1, 3), 0.25))
        self.across = torch.nn.Linear(8, 2)

    def forward(self, x):
        missing = 8 - int(x.shape[1])  # cause
        blanks = [self.blank.expand(x.shape[0], -1, -1)] * missing
        return self.across(torch.cat([x] + blanks, 1).transpose(1, 2))


def example():
    return (torch.linspace(-1.0, 1.0, 24).view(2, 4, 3),)
