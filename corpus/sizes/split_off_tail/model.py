"""The last two columns are split off, by a list of widths of which one was an int."""

import torch


class Net(torch.nn.Module):
    def forward(self, boxes):
        width = int(boxes.shape[1])  # cause
        body, tail = boxes.split([width - 2, 2], dim=1)
        return body * tail.sum(dim=1, keepdim=True)


def example():
    return (torch.linspace(-1.0, 1.0, 18).reshape(3, 6),)
