"""What is halved is brought back to the input's size by padding that follows whether sizes are odd."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.down = torch.nn.Conv2d(2, 3, 3, stride=2, padding=1)
        self.up = torch.nn.Parameter(torch.linspace(-1.0, 1.0, 54).reshape(3, 2, 3, 3))

    def forward(self, x):
        halved = self.down(x)
        rest = [(size + 1) % 2 for size in x.shape[2:]]
        padding = (int(rest[0]), int(rest[1]))  # cause
        up = torch.nn.functional.conv_transpose2d(
            halved, self.up, stride=2, padding=1, output_padding=padding
        )
        return x + up


def example():
    return (torch.linspace(-1.0, 1.0, 96).reshape(1, 2, 8, 6),)
