import torch


def probes():
    ramp = torch.linspace(-1.0, 0.5, 6).reshape(2, 3)
    yield "agrees", (ramp * 5,)
    yield "agrees", (ramp[:1] * 7.5,)
    yield "agrees", (ramp * 0,)
    for rows, scale in ((1, 1.5), (3, 9.0), (4, 30.0), (3, 3.0), (2, 9.0)):
        yield "silent", (torch.linspace(-1.0, 0.5, 3 * rows).reshape(rows, 3) * scale,)
