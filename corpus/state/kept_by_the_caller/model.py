"""A table that a helper makes is kept from the first call on and halved by each; the graph makes it anew."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = None

    def normalized(self, adjacency):
        loops = adjacency + torch.eye(3)
        degree = loops.sum(1).rsqrt()
        return degree[:, None] * loops * degree

    def forward(self, x, adjacency):
        if self.norm is None:
            self.norm = self.normalized(adjacency)  # cause
        else:
            self.norm = self.norm * 0.5
        return self.norm @ x


def example():
    return torch.linspace(-1.0, 1.0, 6).reshape(3, 2), torch.linspace(0.0, 1.0, 9).reshape(3, 3)
