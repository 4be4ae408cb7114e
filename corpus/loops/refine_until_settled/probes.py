import torch


def probes():
    signal = torch.tensor([[[0.0, 3.0, 0.0, 1.0, 2.0, -1.0]]])
    yield "agrees", (signal,)
    yield "agrees", (-signal,)
    for scale in (0.1, 0.5, 10.0):
        yield "silent", (signal * scale,)
    yield "silent", (torch.tensor([[[0.2, 0.1, 0.0, 0.1]]]),)
