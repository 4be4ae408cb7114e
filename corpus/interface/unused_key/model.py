"""The example's dict has a key that the model never reads, and that may be left out."""

from typing import Dict

import torch


class Net(torch.nn.Module):
    def forward(self, batch: Dict[str, torch.Tensor]):
        return batch["image"].mean(dim=1)


def example():
    image = torch.linspace(0.5, 2.0, 12).reshape(3, 4)
    return ({"image": image, "label": torch.tensor([1, 0, 2])},)
