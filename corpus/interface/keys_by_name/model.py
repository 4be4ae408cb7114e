"""Features are taken from a dict by name: the order of its keys is nothing."""

from typing import Dict

import torch


class Net(torch.nn.Module):
    def forward(self, batch: Dict[str, torch.Tensor]):
        return batch["width"] + batch["height"] * 2


def example():
    x = torch.linspace(0.5, 2.0, 5)
    return ({"width": x, "height": x * 3},)
