"""The highest value so far, from the left and from the right: two loops over the same time."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        left, right = [], []
        best = x[:, 0]
        for t in range(x.shape[1]):  # cause
            best = torch.maximum(best, x[:, t])
            left.append(best)
        best = x[:, -1]
        for t in range(x.shape[1] - 1, -1, -1):  # cause
            best = torch.maximum(best, x[:, t] * 2)
            right.append(best)
        return torch.stack(left, dim=1), torch.stack(right[::-1], dim=1)


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
