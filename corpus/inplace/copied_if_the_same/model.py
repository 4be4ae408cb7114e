"""A step is taken in place, on a copy where both arguments are one tensor; tracing tells two arguments apart always."""

import torch


class Net(torch.nn.Module):
    def forward(self, grad, velocity):
        if velocity is grad:  # cause
            velocity = velocity.clone()
        velocity.mul_(0.5).add_(grad.sign())
        return grad + velocity


def example():
    return torch.linspace(-1.0, 1.0, 5), torch.linspace(1.0, 2.0, 5)
