"""Constant weights made on the device of the image stay on the device of the export."""

import torch


class Net(torch.nn.Module):
    def forward(self, image):
        weights = torch.tensor([0.3, 0.6, 0.1], device=image.device)  # cause
        return (image * weights.reshape(3, 1, 1)).sum(dim=0)


def example():
    return (torch.linspace(0.0, 1.0, 36).reshape(3, 3, 4),)
