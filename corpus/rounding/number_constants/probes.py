import torch


def probes():

    for n in (1, 2, 4, 7):
        yield "agrees", (torch.randint(0, 9, (2, n)),)
