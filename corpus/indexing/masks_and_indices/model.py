"""Boolean masks and index tensors beside masked_select and index_select."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, index):
        mask = x > 0
        return x[mask], torch.masked_select(x, mask), x[index], torch.index_select(x, 0, index)


def example():
    return torch.linspace(-1.0, 1.0, 12).reshape(4, 3), torch.tensor([3, 0])
