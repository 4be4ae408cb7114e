"""torch.ops: operators by their qualified names, called by their schemas."""

import os

from assay import _engine as _C
from ._absent import stand_in

# Operators that packages name when they are imported.
_NAMED = ("_pin_memory", "_sparse_addmm", "_sparse_mm_reduce_impl")


class _Overloads:
    """torch.ops.aten.add"""

    def __init__(self, name):
        self._name = name
        self._call = _C.operator(name)
        self.__name__ = name.split("::")[1]

    def __call__(self, *args, **keywords):
        return self._call(*args, **keywords)

    def __getattr__(self, overload):
        if overload.startswith("__"):
            raise AttributeError(overload)
        name = self._name if overload == "default" else f"{self._name}.{overload}"
        found = _C.operator(name + ("." if overload == "default" else ""))
        if found is None:
            raise AttributeError(f"assay has no operator '{name}' yet")
        setattr(self, overload, found)
        return found

    def overloads(self):
        names = []
        for schema in self._call._schemas:
            head = schema.split("(")[0][len(self._name):]
            names.append(head[1:] or "default")
        return names

    def __repr__(self):
        return f"<OpOverloadPacket(op='{self._name.replace('::', '.')}')>"


class UserOperator:
    """An operator that a user declared by a Library: called by its schema, computed by a function of Python."""

    # The dispatch keys under which an engine that runs on the CPU and takes no gradients looks for that function.
    _KEYS = ("CPU", "CompositeExplicitAutograd", "CompositeImplicitAutograd", "Autograd", "AutogradCPU", "")

    def __init__(self, schema):
        from .fx._schema_text import Schema
        self._schema = Schema(schema)
        self._signature = self._schema.signature()
        self._name = schema.partition("(")[0].strip()
        self.__name__ = self._name.rpartition("::")[2]
        self.functions = {}

    def __call__(self, *args, **keywords):
        function = next((self.functions[key] for key in self._KEYS if key in self.functions), None)
        if function is None:
            raise NotImplementedError(f"no function computes {self._name} on the CPU: give one by Library.impl")
        bound = self._signature.bind(*args, **keywords)
        bound.apply_defaults()
        return function(*bound.args, **bound.kwargs)

    @property
    def default(self):
        return self

    def overloads(self):
        return ["default"]

    def __repr__(self):
        return f"<OpOverloadPacket(op='{self._name.replace('::', '.')}')>"


class _Namespace:
    """torch.ops.aten"""

    def __init__(self, name):
        self.name = name

    def _define(self, name, operator):
        if self._defined(name) is not None or _C.operator(f"{self.name}::{name}") is not None:
            raise RuntimeError(f"there is an operator {self.name}::{name} already")
        setattr(self, name, operator)

    def _defined(self, name):
        found = vars(self).get(name)
        return found if isinstance(found, UserOperator) else None

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in _NAMED and self.name == "aten":
            return stand_in(f"torch.ops.aten.{name}", "it is for pinned memory and sparse tensors, which the engine has not")
        if _C.operator(f"{self.name}::{name}") is None:
            raise AttributeError(f"assay has no operator '{self.name}::{name}' yet")
        found = _Overloads(f"{self.name}::{name}")
        setattr(self, name, found)
        return found


class _Ops:
    """torch.ops"""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        found = _Namespace(name)
        setattr(self, name, found)
        return found

    def load_library(self, path):
        """Loads nothing: an operator is there if the catalog has it, torchvision's among them."""
        if not os.path.exists(path):
            raise OSError(f"{path} does not exist")


class _Classes:
    """torch.classes"""

    def __getattr__(self, name):
        raise AttributeError(f"assay's torch has no 'classes.{name}' yet")


ops = _Ops()
ops.torchvision._cuda_version = lambda: -1  # torchvision asks whether its library and torch were built alike
classes = _Classes()
