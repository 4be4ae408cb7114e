"""Words of a sentence are summed in bags whose starts were counted in Python."""

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Parameter(torch.linspace(-1.0, 1.0, 30).reshape(10, 3))

    def forward(self, ids):
        starts = torch.arange(0, int(ids.numel()), int(ids.shape[1]))  # cause
        return F.embedding_bag(ids.reshape(-1), self.table, starts, mode="sum")


def example():
    return (torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8], [0, 9, 2, 4]]),)
