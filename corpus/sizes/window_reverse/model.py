"""Windows of an image are put together again with a batch size worked out in Python: other batches
trade channels for images."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = torch.nn.Linear(4, 4)

    def merge(self, windows, height: int, width: int):
        batch = int(windows.shape[0] / (height * width / 2 / 2))  # cause
        x = windows.view(batch, height // 2, width // 2, 2, 2, -1)
        return x.permute(0, 1, 3, 2, 4, 5).reshape(batch, height, width, -1)

    def forward(self, x):
        batch, height, width, channels = x.shape
        x = x.view(batch, height // 2, 2, width // 2, 2, channels)
        windows = x.permute(0, 1, 3, 2, 4, 5).reshape(-1, 2, 2, channels)
        return self.merge(self.mix(windows), height, width)


def example():
    return (torch.linspace(-1.0, 1.0, 192).reshape(2, 4, 6, 4),)
