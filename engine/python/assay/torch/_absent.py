"""Names that PyTorch has and assay has not, where packages ask for them when they are imported.

Such a name can be imported, subclassed, given as a default and compared with; what uses it is told what is
missing and what to do. A name that PyTorch has not is an AttributeError, so that packages still find out by
trying which PyTorch they run on.
"""

import importlib
import sys


class _Absent(type):
    """The class of stand-ins: classes, so that they can be bases and have an isinstance()."""

    def __call__(cls, *args, **keywords):
        kind = next(base for base in cls.__mro__ if "_reason" in vars(base))
        raise NotImplementedError(f"assay's torch has no {kind._path}: {kind._reason}")

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return stand_in(f"{cls._path}.{name}", cls._reason)

    def __repr__(cls):
        return f"<{cls._path}, which assay's torch has not>"


def stand_in(path, reason):
    """The stand-in for what PyTorch has at `path`; `reason` ends the message of its error."""
    module, _, name = path.rpartition(".")
    return _Absent(name, (), {"__module__": module, "_path": path, "_reason": reason})


def names(module, listed, reason, submodules=()):
    """A module's `__getattr__`: its submodules on demand, stand-ins for the listed names, else an error."""
    path = "torch" + module.partition("torch")[2]
    listed, submodules = frozenset(listed.split()), frozenset(submodules)

    def get(name):
        if name in submodules:
            return importlib.import_module(f"{module}.{name}")
        if name not in listed:
            raise AttributeError(f"assay's torch has no '{path[len('torch.'):]}.{name}'"
                                 + ("" if name.startswith("__") else " yet"))
        found = stand_in(f"{path}.{name}", reason)
        if module in sys.modules:
            setattr(sys.modules[module], name, found)
        return found
    get.listed = listed
    return get


def refuse_gradients(what):
    raise NotImplementedError(f"{what}: assay computes no gradients. Train in PyTorch; assay runs, exports and "
                              "checks what was trained")
