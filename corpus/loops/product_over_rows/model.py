"""A loop over rows is unrolled: fewer rows raise, more are left out."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        product = torch.ones_like(x[0])
        for i in range(x.shape[0]):  # cause
            product = product * x[i]
        return product


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(4, 3),)
