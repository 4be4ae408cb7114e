"""Boxes are kept greedily: as many rounds as the example had."""

import torch


class Net(torch.nn.Module):
    def forward(self, boxes, scores):
        order = scores.argsort(descending=True)
        gone = torch.zeros_like(scores)
        kept = torch.zeros_like(scores)
        for place in range(order.shape[0]):  # cause
            own = order[place]
            near = (boxes - boxes[own]).abs().sum(dim=1) < 0.5
            kept[own] = (1 - gone[own]) * scores[own]
            gone = torch.maximum(gone, near.to(scores.dtype))
        return kept


def example():
    return torch.linspace(0.0, 1.0, 8).reshape(2, 4), torch.tensor([0.3, 0.8])
