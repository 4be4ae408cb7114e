"""A column is cleared through NumPy's view of the tensor, a line below where it was taken."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        y = torch.sigmoid(x)
        view = y.detach().numpy()
        total = view.shape[0] * 0
        view[:, 0] = total  # cause
        return y * 2


def example():
    return (torch.linspace(-1.0, 1.0, 6).reshape(2, 3),)
