"""A branch in a helper under script_if_tracing stays a branch."""

import torch


@torch.jit.script_if_tracing
def signed_root(x):
    if bool(x.sum() > 0):
        return x.abs().sqrt()
    return x.square()


class Net(torch.nn.Module):
    def forward(self, x):
        return signed_root(x) + 1


def example():
    return (torch.linspace(0.5, 2.0, 6),)
