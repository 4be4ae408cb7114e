"""Statistics are moved in place without gradients, and the output is normalized by them."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = torch.nn.Linear(4, 3)
        self.register_buffer("mean", torch.zeros(4))
        self.register_buffer("var", torch.ones(4))
        self.register_buffer("count", torch.tensor(1.0))

    def observe(self, x):
        n = x.shape[0]
        delta, total = x.mean(0) - self.mean, self.count + n
        moment = self.var * self.count + x.var(0, unbiased=False) * n + delta.square() * self.count * n / total
        self.mean.add_(delta * n / total)
        self.var.copy_(moment / total)
        self.count.add_(n)

    def forward(self, x):
        with torch.no_grad():  # cause
            self.observe(x)
        return self.mix((x - self.mean) * torch.rsqrt(self.var + 1e-5)).tanh()


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
