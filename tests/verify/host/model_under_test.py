"""Models for pytorch_host_test.cpp: well-behaved, misbehaving, and no models at all."""

import collections
import ctypes
import logging
import os
import random
import secrets
import signal
import sys
import time
from datetime import datetime
from os import urandom as random_bytes
from random import uniform
from time import perf_counter as seconds
from uuid import uuid4

import torch

CALLS = []
GENERATOR = random.Random(7)
Pair = collections.namedtuple("Pair", "first second")


class Settings:
    """A dataclass as Python 3.6 knows none: what makes one is its fields."""

    __dataclass_fields__ = {"weight": None, "times": None}

    def __init__(self, weight, times=2):
        self.weight, self.times = weight, times


class Net(torch.nn.Module):
    seen = 0

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.norm = torch.nn.BatchNorm1d(4)
        self.count = 0
        self.memo = {}

    def forward(self, x):
        self.count += 1
        self.memo["last"] = self.count
        CALLS.append(1)
        type(self).seen += 1
        return self.norm(self.linear(x)) * self.count


class Pinned(torch.nn.Module):
    def forward(self, x):
        return x + torch.arange(len(x), device=x.device)[:, None]  # the pinned size


def escaping(x):
    n = len(x)  # 3
    if x.sum() > 0:
        n += x.max().item()  # 2.5
    return x.reshape(int(x.shape[0]), -1) * n if x.dim() == 2 else x


def past_the_tracer(x):
    y = x * len(x.tolist())
    y.data.clamp_(min=0)
    y.numpy()[0] = random.randint(3, 3) * x.stride(0)
    if torch.jit.is_tracing() and x.is_contiguous():
        y = y + nearest(x.reshape(1, 1, 3, 2)).sum()
    return y


def drawn_by_name(x):
    y = x * uniform(2, 2) * random_bytes(1)[0]
    y = y + seconds() * 0 + datetime.now().microsecond
    y = y + uuid4().int % 5 + secrets.randbelow(1)
    logging.LogRecord("", 0, "", 0, "its clock is none of the model's", (), None)
    return y + GENERATOR.random()


@torch.jit.script_if_tracing
def nearest(x):
    # Asks inside of PyTorch whether it is traced, which is not for the user to hear.
    return torch.nn.functional.interpolate(x, scale_factor=2.0)


def gain_by_chance(x):
    return x * uniform(0.5, 1.5)


def optional(x, mask=None):
    return x * 2 if mask is None else x * mask


class Mixed(torch.nn.Module):
    """Takes what tracing does not."""

    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(()))

    def forward(self, pair, settings, power=1, *, sign="+"):
        assert type(pair) is Pair and type(settings) is Settings
        self.seen.add_(1)
        out = (pair.first * settings.weight * settings.times) ** power + pair.second
        return out if sign == "+" else -out


class Sized(torch.nn.Module):
    def __init__(self, size, text="a"):
        super().__init__()
        self.linear = torch.nn.Linear(size, size)
        self.text = text

    def forward(self, x):
        return self.linear(x)


def build_sized(size, flip):
    return Sized(size, "flipped" if flip else "plain")


def sized_example(rows):
    return torch.ones(rows, 4)


class Raises(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 100:
            raise SystemExit(7)
        if x.sum() > 50:
            raise KeyboardInterrupt()
        raise ValueError("not today")  # the raising line


class Noisy(torch.nn.Module):
    def forward(self, x):
        print("printed by the model")
        os.write(1, b"\x00\x00written to the file descriptor\n")
        ctypes.CDLL(None).puts(b"and from C")
        os.system("echo and by a child")
        sys.__stdout__.write("and around it\n")
        return x


class Changes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x, y=None):
        x.add_(1)
        self.total.add_(x.sum())
        return x[1:], self.total, x


def odd_outputs(x):
    return [Pair(1, "two"), {"k": x, 3: None}, object(), float("nan"), 2**70, torch.float16, {1, 2}]


def hang(x):
    time.sleep(1000)


def crash(x):
    ctypes.string_at(0)


def leave(x):
    os._exit(5)


def killed(x):
    os.kill(os.getpid(), signal.SIGKILL)


def random_numbers(x):
    return torch.rand(3) + x


def example():
    return torch.ones(2, 4), {"flag": 1}


def build():
    return Net()


def hanging_build():
    time.sleep(1000)


number = 3


def broken_build():
    raise RuntimeError("cannot be built")


def frozen():
    return torch.jit.freeze(torch.jit.script(torch.nn.Sequential(torch.nn.Linear(4, 4)).eval()))


def weighted(x, weights):
    return (x * weights).sum()


class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = torch.nn.Parameter(torch.tensor([2.0, 3.0]))

    def forward(self, x):
        with torch.no_grad():
            scale = x.abs()
        return x * self.gain * scale

    @torch.no_grad()
    def halved(self, x):
        return x / 2

    def decorated(self, x):
        return self.halved(x) + x.numpy()


class Checked(torch.nn.Module):
    def check(self, x):
        if x.shape[0] > 2:
            raise ValueError(
                "too many")
        assert x.sum() < 100

    def forward(self, x):
        self.check(x)
        y = x + 1
        y.numpy()[0] = 7
        return y * 2

    def counted(self, x):
        if torch.jit.is_tracing():
            return x
        return self.check(x) or x + 1


def counting():
    calls, seen = 0, []

    def count():
        nonlocal calls
        calls += 1
        seen.append(calls)
        return calls

    return count


class KeptByFunctions(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.count = counting()

    def forward(self, x, memo=[]):  # noqa: B006
        memo.append(1)
        return x * self.count() + len(memo)


class Keeping(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("level", torch.zeros(2))
        self.last = None

    def forward(self, x):
        y = x + self.level
        self.level = self.level + 1
        self.last = y
        return y


import functools  # noqa: E402 - here, so that lines above stay where tests look for them.
import itertools  # noqa: E402

import numpy  # noqa: E402


class Slotted:
    __slots__ = ("calls", "seen")

    def __init__(self):
        self.calls, self.seen = 0, []


class HeldElsewhere(torch.nn.Module):
    history = []

    def __init__(self):
        super().__init__()
        self.slotted, self.raw = Slotted(), bytearray(2)
        self.noting = functools.partial(list.append, [])
        self.table = numpy.zeros(2)
        self.steps, self.turns = itertools.count(1), itertools.cycle([1, 2, 3])

    def forward(self, x):
        self.slotted.calls += 1
        self.slotted.seen.append(1)
        self.noting(1)
        self.history.append(1)
        self.raw[0] += 1
        self.table[1] += 1
        kept = len(self.slotted.seen) + len(self.noting.args[0]) + len(self.history)
        kept += next(self.steps) * next(self.turns)
        return x * (self.slotted.calls + kept + self.raw[0] + float(self.table[1]))


class Moving(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("level", torch.zeros(2))

    def forward(self, x):
        y = x + self.level
        self.level.data = self.level.data + 1
        self.register_buffer("extra", y)
        return y


class LooksIntoItsWeight(torch.nn.Module):
    """An attribute lies in the memory of a parameter."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
        self.view = self.weight.detach()

    def forward(self, x):
        return x * self.view


class RowsOfOneTable(torch.nn.Module):
    """Two buffers lie in one memory."""

    def __init__(self):
        super().__init__()
        first, second = torch.tensor([[1.0, 2.0], [30.0, 40.0]])
        self.register_buffer("first", first)
        self.register_buffer("second", second)

    def forward(self, x):
        return x * self.first + self.second


def overwritten(x):
    y = x.exp()
    z = y * 2
    y.add_(1)  # exp() keeps what it gave for the way back.
    return z
