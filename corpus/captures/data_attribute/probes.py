import torch


def probes():
    ramp = torch.linspace(-1.0, 1.0, 12).reshape(4, 3)
    yield "agrees", (ramp,)
    yield "silent", (ramp + 1,)
    yield "silent", (-ramp,)
    yield "silent", (ramp[:1],)
    for n in (2, 3, 5):
        yield "loud", (torch.randn(n, 3),)
