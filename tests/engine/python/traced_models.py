"""Models that are traced under assay's torch and under PyTorch (trace_test.py compares the two).

MODELS: name -> function that gives (function or module, example inputs, keywords of torch.jit.trace).
Run as a program (main): traces each and writes texts, archives and results.
"""
import os
import pickle
import sys
import traceback
import warnings

import torch
import torch.nn.functional as F
from torch import nn

MODELS = {}


def model(make):
    MODELS[make.__name__] = make
    return make


def ramp(*sizes):
    """Numbers that both sides make alike."""
    count = 1
    for size in sizes:
        count *= size
    return (torch.arange(count, dtype=torch.float32).view(*sizes) % 7 - 3) / 4


def fill(module):
    """Parameters that both sides have alike."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(ramp(*parameter.shape))
    return module


def function(*inputs, **keywords):
    """Makes a row of the table of a function of tensors."""

    def register(f):
        MODELS[f.__name__] = lambda: (f, tuple(inputs), keywords)
        return f

    return register


# Functions.


@function(ramp(2, 3), ramp(2, 3))
def arithmetic(x, y):
    return x + y * 2 - x / 3 + (1 - y)


@function(ramp(2, 3))
def number_on_the_left(x):
    return 2 * x, 3 / (x + 10), 2 - x


@function(ramp(2, 3))
def names_of_variables(x):
    y = x.relu()
    z = y + x
    y = z * y
    return y.sum() + z


@function(ramp(4, 3))
def size_in_view(x):
    return x.view(x.size(0), -1)


@function(ramp(4, 3))
def shape_in_view(x):
    return x.reshape(x.shape[1], x.shape[0])


@function(ramp(4, 6))
def computed_sizes(x):
    b, n = x.shape
    return x.view(b, n // 2, 2), x.view(b * 2, -1)


@function(ramp(4, 6))
def sizes_as_numbers(x):
    return x * x.size(0) + x.shape[1]


@function(ramp(4, 6))
def sizes_in_factories(x):
    return torch.zeros(x.shape[0], 3) + torch.ones(x.size(0), x.size(1))[:, :3]


@function(ramp(4, 6))
def arange_of_size(x):
    return torch.arange(x.size(0)), torch.arange(0, x.size(1), 2)


@function(ramp(4, 6))
def baked_length(x):
    return torch.arange(len(x))


@function(ramp(4, 6))
def baked_int(x):
    return x[:int(x.shape[0]) - 1]


@function(ramp(4, 6))
def baked_item(x):
    return x * x.sum().item()


@function(ramp(4, 6))
def numel_of(x):
    return x.sum() / x.numel()


@function(ramp(4, 6))
def frozen_branch(x):
    if x.sum() > 0:
        return x * 2
    return x - 1


@function(ramp(3, 4))
def unrolled_loop(x):
    total = torch.zeros(4)
    for i in range(x.size(0)):
        total = total + x[i]
    return total


@function(ramp(3, 4))
def iterated(x):
    return torch.stack([row * 2 for row in x])


@function(ramp(3, 4, 5))
def indexing(x):
    return x[0], x[:, 1:3], x[..., -1], x[:, None], x[1, 2:], x[::2]


@function(ramp(5, 4))
def index_by_tensor(x):
    idx = torch.tensor([0, 2])
    return x[idx], x[:, idx], x[x > 0]


@function(ramp(5, 4))
def index_by_size(x):
    return x[x.shape[1] - 1], x[:x.shape[1] // 2]


@function(ramp(3, 4))
def in_place(x):
    y = x.clone()
    y.add_(1).mul_(2)
    y += x
    return y


@function(ramp(3, 4))
def assigned(x):
    y = x * 1
    y[0] = 1
    y[:, 1] = x[:, 0]
    y[1:] += 2
    return y


@function(ramp(3, 4))
def assigned_by_mask(x):
    y = x.clone()
    y[x > 0] = 5
    y[torch.tensor([0, 2])] = x[0]
    return y


@function(ramp(3, 4))
def masked(x):
    return x.masked_fill(x > 0, 0.5), torch.where(x > 0, x, -x)


@function(ramp(2, 3, 4))
def views(x):
    y = x.transpose(1, 2).contiguous()
    return y.permute(2, 0, 1).flatten(1), y.unsqueeze(0).squeeze(0).expand(2, 4, 3), x.reshape(-1)


@function(ramp(4, 6))
def splits(x):
    a, b = x.chunk(2, dim=1)
    c, d, e = torch.split(x, [1, 2, 1])
    return a + b, c, d * 2, e


@function(ramp(4, 6))
def joined(x):
    return torch.cat([x, x * 2], dim=1), torch.stack((x, x), 0)


@function(ramp(4, 6))
def reductions(x):
    return x.sum(1), x.mean(dim=(0, 1)), x.max(), x.max(1)[0], x.argmax(dim=1), x.std(), x.norm()


@function(ramp(4, 6))
def several_results(x):
    values, indices = torch.topk(x, 2)
    low, where = x.min(dim=1, keepdim=True)
    return values, indices, low + where


@function(ramp(4, 6))
def casts(x):
    return x.double(), x.to(torch.float16).float(), x.long(), x.type(torch.int32), x.to("cpu"), x.bool()


@function(ramp(4, 6))
def like(x):
    return torch.zeros_like(x), x.new_zeros(2, 3), torch.ones_like(x, dtype=torch.int64), torch.full((2,), 3.5)


@function(ramp(4, 6), ramp(6, 5))
def products(x, y):
    return x @ y, torch.matmul(x, y), torch.mm(x, y), torch.einsum("ij,jk->ik", x, y)


@function(ramp(2, 3, 4), ramp(2, 4, 5))
def batch_products(x, y):
    return torch.bmm(x, y), torch.baddbmm(x @ y, x, y)


@function(ramp(2, 3))
def returns_input(x):
    return x, x + 1


@function((ramp(2, 3), ramp(2, 3)))
def nested_inputs(pair):
    return pair[0] + pair[1]


@function({"a": ramp(2, 3), "b": ramp(2, 3)})
def dict_input(inputs):
    return inputs["a"] - inputs["b"]


@function([ramp(2, 3), ramp(2, 3)])
def list_input(inputs):
    return inputs[0] * inputs[1]


@function(ramp(2, 3))
def nested_outputs(x):
    return x, (x + 1, (x * 2, x - 1))


@function(ramp(2, 3), strict=False)
def dict_output(x):
    return {"a": x + 1, "b": x * 2}


@function(ramp(2, 3), strict=False)
def list_output(x):
    return [x + 1, x * 2]


@function(ramp(2, 3))
def other_names(x):
    return torch.multiply(x, 2), x.absolute(), torch.true_divide(x, 3), x.clip(0, 1)


@function(ramp(2, 3))
def written_output(x):
    y = torch.empty(2, 3)
    torch.add(x, x, out=y)
    return y


@function(ramp(2, 3))
def comparisons(x):
    return x > 0, (x == x).any(), (x < 0) & (x > -0.5), ~(x >= 0)


@function(ramp(2, 3))
def scalars(x):
    return torch.clamp(x, -0.5, 0.5), x.pow(2), x ** 0.5, torch.softmax(x, -1), x.round()


@function(torch.tensor([0, 2, 1]))
def hot(x):
    return F.one_hot(x, 3), F.pad(x, (1, 1), value=0)


@function(ramp(1, 2, 4, 4))
def functional(x):
    return (F.max_pool2d(x, 2), F.avg_pool2d(x, 2), F.adaptive_avg_pool2d(x, (1, 1)), F.relu(x),
            F.leaky_relu(x, 0.1), F.gelu(x), F.interpolate(x, scale_factor=2), F.softmax(x, dim=1),
            F.pad(x, (1, 1)), F.normalize(x))


@function(ramp(2, 3), ramp(4, 3), ramp(4))
def functional_linear(x, w, b):
    return F.linear(x, w, b), F.layer_norm(x, (3,)), F.mse_loss(x, x * 2)


@function(ramp(1, 2, 6), ramp(3, 2, 3))
def functional_convolutions(x, w):
    return F.conv1d(x, w), F.conv1d(x, w, stride=2, padding=1), F.conv1d(x[0], w), F.conv1d(x, w, padding="same")


# Modules.


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


def flat(value):
    if isinstance(value, torch.Tensor):
        return [value.detach().tolist()]
    if isinstance(value, dict):
        value = list(value.values())
    return [part for item in value for part in flat(item)]


def facts(name, make, folder):
    made, inputs, keywords = make()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        traced = torch.jit.trace(made, inputs, **keywords)
    warned = any(issubclass(w.category, torch.jit.TracerWarning) for w in caught)
    texts = {"graph": str(traced.graph), "inlined": str(traced.inlined_graph), "code": traced.code}
    if isinstance(made, nn.Module):
        torch.jit.save(traced, os.path.join(folder, name + ".pt"))
        for path, child in traced.named_modules():
            try:
                texts[path + ".graph"] = str(child.graph)
            except Exception:
                continue  # It was never called.
    return {"texts": texts, "warned": warned, "results": flat(called(traced, inputs))}


def called(program, inputs):
    return program(*(inputs if isinstance(inputs, tuple) else (inputs,)))


def archived(name, make, folder):
    """What an archive that was written before gives."""
    _, inputs, _ = make()
    return {"results": flat(called(torch.jit.load(os.path.join(folder, name + ".pt")), inputs))}


def main(what, folder, out):
    """what: `trace` or `load`; folder: of the archives."""
    found = {}
    for name, make in MODELS.items():
        try:
            if what == "trace":
                found[name] = facts(name, make, folder)
            elif os.path.exists(os.path.join(folder, name + ".pt")):
                found[name] = archived(name, make, folder)
        except Exception:
            found[name] = {"error": traceback.format_exc()}
    with open(out, "wb") as file:
        pickle.dump(found, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
