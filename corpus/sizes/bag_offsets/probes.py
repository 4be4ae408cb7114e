import torch


def probes():
    for b, t in ((3, 4), (4, 4), (3, 5), (6, 2), (4, 3), (2, 6)):
        outcome = "agrees" if (b, t) == (3, 4) else "silent"
        yield outcome, ((torch.arange(b * t).reshape(b, t) * 7 + 1) % 10,)
    for b, t in ((1, 2), (2, 2), (1, 1)):
        yield "loud", ((torch.arange(b * t).reshape(b, t) * 7 + 1) % 10,)
