"""A list of pictures, each a dict: the loop over it is as long as the example's list."""

from typing import Dict, List

import torch


class Net(torch.nn.Module):
    def forward(self, batch: List[Dict[str, torch.Tensor]]):
        totals = []
        for entry in batch:  # cause
            totals.append((entry["image"] * entry["gain"]).sum(dim=1))
        return torch.stack(totals)


def example():
    image = torch.linspace(-1.0, 1.0, 6).reshape(2, 3)
    return ([{"image": image, "gain": torch.ones(1)}, {"image": image + 1, "gain": torch.ones(1)}],)
