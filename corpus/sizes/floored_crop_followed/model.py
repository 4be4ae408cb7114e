"""As floored_crop, in whole numbers that stay in the graph."""

import torch


class Net(torch.nn.Module):
    def forward(self, image):
        rows = image.shape[1] * 7 // 10
        return image[:, :rows].mean(dim=2)


def example():
    return (torch.linspace(0.5, 2.0, 60).reshape(2, 10, 3),)
