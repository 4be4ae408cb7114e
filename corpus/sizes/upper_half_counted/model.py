"""As upper_half, with the number of places counted in Python."""

import torch


class Net(torch.nn.Module):
    def forward(self, scores):
        half = int(scores.shape[1]) // 2  # cause
        return scores.topk(half, dim=1)[0]


def example():
    return (torch.tensor([[0.1, 0.9, 0.4, 0.7, 0.2, 0.8, 0.3], [1.0, 3.0, 2.0, 6.0, 5.0, 4.0, 7.0]]),)
