"""The best boxes are picked in NumPy: the export picks the example's rows for every picture."""

import numpy as np
import torch


class Net(torch.nn.Module):
    def forward(self, boxes, scores):
        order = np.argsort(-scores.detach().numpy())[:3]  # cause
        keep = torch.from_numpy(order)
        return boxes[keep], scores[keep]


def example():
    boxes = torch.linspace(0.0, 9.5, 20).reshape(5, 4)
    return boxes, torch.tensor([0.1, 0.9, 0.3, 0.8, 0.5])
