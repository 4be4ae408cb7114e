import torch


def probes():
    for n in (1, 3, 5):
        yield "agrees", ({"image": torch.randn(n, 4), "label": torch.zeros(n, dtype=torch.int64)},)
        yield "agrees", ({"image": torch.randn(n, 4)},)
