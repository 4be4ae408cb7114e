"""The peaks of an image's tiles, by one maximum over all of them."""

import torch


class Net(torch.nn.Module):
    def forward(self, image):
        batch, height, width = image.shape
        tiles = image.reshape(batch, height // 2, 2, width // 2, 2)
        return tiles.amax(dim=(2, 4))


def example():
    return (torch.linspace(-1.0, 1.0, 48).reshape(2, 4, 6),)
