"""Cell coordinates are kept until the image's size changes: the graph has those of the example."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.size, self.cells = None, None

    def forward(self, x):
        size = int(x.shape[2]), int(x.shape[3])  # cause
        if self.size != size:
            rows = torch.arange(size[0]).reshape(-1, 1).expand(size)
            columns = torch.arange(size[1]).expand(size)
            self.size, self.cells = size, torch.stack([columns, rows], dim=2).reshape(-1, 2)
        return x.flatten(2).transpose(1, 2) + self.cells


def example():
    return (torch.linspace(-1.0, 1.0, 48).reshape(1, 2, 4, 6),)
