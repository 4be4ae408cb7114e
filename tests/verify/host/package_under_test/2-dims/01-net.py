import torch

from ..parts import double


class Net(torch.nn.Module):
    def forward(self, x):
        return double(x)
