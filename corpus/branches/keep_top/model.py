"""Only long inputs are cut to the eight largest; a graph from a short one never cuts."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] > 8:  # cause
            x = x.topk(8)[0]
        return x * 2


def example():
    return (torch.linspace(-1.0, 1.0, 6),)
