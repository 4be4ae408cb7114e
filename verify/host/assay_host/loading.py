"""Finding the model that a name means."""

import importlib
import importlib.util
import inspect
import os
import sys
import types

import torch

from assay_host.listening import TORCH_DIR
from assay_host.trees import class_name

STDLIB_DIR = os.path.dirname(os.path.abspath(os.__file__)) + os.sep


def import_file(path):
    path = os.path.abspath(path)
    if not os.path.isfile(path):
        raise FileNotFoundError("no such file: " + path)
    folder, name = os.path.dirname(path), os.path.splitext(os.path.basename(path))[0]
    known = sys.modules.get(name)
    if known is not None and getattr(known, "__file__", None) == path:
        return known
    if folder not in sys.path:
        sys.path.insert(0, folder)
    if known is not None or getattr(importlib.util.find_spec(name), "origin", path) != path:
        name = "user_" + name  # A module of that name is another one.
    spec = importlib.util.spec_from_file_location(name, path)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def find(text):
    """The object that `file.py:name` or `package.module:name` names."""
    place, colon, name = text.rpartition(":")
    if not colon or not place or not name:
        raise ValueError("%r names no model: expected file.py:name or package.module:name" % text)
    if place.endswith(".py") or os.sep in place:
        found = import_file(place)
    else:
        if os.getcwd() not in sys.path:
            sys.path.insert(0, os.getcwd())
        found = importlib.import_module(place)
    for part in name.split("."):
        if not hasattr(found, part):
            raise AttributeError("%s has no %r" % (place, name))
        found = getattr(found, part)
    return found


def needs_no_arguments(function):
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    parameters = inspect.signature(function).parameters.values()
    return all(p.default is not p.empty or p.kind in kinds for p in parameters), len(parameters) == 0


def build(found, text):
    """The model behind a name: see the load request."""
    if isinstance(found, torch.nn.Module):
        return found
    if isinstance(found, type):
        found = found()
        if not isinstance(found, torch.nn.Module):
            raise TypeError("%s makes a %s, which is no torch.nn.Module" % (text, class_name(found)))
        return found
    if not callable(found):
        raise TypeError("%s is a %s: neither a module nor a function" % (text, class_name(found)))
    if isinstance(found, types.FunctionType):
        callable_bare, no_parameters = needs_no_arguments(found)
        if no_parameters or callable_bare:
            made = found()
            if isinstance(made, torch.nn.Module) or (no_parameters and callable(made)):
                return made
            if no_parameters:
                raise TypeError("%s returned a %s: neither a module nor a function" % (text, class_name(made)))
    return found


def user_modules(before):
    """Modules that loading brought in from the user's own folders."""
    found = []
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None) or ""
        if name not in before and path.endswith(".py") and not path.startswith(TORCH_DIR):
            if "site-packages" not in path and "dist-packages" not in path and not path.startswith(STDLIB_DIR):
                found.append(module)
    return found
