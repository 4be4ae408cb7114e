import torch


def probes():

    ramp = torch.linspace(-2.0, 1.0, 6)
    yield "agrees", (ramp,)
    yield "agrees", (-ramp.abs().flip(0) * 0 + 1,)
    for n in (1, 2, 3, 5, 7, 11):
        yield "silent", (torch.linspace(-4.0, -3.0, n),)
