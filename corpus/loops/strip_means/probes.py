import torch


def probes():
    for h in (4, 7, 8, 11, 12, 13, 16, 20):
        yield "agrees" if h // 4 == 3 else "silent", (torch.rand(2, h, 3) + 0.5,)
