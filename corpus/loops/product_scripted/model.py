"""The loop of product_over_rows, scripted, goes over all rows."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        product = torch.ones_like(x[0])
        for i in range(x.shape[0]):
            product = product * x[i]
        return product


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(4, 3),)
