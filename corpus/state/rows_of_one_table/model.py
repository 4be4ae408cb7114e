"""Two buffers are rows of one table: copies of the archive keep them apart."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        left, right = torch.tril_indices(4, 4, offset=-1)
        self.register_buffer("left", left)
        self.register_buffer("right", right)

    def forward(self, x):
        products = x @ x.transpose(1, 2)
        return products[:, self.left, self.right]


def example():
    return (torch.linspace(-1.0, 1.0, 24).reshape(2, 4, 3),)
