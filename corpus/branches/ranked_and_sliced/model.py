"""The eight best candidates by sorting and slicing, which needs no branch on how many there are."""

import torch


class Net(torch.nn.Module):
    def forward(self, boxes, scores):
        best = scores.argsort(descending=True)[:8]
        return boxes[best] * scores[best].unsqueeze(1)


def example():
    return torch.linspace(-1.0, 1.0, 48).reshape(12, 4), torch.linspace(0.1, 0.9, 12)
