"""As bag_offsets, by the library, which finds the starts from the sizes themselves."""

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Parameter(torch.linspace(-1.0, 1.0, 30).reshape(10, 3))

    def forward(self, ids):
        return F.embedding_bag(ids, self.table, mode="sum")


def example():
    return (torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8], [0, 9, 2, 4]]),)
