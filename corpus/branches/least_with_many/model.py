"""Python's min chooses between a limit and a size: with many scores, the graph holds the limit."""

import torch


class Net(torch.nn.Module):
    def forward(self, scores):
        count = min(5, scores.shape[0])  # cause
        return scores.topk(count)[0].softmax(dim=0)


def example():
    return (torch.linspace(-1.0, 1.0, 8),)
