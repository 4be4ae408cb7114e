"""All features of a dict are put together, whatever their names: the graph asks for those of the example."""

from typing import Dict

import torch


class Net(torch.nn.Module):
    def forward(self, features: Dict[str, torch.Tensor]):
        parts = []
        for name in features:  # cause
            parts.append(features[name].sum(dim=0))
        return torch.stack(parts).prod(dim=0)


def example():
    x = torch.linspace(0.5, 2.0, 12).reshape(4, 3)
    return ({"left": x, "right": x * 2},)
