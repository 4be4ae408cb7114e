"""Models and functions that torch.fx is asked about. Run beside either torch, it prints as JSON what
tracing each gave: the graph, the code, and what the generated module computes.

fx_test.py compares what the two say.
"""

import collections
import copy
import json
import math
import operator
import pickle
import sys
import warnings
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
import torch.fx
import torch.nn as nn
import torch.nn.functional as F
from torch.fx import PH, Graph, GraphModule, Interpreter, Proxy, Tracer, Transformer, replace_pattern, symbolic_trace

torch.fx.wrap("len")
torch.fx.wrap("sqrt")
from math import sqrt  # noqa: E402


@torch.fx.wrap
def doubled(x, by=2):
    return [x * by for _ in range(1)][0]


Pair = collections.namedtuple("Pair", "first second")


class Typed(NamedTuple):
    a: torch.Tensor
    b: torch.Tensor


def x23():
    return torch.arange(6, dtype=torch.float32).reshape(2, 3) - 2.0


CASES = {}


def case(*inputs, **trace_options):
    """Registers a function to trace, or a class of modules; `inputs` are functions that make them."""

    def register(root):
        CASES[root.__name__] = (root, inputs or (x23,), trace_options)
        return root

    return register


# -- Functions: operators


@case(x23, x23)
def arithmetic(x, y):
    return (x + y - 1) * 2 / 4 // 1 % 3 + x**2 - y @ x.t() @ y


@case(x23, x23)
def reflected(x, y):
    return 1 + x - (3 - y) * 2.5 + 6 / (y + 10) + 2**x + 7 // (x + 5) + 5 % (y + 9)


@case(x23, x23)
def comparisons(x, y):
    return (x == y) & (x < 1) | (x >= y) ^ (x != 2), ~(x > y), x <= y


@case()
def unary(x):
    return -x, +x, x.abs()


@case()
def shifts(x):
    i = x.to(torch.int64) + 3
    return (i << 1) + (i >> 1) + (1 << i)


@case()
def augmented(x):
    y = x * 2
    y += x
    y *= 3
    y -= 1
    return y


@case()
def inplace_operator(x):
    return operator.iadd(x.clone(), 2)


@case()
def indexed(x):
    return x[0], x[..., 1:], x[:, None, ::2], x[-1, 0], x[x > 0], x[(0, 1)]


@case(x23, x23)
def indexed_by_value(x, y):
    i = y.shape[0] - 1
    return x[i], x[:i]


# -- Functions: torch


@case()
def functions(x):
    return torch.relu(x) + torch.sigmoid(x) * torch.tanh(x) - torch.add(x, x, alpha=2)


@case()
def joined(x):
    return torch.cat([x, x], dim=0), torch.stack((x, x), 1)


@case()
def split_apart(x):
    a, b = torch.split(x, 1)
    c, d, e = x.unbind(1)
    return a + b, c * d - e


@case()
def chunked(x):
    parts = x.chunk(3, dim=-1)
    return parts[0] + parts[2]


@case()
def made_like(x):
    return torch.zeros_like(x) + torch.ones(2, 3) + torch.full_like(x, 3.0, dtype=torch.float64)


@case()
def einsum_and_where(x):
    return torch.einsum("ij,kj->ik", x, x), torch.where(x > 0, x, -x)


@case()
def clamped(x):
    return torch.clamp(x, min=-1.0, max=1), x.clamp(0, 2), x.clamp_min(0)


@case()
def dtype_and_device(x):
    return x.to(torch.float64), x.to("cpu"), x.to(torch.device("cpu")), x.type(torch.int32), x.double()


@case()
def memory_format(x):
    return x.reshape(1, 1, 2, 3).contiguous(memory_format=torch.channels_last)


@case()
def infinities(x):
    return x.masked_fill(x > 1, float("-inf")), x + float("inf"), x.clamp(max=float("inf"))


@case()
def constants(x):
    return x + torch.tensor([1.0, 2.0, 3.0]), torch.tensor(2.0) * x


# -- Functions: nn.functional


@case()
def functional_relu(x):
    return F.relu(x), F.relu(x, inplace=False), F.leaky_relu(x, 0.2), F.elu(x), F.gelu(x), F.silu(x)


@case()
def functional_softmax(x):
    return F.softmax(x, dim=-1), F.log_softmax(x, 1), torch.softmax(x, 0), x.softmax(-1)


@case(lambda: torch.ones(1, 2, 4, 4), lambda: torch.ones(3, 2, 2, 2))
def functional_conv(x, w):
    return F.conv2d(x, w, None, 1, padding=1), F.max_pool2d(x, 2), F.avg_pool2d(x, 2), F.adaptive_avg_pool2d(x, 1)


@case(x23, lambda: torch.ones(4, 3))
def functional_linear(x, w):
    return F.linear(x, w), F.linear(x, w, bias=torch.ones(4))


@case()
def functional_norms(x):
    return F.layer_norm(x, (3,)), F.normalize(x, dim=1), F.dropout(x, 0.5, False), F.pad(x, (1, 1))


@case(lambda: torch.ones(1, 2, 4, 4))
def functional_interpolate(x):
    return F.interpolate(x, scale_factor=2.0), F.interpolate(x, size=(2, 2), mode="nearest")


@case(x23, lambda: torch.tensor([0, 2]))
def functional_losses(x, y):
    return F.cross_entropy(x, y), F.mse_loss(x, x + 1), F.nll_loss(x, y, reduction="sum"), F.l1_loss(x, -x)


@case(lambda: torch.tensor([0, 2]), x23)
def functional_embedding(i, w):
    return F.embedding(i % 2, w), F.one_hot(i, 3)


@case()
def functional_more(x):
    return F.hardtanh(x, -1, 1), F.relu6(x), F.softplus(x), F.hardswish(x), F.sigmoid(x), F.tanh(x)


# -- Functions: attributes, methods


@case()
def shapes(x):
    n, c = x.shape
    return x.view(n * c), x.reshape(x.size(0), -1), x.numel() * 2


@case()
def attributes(x):
    return x.T, x.dtype, x.device, x.shape[0], x.T.T + 1


@case()
def methods(x):
    return x.sum(-1).mean().unsqueeze(0), x.transpose(0, 1).contiguous(), x.max(dim=1).values, x.max(1)[1]


@case()
def method_of_constant(x):
    return torch.ones(2, 3).add(x), torch.ones(3) - x, torch.ones(2, 3) @ x.t()


@case()
def chained_getattr(x):
    return x.grad_fn, getattr(x, "shape")


@case()
def length(x):
    return len(x) + 1, x * len([1, 2])


@case()
def square_roots(x):
    return x * sqrt(x.size(0)), x * math.sqrt(4)


@case()
def wrapped_function(x):
    return doubled(x) + doubled(x, by=3), doubled(2) * x


@case()
def automatic_math(x):
    return math.floor(x.size(1) / 2), math.pi * x


# -- Functions: arguments and results


@case(x23, x23)
def defaults(x, y=None, scale: float = 2.0, name="n"):
    return x * scale


@case(x23, x23)
def annotated(x: torch.Tensor, y: Optional[torch.Tensor] = None) -> Tuple[torch.Tensor, List[torch.Tensor]]:
    return x, [x + 1]


@case(lambda: {"a": x23()})
def annotated_dict(d: Dict[str, torch.Tensor]) -> torch.Tensor:
    return d["a"] + 1


@case(x23, x23)
def variadic(x, *rest):
    return x + rest[0]


@case()
def keyword_only(x, *, k=3):
    return x * k


@case()
def dictionary(x):
    return {"a": x, "b": [x + 1, {"c": (x,)}]}


@case()
def named_tuple_result(x):
    return Pair(x, x + 1)


@case()
def named_tuple_typed(x):
    return Typed(a=x, b=x * 2).a


@case()
def nested_empty(x):
    return (), [], {}, (x,), None, "text", 1.5, True, slice(x.size(0), None)


@case()
def nothing(x):
    pass


@case()
def unused_result(x):
    y = x + 1
    return x * 2


@case(x23)
def shadowing(input, sum=1):
    list = input + 1
    return list.sum() + list.max() + list.len if False else list.sum()


@case()
def numbered_names(x):
    add_1 = x + 1
    add_2 = add_1 + 2
    return torch.add(add_2, x) + x.add(1)


@case(x23, x23, concrete_args={"flag": True})
def concrete_flag(x, flag):
    if flag:
        return x + 1
    return x - 1


@case(x23, x23, concrete_args={"y": None})
def concrete_none(x, y=None):
    return x + 1 if y is None else x + y


@case(lambda: {"a": x23(), "b": 1.0}, concrete_args={"d": {"a": PH, "b": PH}})
def concrete_tree(d):
    return {"sum": d["a"] + d["b"], "both": [d["a"], d["b"]]}


@case(lambda: (x23(), x23()), x23, concrete_args={"pair": (PH, PH)})
def concrete_pair(pair, z: torch.Tensor):
    return pair[0] + pair[1] + z


# -- Modules


@case()
class Linear(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 4)

    def forward(self, x):
        return self.linear(x).clamp(min=0.0, max=1.0)


@case()
class ParameterSum(nn.Module):
    def __init__(self):
        super().__init__()
        self.param = nn.Parameter(torch.ones(3))
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        return self.linear(x + self.param).relu() + self.linear.weight.sum()


@case()
class Buffers(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.tensor([1.0, 2.0, 3.0]))
        self.offset = torch.tensor(4.0)

    def forward(self, x):
        return x * self.scale + self.offset


@case()
class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(nn.Linear(3, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 2)), nn.Tanh())

    def forward(self, x):
        return self.blocks(x)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.mlp = nn.LayerNorm(width), nn.Linear(width, width)
        self.gain = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x + self.mlp(self.norm(x)) * self.gain


@case()
class ListOfBlocks(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(3) for _ in range(3)])
        self.heads = nn.ModuleDict({"a": nn.Linear(3, 1), "b.c": nn.Linear(3, 2)} if False else {"a": nn.Linear(3, 1)})

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return {name: head(x) for name, head in self.heads.items()}


@case(lambda: torch.ones(2, 1, 8, 8))
class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4)
        self.conv2, self.pool = nn.Conv2d(4, 4, 3, padding=1), nn.MaxPool2d(2)
        self.fc = nn.Linear(64, 2)

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)))
        y = y + self.conv2(y)
        return self.fc(torch.flatten(self.pool(y), 1))


@case()
class SharedModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)
        self.b = self.a

    def forward(self, x):
        return self.b(self.a(x))


@case()
class ClassConstant(nn.Module):
    factor = 3

    def __init__(self):
        super().__init__()
        self.power = 2

    def forward(self, x):
        return self.helper(x) * self.factor

    def helper(self, x):
        return x**self.power


@case(lambda: torch.tensor([[0, 1], [2, 3]]))
class Embedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(4, 3)
        self.dropout = nn.Dropout(0.5)

    def forward(self, ids):
        x = self.dropout(self.embedding(ids))
        return x.mean(dim=1) / math.sqrt(x.shape[-1] if False else 3)


@case(lambda: torch.ones(2, 4, 8))
class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.heads = nn.Linear(8, 24), 2

    def forward(self, x):
        b, t, c = x.size()
        q, k, v = self.qkv(x).split(c, dim=2)
        k = k.view(b, t, self.heads, c // self.heads).transpose(1, 2)
        q = q.view(b, t, self.heads, c // self.heads).transpose(1, 2)
        v = v.view(b, t, self.heads, c // self.heads).transpose(1, 2)
        att = F.softmax((q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(4)), dim=-1)
        return (att @ v).transpose(1, 2).contiguous().view(b, t, c)


@case(x23, x23)
class TwoInputs(nn.Module):
    def __init__(self):
        super().__init__()
        self.bilinear = nn.Bilinear(3, 3, 2)

    def forward(self, left, right=None):
        return self.bilinear(left, right), left


@case(x23, concrete_args={"training": False})
class ConcreteModule(nn.Module):
    def forward(self, x, training):
        return F.dropout(x, training=training) if training else x


@case()
class ReadsSubmoduleParameters(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 3)

    def forward(self, x):
        return F.linear(x, self.inner.weight, self.inner.bias) + self.inner.weight


def plain(value):
    """What a module computed, as JSON."""
    if isinstance(value, torch.Tensor):
        return [str(value.dtype), list(value.shape), [round(float(v), 4) for v in value.detach().reshape(-1)]]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [type(value).__name__.replace("immutable_", "")] + [plain(item) for item in value]
    return repr(value)


def fill(module):
    """The same parameters beside either torch."""
    with torch.no_grad():
        for n, parameter in enumerate(module.parameters()):
            parameter.copy_(((torch.arange(parameter.numel()) * 7 + n) % 11).reshape(parameter.shape) / 8.0 - 0.5)
    return module.eval()


def outcome(function):
    try:
        return function()
    except Exception as error:
        return "%s raised" % type(error).__name__


def described(root, inputs, options):
    traced = symbolic_trace(root, **options)
    traced.graph.lint()
    compute = lambda module: outcome(lambda: plain(module(*[make() for make in inputs])))  # noqa: E731
    original = compute(root)
    return {
        "graph": str(traced.graph),
        "code": traced.code,
        "output": compute(traced),
        "right": compute(traced) == original,
        "copied": copy.deepcopy(traced).code == traced.code,
        "interpreted": outcome(lambda: plain(Interpreter(traced).run(*[make() for make in inputs]))),
        "transformed": outcome(lambda: Transformer(traced).transform().code),
        "nodes": [[n.op, n.name, str(n.type), len(n.users)] for n in traced.graph.nodes],
    }


def cases():
    found = {}
    for name, (root, inputs, options) in CASES.items():
        torch.manual_seed(0)
        made = fill(root()) if isinstance(root, type) else root
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found[name] = outcome(lambda: described(made, inputs, options))
    return found
