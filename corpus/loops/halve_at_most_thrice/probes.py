import torch


def probes():
    ramp = torch.linspace(-1.0, 0.5, 6).reshape(2, 3)
    for scale in (0.5, 1.5, 3.0, 5.0, 9.0, 30.0):
        yield "agrees", (ramp * scale,)
