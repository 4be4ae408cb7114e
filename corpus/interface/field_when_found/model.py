"""A field of the result exists only where something was found: the example's answer decides for all."""

import torch


class Net(torch.nn.Module):
    def forward(self, scores):
        found = {"best": scores.amax()}
        if bool((scores > 0.9).any()):  # cause
            found["hits"] = (scores > 0.9).sum()
        return found


def example():
    return (torch.linspace(-1.0, 0.5, 6),)
