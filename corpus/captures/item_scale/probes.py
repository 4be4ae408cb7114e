import torch


def probes():
    ramp = torch.linspace(0.5, 2.0, 12).reshape(3, 4)
    yield "agrees", (ramp,)
    yield "agrees", (-ramp,)
    yield "silent", (ramp * 3,)
    yield "silent", (torch.ones(2, 2),)
