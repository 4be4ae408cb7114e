"""Traces all MODELS, or loads their archives, and writes what is seen (main)."""
import os
import pickle
import sys
import traceback
import warnings

import torch
from torch import nn

import traced_modules  # noqa: F401: its rows join the table.
from traced_functions import MODELS


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
