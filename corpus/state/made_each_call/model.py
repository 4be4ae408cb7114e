"""A table that a helper makes is made in every call, and kept in an attribute that nothing reads before."""

import torch


class Net(torch.nn.Module):
    def normalized(self, adjacency):
        loops = adjacency + torch.eye(3)
        degree = loops.sum(1).rsqrt()
        return degree[:, None] * loops * degree

    def forward(self, x, adjacency):
        self.norm = self.normalized(adjacency)
        return self.norm @ x


def example():
    return torch.linspace(-1.0, 1.0, 6).reshape(3, 2), torch.linspace(0.0, 1.0, 9).reshape(3, 3)
