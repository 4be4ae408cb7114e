import torch


def probes():
    scores = torch.tensor([0.1, 0.9, 0.3, 0.8, 0.5])
    yield "agrees", (torch.randn(5, 4), scores)
    yield "agrees", (torch.randn(5, 4), scores.flip(0))
    yield "agrees", (torch.randn(8, 4), torch.linspace(0.0, 1.0, 8))
    for n in (1, 3, 4):
        yield "agrees", (torch.randn(n, 4), scores[:n])
