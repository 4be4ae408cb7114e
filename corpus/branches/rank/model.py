"""A missing batch dimension is added by a test of dim(), which tracing does not warn about."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.dim() == 2:  # cause
            x = x.unsqueeze(0)
        return x.mean(dim=1)


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
