"""Two traces over the same weights under a scripted wrapper with a flag."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x, wide: bool):
        y = self.linear(x)
        if wide:
            return torch.cat([y, x], dim=1)
        return torch.cat([y, x], dim=0)


class Fixed(torch.nn.Module):
    """The model with the flag decided, over the same weights."""

    def __init__(self, net, wide):
        super().__init__()
        self.net, self.wide = net, wide

    def forward(self, x):
        return self.net(x, self.wide)


class Merged(torch.nn.Module):
    def __init__(self, wide, tall):
        super().__init__()
        self.wide, self.tall = wide, tall

    def forward(self, x, wide: bool):
        if wide:
            return self.wide(x)
        return self.tall(x)


def export():
    net, x = Net(), example()[0]
    traces = [torch.jit.trace(Fixed(net, wide), (x,)) for wide in (True, False)]
    return torch.jit.script(Merged(*traces))


def example():
    return torch.linspace(0.5, 2.0, 12).reshape(3, 4), True
