"""As nothing_passed, traced where boxes pass: without one, the selection is empty by itself."""

import torch


class Net(torch.nn.Module):
    def forward(self, boxes, scores):
        keep = scores > 0.5
        if not keep.any():
            return boxes.new_zeros(0, 4)
        return boxes[keep]


def example():
    return torch.linspace(-1.0, 1.0, 20).reshape(5, 4), torch.linspace(0.1, 0.9, 5)
