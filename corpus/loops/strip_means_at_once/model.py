"""As strip_means, with one mean over all strips."""

import torch


class Net(torch.nn.Module):
    def forward(self, image):
        batch, height, width = image.shape
        strips = image[:, : height // 4 * 4].reshape(batch, height // 4, 4, width)
        return strips.mean(dim=2).reshape(batch, height // 4 * width)


def example():
    return (torch.linspace(0.5, 2.0, 72).reshape(2, 12, 3),)
