import torch


def probes():
    for b, h, w in ((1, 2, 3), (2, 4, 3)):
        yield "agrees", (torch.randn(b, h, w),)
        yield "loud", (torch.randn(b, h + 1, w + 1)[:, :h, :w],)
        yield "agrees", (torch.randn(b, h, 2 * w)[:, :, ::2],)  # Steps of two all along can be viewed.
