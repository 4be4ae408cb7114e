"""Dicts, tuples and lists inside one another, in and out."""

from typing import Dict, List, Tuple

import torch


class Net(torch.nn.Module):
    def forward(self, batch: Dict[str, torch.Tensor], pair: Tuple[torch.Tensor, torch.Tensor],
                several: List[torch.Tensor]):  # fmt: skip
        total = batch["x"] + batch["y"] * pair[0]
        parts = {"total": total, "first": several[0] - pair[1]}
        return parts, (several[1] * 2, [total.sum(), several[0]])


def example():
    x = torch.linspace(-1.0, 1.0, 5)
    return {"x": x, "y": x * 2}, (x + 1, x + 2), [x * 3, x * 4]
