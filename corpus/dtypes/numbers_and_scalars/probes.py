import torch


def probes():
    for m in (1, 4):
        yield "agrees", (torch.randn(3, m),)
        yield "agrees", (torch.randn(2, m).double(),)
        yield "agrees", (torch.randn(1, m).bfloat16(),)
        yield "agrees", (torch.arange(4 * m).reshape(4, m),)
