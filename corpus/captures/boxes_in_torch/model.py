"""As boxes_in_numpy, with the sorting left to the graph."""

import torch


class Net(torch.nn.Module):
    def forward(self, boxes, scores):
        keep = scores.argsort(descending=True)[:3]
        return boxes[keep], scores[keep]


def example():
    boxes = torch.linspace(0.0, 9.5, 20).reshape(5, 4)
    return boxes, torch.tensor([0.1, 0.9, 0.3, 0.8, 0.5])
