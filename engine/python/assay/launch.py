"""Runs a program to which assay's torch is `torch`: what `assay python` starts."""

import importlib
import importlib.machinery
import importlib.util
import os
import runpy
import sys

FACE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "torch")


class _SameModule:
    """Gives a module a second name."""

    def __init__(self, name):
        self.name = name

    def create_module(self, spec):
        module = importlib.import_module(self.name)
        self.own_spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self.own_spec


class _Finder:
    """`torch` is assay's, and `assay.torch` the very same modules."""

    def find_spec(self, name, path=None, target=None):
        if name == "torch":
            return importlib.util.spec_from_file_location(
                name, os.path.join(FACE, "__init__.py"), submodule_search_locations=[FACE])
        if name == "assay.torch" or name.startswith("assay.torch."):
            return importlib.machinery.ModuleSpec(name, _SameModule(name[len("assay."):]))
        return None


class _Missing:
    """Comes last: names what assay's torch has not."""

    def find_spec(self, name, path=None, target=None):
        if name.startswith("torch."):
            raise ModuleNotFoundError(f"assay's torch has no module '{name[len('torch.'):]}' yet", name=name)
        return None


def install():
    """From now on `import torch` imports assay's."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
        sys.meta_path.append(_Missing())


def main(arguments):
    """Runs `SCRIPT ARGS`, `-m MODULE ARGS` or `-c TEXT ARGS` as Python itself would."""
    install()
    if not arguments:
        sys.exit("usage: assay python (SCRIPT | -m MODULE | -c TEXT) [ARGS]")
    kind, rest = arguments[0], arguments[1:]
    if kind in ("-m", "-c") and not rest:
        sys.exit(f"assay python: {kind} needs something behind it")
    if kind == "-m":
        sys.argv = rest
        sys.path.insert(0, os.getcwd())
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif kind == "-c":
        sys.argv = ["-c"] + rest[1:]
        sys.path.insert(0, "")
        main_module = sys.modules["__main__"]
        main_module.__dict__.pop("__file__", None)
        exec(compile(rest[0], "<string>", "exec"), main_module.__dict__)
    else:
        sys.argv = arguments
        path = os.path.abspath(kind)  # Which Python itself makes of it, too: sources are named alike.
        sys.path.insert(0, os.path.dirname(path))
        runpy.run_path(path, run_name="__main__")


def run():
    """The program `assay-python`, which an installed package brings."""
    main(sys.argv[1:])
