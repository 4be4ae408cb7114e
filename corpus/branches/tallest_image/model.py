"""Two pictures are laid into one batch as tall as the taller, which in the example was the first."""

import torch


class Net(torch.nn.Module):
    def forward(self, first, second):
        images = [first, second]
        height = max(image.shape[0] for image in images)  # cause
        batch = torch.zeros(2, height, 4)
        for image, slot in zip(images, batch):
            slot[: image.shape[0]].copy_(image)
        return batch


def example():
    return torch.linspace(-1.0, 1.0, 20).reshape(5, 4), torch.linspace(1.0, 2.0, 12).reshape(3, 4)
