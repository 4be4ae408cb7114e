"""A norm that training leaves alone, as when a trained body gets a new head."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(4)
        self.head = torch.nn.Linear(4, 2)

    def train(self, mode=True):
        super().train(mode)
        self.norm.eval()
        return self

    def forward(self, x):
        return self.head(self.norm(x).relu())


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
