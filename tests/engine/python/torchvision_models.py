"""Makes a model of torchvision and traces or scripts it; writes what came of it as JSON.

Usage: torchvision_models.py OUTPUT FOLDER save|load trace|script MODEL

`save` keeps the archive in FOLDER; `load` runs the one that is there.
"""
import hashlib
import importlib.machinery
import importlib.util
import json
import os
import re
import sys
import time
import unittest.mock
import warnings

import torch
import torchvision

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from torchvision_list import MODELS

warnings.simplefilter("ignore")


class Outputs(torch.nn.Module):
    """A model whose outputs are a tuple of tensors, as a trace wants them."""

    def __init__(self, model, kind):
        super().__init__()
        self.model = model
        self.kind = kind

    def forward(self, *inputs):
        if self.kind == "flow":
            return self.model(inputs[0], inputs[1], num_flow_updates=3)[-1]
        found = self.model([inputs[0]])[0] if self.kind == "detection" else self.model(inputs[0])
        return tuple(found[key] for key in sorted(found))


def made(name):
    kind, _, options = MODELS[name]
    torch.manual_seed(7)
    backbone = {"weights_backbone": None} if kind in ("detection", "segmentation") else {}
    model = torchvision.models.get_model(name, weights=None, **backbone, **options).eval()
    if kind == "detection":
        # Other numbers for every class, so that rounding decides little.
        for key, weight in model.named_parameters():
            if re.search(r"cls_logits|cls_score|bbox_pred|classification_head|regression_head", key):
                weight.data.mul_(4.0)
    return model.double() if kind == "detection" else model


def inputs_of(name):
    kind, shape, _ = MODELS[name]
    torch.manual_seed(8)
    dtype = torch.float64 if kind == "detection" else torch.float32
    return tuple(torch.rand(shape, dtype=dtype) for _ in range(2 if kind == "flow" else 1))


def tensors_in(value):
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        return [t for key in sorted(value) for t in tensors_in(value[key])]
    return [t for part in value for t in tensors_in(part)] if isinstance(value, (list, tuple)) else []


def digest(value):
    """The shape of each tensor and numbers that depend on all elements, against its largest."""
    told = []
    for tensor in tensors_in(value):
        flat = tensor.detach().double().flatten()
        largest = max(flat.abs().max().item(), 1e-30) if flat.numel() else 1.0
        weights = torch.linspace(-1, 1, flat.numel(), dtype=torch.float64)
        count = max(flat.numel(), 1)
        told.append([list(tensor.shape), [largest, flat.abs().sum().item() / count / largest,
                                          (flat * weights).sum().item() / count / largest]])
    return told


def texts(module):
    """Graph and code of each submodule's forward, without where they stand in sources; values by PyTorch's numbers.
    Its numbers of warnings count all that the process compiled before, ours those of a graph."""
    told = {}
    for name, part in module.named_modules():
        for kind in ("graph", "code"):
            try:
                text = str(getattr(part, kind))
            except (AttributeError, RuntimeError):  # It has no forward of its own.
                continue
            told[f"{name}.{kind}"] = re.sub(r" *# .*|___torch_mangle_\d+\.|\[warn_id=\d+\]", "", text)
    return told


def attention_of_pytorch():
    """The class in the file of the PyTorch that is installed, over the torch that runs."""
    installed = importlib.machinery.PathFinder.find_spec("torch").submodule_search_locations[0]
    spec = importlib.util.spec_from_file_location("torch.nn.modules.activation",
                                                  os.path.join(installed, "nn", "modules", "activation.py"))
    activation = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(activation)
    return activation.MultiheadAttention


def scripted_texts(name, model, module):
    """Of a model with attention, from PyTorch's source of it: a scripted module's text is its source, sentences
    and names of locals included, and assay's own says the same in other words. A trace's text is what was called."""
    if not any(isinstance(part, torch.nn.MultiheadAttention) for part in model.modules()):
        return texts(module)
    with unittest.mock.patch.object(torch.nn, "MultiheadAttention", attention_of_pytorch()):
        return texts(torch.jit.script(made(name)))


def scripted_call(kind, inputs):
    if kind == "detection":
        return [list(inputs)]
    return [*inputs, 3] if kind == "flow" else list(inputs)


def one(name, way, folder, action):
    kind = MODELS[name][0]
    begun = time.perf_counter()
    with torch.no_grad():
        model, inputs = made(name), inputs_of(name)
        if way == "trace":
            subject = model if kind == "images" else Outputs(model, kind).eval()
            module, call = torch.jit.trace(subject, inputs, check_trace=False), list(inputs)
        else:
            module, call = torch.jit.script(model), scripted_call(kind, inputs)
        built = time.perf_counter() - begun
        torch.manual_seed(0)
        told = texts(module) if way == "trace" else scripted_texts(name, model, module)
        result = {"output": digest(module(*call)), "texts": told, "seconds": built}
        result["weights"] = hashlib.sha256(str(sorted((key, tuple(value.shape)) for key, value in
                                                      model.state_dict().items())).encode()).hexdigest()
        path = os.path.join(folder, f"{name}-{way}.pt")
        if action == "save":
            torch.jit.save(module, path)
        elif os.path.exists(path):
            torch.manual_seed(0)
            result["loaded"] = digest(torch.jit.load(path)(*call))
    return result


def main(output, folder, action, way, name):
    try:
        result = one(name, way, folder, action)
    except Exception as error:
        result = {"error": f"{type(error).__name__}: {error}"[:2000]}
    with open(output, "w") as written:
        json.dump(result, written)


main(*sys.argv[1:])
