"""As mask_key, traced with a mask: without one the graph fails."""

from typing import Dict

import torch


class Net(torch.nn.Module):
    def forward(self, x, extras: Dict[str, torch.Tensor]):
        if "mask" in extras:  # cause
            x = x * extras["mask"]
        return x + extras["shift"]


def example():
    x = torch.linspace(-1.0, 1.0, 4)
    return x, {"shift": x + 1, "mask": x * x}
