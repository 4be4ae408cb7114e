"""Modules that are traced under assay's torch and under PyTorch: more rows of traced_functions.MODELS."""
import torch
from torch import nn

from traced_functions import fill, model, ramp

@model
def linear():
    return fill(nn.Linear(3, 4)), ramp(2, 3), {}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        y = self.conv(x)
        y = y.relu().mean((2, 3))
        return self.fc(y.view(x.shape[0], -1)) + 1


@model
def small_net():
    return fill(Net()), ramp(2, 3, 8, 8), {}


@model
def sequential():
    return fill(nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2), nn.Softmax(-1))), ramp(2, 3), {}


@model
def batch_norm_eval():
    return fill(nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(inplace=True))).eval(), ramp(1, 1, 5, 5), {}


@model
def batch_norm_train():
    return fill(nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2))), ramp(2, 1, 5, 5), {"check_trace": False}


@model
def shared_module():
    class Shared(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(3, 3)

        def forward(self, x):
            return self.fc(self.fc(x).relu())

    return fill(Shared()), ramp(2, 3), {}


@model
def shared_weight():
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.Linear(3, 3)
            self.b = nn.Linear(3, 3)
            self.b.weight = self.a.weight

        def forward(self, x):
            return self.b(self.a(x))

    return fill(Tied()), ramp(2, 3), {}


@model
def module_that_calls_itself():
    class Tree(nn.Module):
        def __init__(self):
            super().__init__()
            self.cell = nn.Linear(8, 4)

        def forward(self, rows):
            if rows.shape[0] < 2:
                return rows[0]
            half = (rows.shape[0] + 1) // 2
            return torch.tanh(self.cell(torch.cat([self(rows[:half]), self(rows[half:])], dim=-1)))

    class Whole(nn.Module):
        def __init__(self):
            super().__init__()
            self.tree = Tree()

        def forward(self, rows):
            return self.tree(rows * 2) + self.tree(rows[1:])

    return fill(Whole()), ramp(5, 4), {}


@model
def module_twice():
    class Twice(nn.Module):
        def __init__(self):
            super().__init__()
            self.first = nn.Linear(3, 3)
            self.second = self.first

        def forward(self, x):
            return self.second(self.first(x))

    return fill(Twice()), ramp(2, 3), {}


@model
def module_list():
    class Stack(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList(nn.Linear(3, 3) for _ in range(3))
            self.heads = nn.ModuleDict({"a": nn.Linear(3, 1), "b": nn.Linear(3, 2)})

        def forward(self, x):
            for layer in self.layers:
                x = layer(x).tanh()
            return self.heads["a"](x), self.heads["b"](x)

    return fill(Stack()), ramp(2, 3), {}


@model
def nested_modules():
    class Inner(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(3))

        def forward(self, x, scale):
            return x * self.weight, x * scale

    class Middle(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = Inner()
            self.scale = nn.Parameter(torch.ones(1))

        def forward(self, x):
            a, b = self.inner(x, self.scale)
            return a + b

    class Outer(nn.Module):
        def __init__(self):
            super().__init__()
            self.middle = Middle()

        def forward(self, x):
            return self.middle(x) + self.middle.inner.weight

    return fill(Outer()), ramp(2, 3), {}


@model
def buffers():
    class Counter(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", torch.zeros(3))

        def forward(self, x):
            self.count += x.sum(0)
            return self.count * 2

    return Counter(), ramp(2, 3), {"check_trace": False}


@model
def returns_parameter():
    class Bare(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(torch.ones(2))

        def forward(self, x):
            return self.w, x

    return Bare(), ramp(2), {}


@model
def constant_tensor():
    class Holder(nn.Module):
        def __init__(self):
            super().__init__()
            self.offset = torch.tensor([1.0, 2.0, 3.0])

        def forward(self, x):
            return x + self.offset

    return Holder(), ramp(2, 3), {}


@model
def dropout_eval():
    return nn.Sequential(nn.Dropout(0.5), nn.Flatten()).eval(), ramp(2, 3, 4), {}


@model
def convolutions():
    class Convolutions(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.Conv1d(2, 3, 3, stride=2)
            self.b = nn.ConvTranspose1d(3, 2, 3, output_padding=1, stride=2)
            self.c = nn.Conv1d(2, 2, 3, padding="same", groups=2, bias=False)
            self.d = nn.Conv1d(2, 2, 3, padding=1, padding_mode="circular")

        def forward(self, x):
            return self.d(self.c(self.b(self.a(x))))

    return fill(Convolutions()), ramp(1, 2, 8), {}


@model
def embedding():
    return fill(nn.Sequential(nn.Embedding(5, 3), nn.LayerNorm(3))), torch.tensor([[0, 1], [4, 2]]), {}


@model
def recurrent():
    class Recurrent(nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn = nn.LSTM(3, 2, batch_first=True)

        def forward(self, x):
            out, (h, c) = self.rnn(x)
            return out, h

    return fill(Recurrent()), ramp(2, 4, 3), {}


@model
def gru():
    return fill(nn.GRU(3, 2)), ramp(4, 2, 3), {}


@model
def cells():
    class Cells(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTMCell(3, 2)
            self.gru = nn.GRUCell(3, 2)
            self.rnn = nn.RNNCell(3, 2)

        def forward(self, x):
            h, c = self.lstm(x)
            return self.gru(x, h), self.rnn(x, c)

    return fill(Cells()), ramp(2, 3), {}


@model
def attention():
    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv = nn.Linear(4, 12)
            self.out = nn.Linear(4, 4)

        def forward(self, x):
            b, n, c = x.shape
            qkv = self.qkv(x).reshape(b, n, 3, 2, c // 2).permute(2, 0, 3, 1, 4)
            q, k, v = qkv[0], qkv[1], qkv[2]
            weights = (q @ k.transpose(-2, -1) * 0.5).softmax(dim=-1)
            return self.out((weights @ v).transpose(1, 2).reshape(b, n, c))

    return fill(Attention()), ramp(2, 3, 4), {}


@model
def multihead():
    class Wrapped(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention = nn.MultiheadAttention(4, 2)

        def forward(self, x):
            return self.attention(x, x, x)[0]

    return fill(Wrapped()).train(), ramp(3, 2, 4), {}


@model
def multihead_padded():
    class Wrapped(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention = nn.MultiheadAttention(4, 2)

        def forward(self, x):
            return self.attention(x, x, x, key_padding_mask=x[:, :, 0].t() > 3)

    return fill(Wrapped()).train(), ramp(3, 2, 4), {}


@model
def normed_weights():
    class Wrapped(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.utils.weight_norm(nn.Conv1d(3, 3, 1))
            self.pool = nn.AvgPool1d(2)

        def forward(self, x):
            g = x.relu()
            v = self.conv(g)
            return self.pool(v.permute(0, 2, 1)).permute(0, 2, 1) + g[:, :, :1]

    return fill(Wrapped()), ramp(2, 3, 4), {}


@model
def keyword_default():
    class Defaults(nn.Module):
        def forward(self, x, scale=2.0, flag=True):
            return x * scale if flag else x

    return Defaults(), ramp(2, 3), {}


@model
def scripted_inside():
    @torch.jit.script
    def choose(x):
        if bool(x.sum() > 0):
            return x * 2
        return x

    def calls(x):
        return choose(x) + 1

    return calls, (ramp(2, 3),), {}


@model
def traced_inside():
    inner = torch.jit.trace(lambda x: x * 3, (ramp(2, 3),))

    class Caller(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(3, 3)

        def forward(self, x):
            return inner(self.fc(x))

    return fill(Caller()), ramp(2, 3), {}


@model
def leaks():
    class Leaky(nn.Module):
        def forward(self, x):
            self.half = x / 2
            return self.half.relu()

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.leaky = Leaky()

        def forward(self, x):
            return self.leaky(x) + self.leaky.half

    return Reader(), ramp(2, 3), {"check_trace": False}


@model
def unused_submodule():
    class Idle(nn.Module):
        def __init__(self):
            super().__init__()
            self.used = nn.Linear(3, 3)
            self.idle = nn.Linear(3, 3)

        def forward(self, x):
            self.idle(x)
            return self.used(x)

    return fill(Idle()), ramp(2, 3), {}


class Features(nn.Module):
    """What it computes is read by its parent, and by a sibling more than once."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(3, 3), nn.Linear(3, 3)

    def forward(self, x):
        low = self.first(x)
        return {"low": low, "high": self.second(low)}


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, features):
        low = features["low"]
        return self.fc(features["high"]).sum() * low + low.view(low.shape[0], low.shape[1])


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.features, self.head = Features(), Head()

    def forward(self, x):
        features = self.features(x)
        return self.head(features) + features["low"]


@model
def values_of_a_submodule_read_elsewhere():
    return fill(Backbone()), ramp(2, 3), {}


class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.add_module("block-1", nn.Linear(3, 3))
        self.token = nn.Parameter(torch.ones(1, 1, 3))

    def forward(self, x):
        with torch.no_grad():
            tokens = self.token.expand(x.shape[0], -1, -1)
        return getattr(self, "block-1")(x) + tokens[:, 0]


@model
def names_with_signs_and_views_of_parameters():
    return fill(Named()), ramp(2, 3), {}


class Mixer(torch.jit.ScriptModule):
    @torch.jit.script_method
    def mix(self, x, y):
        return x + y, y * 2


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.mixer = Mixer()

    def forward(self, x):
        before = x.to(torch.float64)
        first, second = self.mixer.mix(before, before)
        return self.mixer.mix(first, second)[0]


@model
def compiled_methods_of_named_values():
    return Mixed(), ramp(2, 3), {}
