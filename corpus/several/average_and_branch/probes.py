import torch


def probes():
    yield "agrees", (torch.tensor([2.0, 1.0, -3.0, 0.5]),)
    yield "silent", (torch.tensor([0.2, 0.1, -0.3]),)
    yield "silent", (torch.tensor([2.0, 1.0, -3.0, 0.5]),), {"calls": 2}
    yield "silent", (torch.tensor([2.0, 4.0]),), {"calls": 3}
