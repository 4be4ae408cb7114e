"""An image is averaged over strips of four rows, as many as the example had."""

import torch


class Net(torch.nn.Module):
    def forward(self, image):
        means = []
        for i in range(image.shape[1] // 4):  # cause
            strip = image[:, 4 * i : 4 * i + 4]
            means.append(strip.mean(dim=1))
        return torch.cat(means, dim=1)


def example():
    return (torch.linspace(0.5, 2.0, 72).reshape(2, 12, 3),)
