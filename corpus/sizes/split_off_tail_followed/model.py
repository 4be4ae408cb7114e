"""As split_off_tail, with the size itself."""

import torch


class Net(torch.nn.Module):
    def forward(self, boxes):
        width = boxes.shape[1]
        body, tail = boxes.split([width - 2, 2], dim=1)
        return body * tail.sum(dim=1, keepdim=True)


def example():
    return (torch.linspace(-1.0, 1.0, 18).reshape(3, 6),)
