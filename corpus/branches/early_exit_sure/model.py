"""As early_exit, traced with a sure example: the work always ends early."""

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
    return (torch.eye(4)[:3] * 5,)
