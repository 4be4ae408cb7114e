"""Gives an interpreter assay's torch and, under the names that PyTorch's tests import, the stand-ins.

`torch.testing._internal` is the folder `internal` here, and behind it the source release's own: its tables of
modules (common_nn) need nothing but the interface. What neither has is outside (outside.py)."""

import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys

from . import outside
from .file_check import FileCheck
from .torch_c import TorchC

HERE = os.path.dirname(os.path.abspath(__file__))
_FROM_RELEASE = ("common_nn", "jit_metaprogramming_utils", "common_dtype", "test_module")


class _Loader(importlib.abc.Loader):
    def __init__(self, module):
        self.module = module

    def create_module(self, spec):
        return self.module

    def exec_module(self, module):
        pass


class _Finder(importlib.abc.MetaPathFinder):
    """Comes behind Python's own finders: what they do not find."""

    def __init__(self, release, torch_c):
        self.release = release
        self.torch_c = torch_c

    def find_spec(self, name, path=None, target=None):
        if name == "torch._C":
            return importlib.machinery.ModuleSpec(name, _Loader(self.torch_c))
        if name == "torch.testing._internal":
            return self._package(name)
        if name.startswith("torch.testing._internal."):
            return self._internal(name)
        if name == "torch.testing._legacy":
            return self._file(name, os.path.join(self.release, "torch", "testing", "_legacy.py"))
        if name.startswith("torch."):
            return importlib.machinery.ModuleSpec(name, _Loader(outside.module(name)), is_package=True)
        return None

    def _package(self, name):
        folder = os.path.join(HERE, "internal")
        return importlib.util.spec_from_file_location(name, os.path.join(folder, "__init__.py"),
                                                      submodule_search_locations=[folder])

    def _internal(self, name):
        rest = name[len("torch.testing._internal."):]
        path = os.path.join(self.release, "torch", "testing", "_internal", *rest.split("."))
        if rest.split(".")[0] in _FROM_RELEASE:
            if os.path.isdir(path):
                return self._file(name, os.path.join(path, "__init__.py"), [path])
            return self._file(name, path + ".py")
        return importlib.machinery.ModuleSpec(name, _Loader(outside.module(name)), is_package=True)

    @staticmethod
    def _file(name, path, folders=None):
        return importlib.util.spec_from_file_location(name, path, submodule_search_locations=folders)


def install(package, release):
    """From now on `import torch` and `import torch.testing._internal.x` work; `package` holds assay."""
    sys.path.insert(0, package)
    sys.path.insert(0, os.path.join(release, "test"))
    from assay import _engine, launch
    launch.install()
    import torch
    import torch.testing
    torch_c = TorchC(_engine)
    # Before the finder that names what is missing.
    sys.meta_path.insert(len(sys.meta_path) - 1, _Finder(release, torch_c))
    torch._C = torch_c
    sys.modules["torch._C"] = torch_c
    torch.testing.FileCheck = FileCheck
    return torch
