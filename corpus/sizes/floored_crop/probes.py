import torch


def probes():
    for h in (2, 5, 9, 10, 11, 12, 17):
        yield "agrees" if h in (10, 11) else "silent", (torch.rand(2, h, 3) + 0.5,)
