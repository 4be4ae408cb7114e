"""How functions and modules become cases of script_cases.py."""

import math

import torch

CASES = {}


def case(*args, **kwargs):
    """A function that is compiled and called with these arguments."""

    def add(fn):
        CASES[fn.__name__] = (lambda: torch.jit.script(fn), args, kwargs)
        return fn

    return add


def module(*args, **kwargs):
    """A module class; an object of it is compiled and called."""

    def add(cls):
        CASES[cls.__name__] = (lambda: torch.jit.script(cls()), args, kwargs)
        return cls

    return add


def x(*shape):
    count = math.prod(shape)
    return (torch.arange(count, dtype=torch.float32) - count / 2).reshape(shape) / 4


def plain(value):
    if isinstance(value, torch.Tensor):
        return {"dtype": str(value.dtype), "shape": list(value.shape), "values": plain(value.detach().tolist())}
    if isinstance(value, float):
        return repr(round(value, 4))
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return str(value)


def run(make, args, kwargs):
    try:
        made = make()
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}"}
    out = {"graph": str(made.graph), "code": made.code}
    try:
        out["result"] = plain(made(*args, **kwargs))
    except Exception as error:
        out["raised"] = f"{type(error).__name__}: {error}"
    return out
