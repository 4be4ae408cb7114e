"""`torch._C` for tests: the switches of PyTorch's executor, which change no result, can be set and read; the
names that assay's extension has are its own; everything else is outside."""

import types

from .outside import Outside, OutsideInterface

_SWITCHES = ("_jit_set_", "_jit_get_", "_jit_can_fuse", "_jit_override_", "_jit_texpr_", "_debug_set_", "_debug_get_",
             "_set_graph_executor", "_get_graph_executor", "_jit_clear_class_registry")
_ABSENT = {"has_mkldnn": False, "has_lapack": True, "has_cuda": False, "has_mkl": False}


class TorchC(types.ModuleType):
    def __init__(self, extension):
        super().__init__("torch._C")
        self.__dict__["_extension"] = extension
        self.__dict__["_states"] = {}
        self.__path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in _ABSENT:
            return _ABSENT[name]
        if name.startswith(_SWITCHES):
            return self._switch(name)
        if hasattr(self._extension, name):
            return getattr(self._extension, name)
        return Outside(f"torch._C.{name}")

    def _switch(self, name):
        """Sets or reads one switch; a set answers what was there before."""
        subject = name
        for part in ("_set", "_get", "_override", "_enabled"):
            subject = subject.replace(part, "", 1)
        states = self._states

        def call(*values):
            before = states.get(subject, False)
            if values and "_get_" not in name:
                states[subject] = values[0]
            return before

        return call


__all__ = ["TorchC", "OutsideInterface"]
