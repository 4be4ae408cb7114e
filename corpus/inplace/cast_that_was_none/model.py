"""A cast that has nothing to do on the example gives its argument, which is then written to."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        y = x.to(torch.float32)  # cause
        y.sub_(1.0)
        return y.double() * x.double()


def example():
    return (torch.linspace(-2.0, 2.0, 6).reshape(2, 3),)
