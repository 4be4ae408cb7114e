import torch


def probes():
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        for n in (1, 3, 4):
            yield "agrees", (torch.randn(n, 4).to(dtype), torch.zeros(n, 4).to(dtype))
            yield "agrees", (torch.randn(n, 4).to(dtype), torch.ones(n, 4).to(dtype))
