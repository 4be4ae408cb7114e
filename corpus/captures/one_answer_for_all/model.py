"""Boxes are rounded by NumPy and come back as a tensor: every picture gets the example's."""

import torch


class Net(torch.nn.Module):
    def forward(self, boxes):
        rounded = torch.from_numpy(boxes.detach().numpy().round())  # cause
        return rounded + 0 * boxes.mean()


def example():
    return (torch.linspace(-4.0, 4.0, 12).reshape(3, 4),)
