import torch


def probes():
    for n in (1, 5, 6):
        x, y = torch.rand(n) + 0.5, torch.rand(n) + 2
        yield "agrees", ({"width": x, "height": y},)
        yield "silent", ({"height": y, "width": x},)
