"""A billion with a sign masks in every element type that holds it, rows without an entry included."""

import torch


class Net(torch.nn.Module):
    def forward(self, scores, mask):
        return (scores + (1 - mask) * -1e9).softmax(dim=1)


def example():
    scores = torch.linspace(-1.0, 1.0, 12).reshape(3, 4)
    return scores, (scores > 0).float()
