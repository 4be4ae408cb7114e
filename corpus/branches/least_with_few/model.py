"""As least_with_many, traced with few scores: the limit is gone."""

import torch


class Net(torch.nn.Module):
    def forward(self, scores):
        count = min(5, scores.shape[0])  # cause
        return scores.topk(count)[0].softmax(dim=0)


def example():
    return (torch.linspace(-1.0, 1.0, 3),)
