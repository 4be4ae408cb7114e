import torch


def probes():
    for n in (1, 2, 4, 5, 7, 8):
        yield "agrees" if n == 4 else "silent", (torch.randint(1, 9, (2, n)),)
