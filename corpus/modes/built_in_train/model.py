"""The model is built in train mode, as any is; export and model are compared in eval mode, both of them."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 6)
        self.norm = torch.nn.BatchNorm1d(6)
        self.drop = torch.nn.Dropout(0.5)
        self.train()

    def forward(self, x):
        return self.drop(self.norm(self.linear(x)).relu())


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
