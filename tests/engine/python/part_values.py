"""What smaller parts of torch give that programs use around models, under PyTorch or under assay: JSON to the file named."""
import json
import os
import sys
import tempfile
import warnings

import numpy
import torch
from torch import nn
from torch.nn.utils import prune

warnings.simplefilter("ignore")
found = {}


def plain(value):
    if isinstance(value, torch.Tensor):
        return [str(value.dtype), list(value.shape), value.detach().double().flatten().tolist()]
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(plain, value)]
    return value if isinstance(value, (int, float, str, bool, type(None))) else repr(value)


def part(function):
    torch.manual_seed(7)
    for name, value in function():
        found[f"{function.__name__}: {name}"] = plain(value)
    return function


def error_of(function):
    try:
        function()
    except Exception as error:
        return type(error).__name__


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.bn = nn.BatchNorm2d(8)
        self.relu = nn.ReLU()
        self.block = nn.Sequential(nn.Conv2d(8, 4, 1, bias=False), nn.BatchNorm2d(4))
        self.up = nn.ConvTranspose2d(4, 6, 2, stride=2)
        self.up_bn = nn.BatchNorm2d(6)
        self.linear = nn.Linear(6, 5)
        self.linear_bn = nn.BatchNorm1d(5)
        self.last = nn.ReLU()

    def forward(self, x):
        x = self.block(self.relu(self.bn(self.conv(x))))
        x = self.up_bn(self.up(x)).mean((2, 3))
        return self.last(self.linear_bn(self.linear(x)))


def pruned(method, *args, **keywords):
    layer = nn.Conv2d(4, 6, 3)
    method(layer, *args, **keywords)
    return layer


@part
def pruning():
    yield "random", pruned(prune.random_unstructured, "weight", 0.3).weight_mask
    yield "smallest", pruned(prune.l1_unstructured, "weight", 20).state_dict()
    yield "scored", pruned(prune.l1_unstructured, "bias", 2, importance_scores=torch.arange(6.0)).bias
    yield "channels", pruned(prune.random_structured, "weight", 2, dim=1).weight_mask
    yield "norms", pruned(prune.ln_structured, "weight", 0.5, n=2, dim=0).weight_mask
    yield "identity", pruned(prune.identity, "weight").weight
    yield "given", pruned(prune.custom_from_mask, "bias", torch.tensor([1, 0, 1, 1, 0, 1])).bias
    layer = pruned(prune.ln_structured, "weight", 0.5, n=1, dim=0)
    prune.random_unstructured(layer, "weight", 0.5)
    prune.l1_unstructured(layer, "weight", 5)
    yield "over and over", [layer.weight_mask, layer(torch.ones(1, 4, 5, 5)), prune.is_pruned(layer),
                            len(list(layer._forward_pre_hooks.values())[0])]
    prune.remove(layer, "weight")
    yield "removed", [list(layer.state_dict()), layer.weight, prune.is_pruned(layer)]
    net = Net()
    prune.global_unstructured([(net.conv, "weight"), (net.linear, "weight")], prune.L1Unstructured, amount=0.4)
    yield "together", [net.conv.weight_mask, net.linear.weight_mask]
    yield "alone", prune.L1Unstructured(3).prune(torch.arange(6.0) - 3)
    yield "errors", [error_of(lambda: pruned(prune.random_unstructured, "weight", 1.5)),
                     error_of(lambda: pruned(prune.random_unstructured, "weight", 100000)),
                     error_of(lambda: pruned(prune.random_unstructured, "weight", "x")),
                     error_of(lambda: pruned(prune.ln_structured, "bias", 1, n=2, dim=0)),
                     error_of(lambda: prune.remove(nn.Linear(2, 2), "weight"))]


def ready(training=False):
    net = Net().train()
    for _ in range(3):
        net(torch.randn(4, 3, 8, 8) * 2 + 1)
    return net.train(training)


@part
def fusing():
    from torch.ao.quantization import fuse_modules, fuse_modules_qat
    groups = [["conv", "bn", "relu"], ["block.0", "block.1"], ["up", "up_bn"], ["linear", "linear_bn"]]
    net = ready()
    fused = fuse_modules(net, groups)
    yield "text", [repr(fused), repr(net)]
    yield "state", fused.state_dict()
    x = torch.randn(2, 3, 8, 8)
    yield "values", [fused(x), bool((fused(x) - net(x)).abs().max() < 1e-5)]
    yield "one group", repr(fuse_modules(ready(), ["conv", "bn"], inplace=True))
    yield "training", repr(fuse_modules_qat(ready(True), [["conv", "bn", "relu"], ["linear", "linear_bn"]]))
    yield "errors", [error_of(lambda: fuse_modules(ready(), ["relu", "conv"])),
                     error_of(lambda: fuse_modules(ready(), ["conv", "nothing"]))]


@part
def libraries():
    from torch import library
    Library, define, impl = (getattr(library, name) for name in ("Library", "define", "impl"))
    mine = Library("mine", "DEF")
    yield "name", mine.define("scaled(Tensor self, float factor=2.0, *, bool negate=False) -> Tensor")

    @impl(mine, "scaled", "CPU")
    def scaled(self, factor=2.0, *, negate=False):
        return self * (-factor if negate else factor)

    twice = Library("mine_too", "DEF")

    @define(twice, "twice(Tensor x) -> Tensor")
    def double(x):
        return x + x

    x = torch.arange(3.0)
    yield "called", [torch.ops.mine.scaled(x), torch.ops.mine.scaled(x, 3.0, negate=True),
                     torch.ops.mine.scaled.default(x), torch.ops.mine_too.twice(x), torch.ops.mine.scaled.overloads()]
    yield "errors", [error_of(lambda: Library("mine", "SOMETHING")), error_of(lambda: torch.ops.mine.nothing)]


@part
def profiling():
    from torch.profiler import ProfilerActivity, profile, record_function, schedule
    plan = schedule(wait=1, warmup=1, active=2, repeat=2, skip_first=1)
    yield "schedule", [plan(step).name for step in range(12)]
    with profile(activities=[ProfilerActivity.CPU]) as session, record_function("part"):
        yield "value", torch.ones(2) + 1
        session.step()
    with torch.autograd.profiler.profile(enabled=False), torch.autograd.set_detect_anomaly(True):
        yield "other", torch.ones(2)


@part
def loading():
    from torch.utils.data import DataLoader, TensorDataset, default_convert, random_split
    from torch.utils.data._utils.collate import default_collate
    samples = TensorDataset(torch.arange(10.0).view(5, 2), torch.arange(5))
    yield "batches", list(DataLoader(samples, batch_size=2, shuffle=True))
    yield "single", list(DataLoader([numpy.arange(2), numpy.arange(3)], batch_size=None))
    yield "split", [list(part.indices) for part in random_split(samples, [2, 3])]
    yield "collated", default_collate([{"a": 1.5, "b": (1, "x")}, {"a": 2.5, "b": (2, "y")}])
    yield "converted", default_convert({"a": numpy.ones(2), "b": [numpy.zeros(1), "text", 3]})


@part
def decompositions():
    tall, wide = torch.randn(9, 4, dtype=torch.float64), torch.randn(2, 3, 8, dtype=torch.float64)
    for name, matrix in (("tall", tall), ("wide", wide)):
        U, S, V = torch.svd_lowrank(matrix, q=2)
        yield name, [S, U.abs(), V.abs()]
        yield name + " less", torch.svd_lowrank(matrix, q=3, niter=1, M=matrix.mean(-1, keepdim=True).expand_as(matrix))[1]
        yield name + " around its mean", torch.pca_lowrank(matrix)[1]
    square = torch.randn(3, 3, dtype=torch.float64)
    yield "factors", [torch.lu(square), list(torch.lu(square, get_infos=True)), square.lu()]
    yield "errors", [error_of(lambda: torch.pca_lowrank(tall, q=7)), error_of(lambda: torch.pca_lowrank(tall, niter=-1))]


@part
def files():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "numbers")
        numpy.arange(6, dtype=numpy.float32).tofile(path)
        read = torch.from_file(path, size=4)
        yield "read", read.clone()
        shared = torch.from_file(path, shared=True, size=8)
        shared[7] = 5
        yield "shared", [shared.clone(), numpy.fromfile(path, dtype=numpy.float32).tolist()]
        yield "of another type", torch.from_file(path, size=2, dtype=torch.int32).clone()
        yield "errors", error_of(lambda: torch.from_file(path, size=900))


@part
def queries():
    yield "devices", [torch.cuda.is_available(), torch.cuda.device_count(), torch.cuda.get_arch_list(),
                      torch.cuda.get_rng_state_all(), torch.cuda.is_initialized(), torch.cuda.memory_allocated()]
    torch.cuda.manual_seed_all(1)
    torch.cuda.empty_cache()
    yield "backends", [torch.backends.mps.is_available(), torch.backends.cuda.is_built(), torch.has_cuda,
                       hasattr(torch, "compile"), torch.backends.cudnn.is_available()]


with open(sys.argv[1], "w") as file:
    json.dump(found, file)
