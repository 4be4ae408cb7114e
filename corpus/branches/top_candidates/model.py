"""Only many candidates are cut to the eight best; a graph from many always cuts."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.limit = 8

    def forward(self, boxes, scores):
        if self.limit > 0 and scores.shape[0] > self.limit:  # cause
            scores, best = scores.topk(self.limit)
            boxes = boxes[best]
        return boxes * scores.unsqueeze(1)


def example():
    return torch.linspace(-1.0, 1.0, 48).reshape(12, 4), torch.linspace(0.1, 0.9, 12)
