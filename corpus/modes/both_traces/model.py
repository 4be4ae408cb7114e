"""A trace for each mode over the same weights; a scripted wrapper takes the one of the day."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)
        self.norm = torch.nn.BatchNorm1d(3)

    def forward(self, x):
        return self.norm(self.linear(x)).relu()


class Both(torch.nn.Module):
    def __init__(self, in_train, in_eval):
        super().__init__()
        self.in_train, self.in_eval = in_train, in_eval

    def forward(self, x):
        if self.training:
            return self.in_train(x)
        return self.in_eval(x)


def export():
    net, x = Net(), example()
    in_train = torch.jit.trace(net.train(), x, check_trace=False)
    in_eval = torch.jit.trace(net.eval(), x, check_trace=False)
    net.norm.reset_running_stats()
    return torch.jit.script(Both(in_train, in_eval))


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
