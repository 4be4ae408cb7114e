"""A quarter of an image is brought back to its size by padding for the rows and columns left over."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.down = torch.nn.Conv2d(2, 3, 4, stride=4)
        self.up = torch.nn.Parameter(torch.linspace(-1.0, 1.0, 96).reshape(3, 2, 4, 4))

    def forward(self, x):
        quarter = self.down(x)
        rest = [size % 4 for size in x.shape[2:]]
        padding = (int(rest[0]), int(rest[1]))  # cause
        up = torch.nn.functional.conv_transpose2d(
            quarter, self.up, stride=4, output_padding=padding
        )
        return x + up


def example():
    return (torch.linspace(-1.0, 1.0, 98).reshape(1, 2, 7, 7),)
