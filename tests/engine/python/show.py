"""Evaluates the expressions of files with whatever `import torch` gives, and prints what each shows."""

import json
import sys
import warnings

import numpy as np
import torch

warnings.simplefilter("ignore")


def shown(value):
    """What is compared of a value: of tensors more than they print."""
    if isinstance(value, torch.Tensor):
        return [repr(value), str(value.dtype), str(tuple(value.shape)), str(value.stride()),
                value.storage_offset(), str(value.device), value.requires_grad, type(value).__name__]
    if isinstance(value, dict):
        return {str(key): shown(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        name = type(value).__name__
        text = repr(value) if name not in ("list", "tuple") else name
        return [text, [shown(item) for item in value]]
    if isinstance(value, np.ndarray):
        return ["ndarray", str(value.dtype), repr(value.tolist()), str(value.strides)]
    return [type(value).__name__, repr(value)]


def fresh():
    """The names that an expression sees."""
    names = {
        "torch": torch, "np": np,
        "x": torch.arange(6.0).view(2, 3),
        "i": torch.arange(6).view(2, 3),
        "b": torch.tensor([True, False, True]),
        "z": torch.tensor([1 + 2j, -3.5j]),
    }

    def do(statement, what=None):
        exec(statement, names)
        return what

    names["do"] = do
    return names


def main():
    for line in open(sys.argv[1], encoding="utf-8"):
        line = line.rstrip("\n")
        if not line or line.startswith("#"):
            continue
        try:
            result = shown(eval(line, fresh()))
        except Exception as error:
            result = ["raises", type(error).__name__, str(error)]
        print(json.dumps([line, result]))


main()
