"""Types of nodes, after the annotations of what they call."""

import inspect
import sys

from ..._jit_internal import boolean_dispatched
from ..._package import torch
from ..interpreter import Transformer


class AnnotateTypesWithSchema(Transformer):
    """transform() gives the module with types: of calls of torch.nn.functional and of torch.nn's modules,
    and of attributes."""

    def __init__(self, module, annotate_functionals=True, annotate_modules=True, annotate_get_attrs=True):
        super().__init__(module)
        self.annotate_functionals, self.annotate_modules = annotate_functionals, annotate_modules
        self.annotate_get_attrs = annotate_get_attrs

    def call_function(self, target, args, kwargs):
        made = super().call_function(target, args, kwargs)
        functional = getattr(torch.nn.functional, getattr(target, "__name__", ""), None) is target
        if self.annotate_functionals and functional:
            ways = boolean_dispatched.get(target) or {"if_true": target, "if_false": target}
            one, other = (self._extract_python_return_type(ways[key]) for key in ("if_true", "if_false"))
            self._annotate(made, one if one == other else None)
        return made

    def call_module(self, target, args, kwargs):
        made = super().call_module(target, args, kwargs)
        module = self.fetch_attr(target)
        if self.annotate_modules and getattr(torch.nn, type(module).__name__, None) is type(module):
            self._annotate(made, self._extract_python_return_type(module.forward))
        return made

    def get_attr(self, target, args, kwargs):
        made = super().get_attr(target, args, kwargs)
        if self.annotate_get_attrs:
            value = self.fetch_attr(target)
            self._annotate(made, torch.Tensor if isinstance(value, torch.Tensor) else _plain_type(value))
        return made

    @staticmethod
    def _annotate(proxy, kind):
        proxy.node.type = proxy.node.type or kind

    def _extract_python_return_type(self, target):
        """The type that the function is declared to give; None where it does not say."""
        try:
            signature = inspect.signature(target)
        except (ValueError, TypeError):
            return None
        kind = signature.return_annotation
        if isinstance(kind, str):
            kind = getattr(sys.modules.get(target.__module__), kind, None)
        return None if kind is inspect.Signature.empty else kind


def _plain_type(value):
    return type(value) if isinstance(value, (bool, int, float, str)) else None
