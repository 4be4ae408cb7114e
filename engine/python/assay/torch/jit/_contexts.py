"""What `with torch.no_grad():` and `with torch.profiler.record_function("part"):` are in compiled code."""

from typing import Any, Optional

from .._package import torch


class no_grad:
    _jit_override_qualname = "__torch__.torch.autograd.grad_mode.no_grad"

    def __init__(self) -> None:
        self.prev = False

    def __enter__(self) -> None:
        self.prev = torch.is_grad_enabled()
        torch.set_grad_enabled(False)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        torch.set_grad_enabled(self.prev)


class enable_grad:
    _jit_override_qualname = "__torch__.torch.autograd.grad_mode.enable_grad"

    def __init__(self) -> None:
        self.prev = False

    def __enter__(self) -> None:
        self.prev = torch.is_grad_enabled()
        torch.set_grad_enabled(True)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        torch.set_grad_enabled(self.prev)


class record_function:
    _jit_override_qualname = "__torch__.torch.autograd.profiler.record_function"

    def __init__(self, name: str, args: Optional[str] = None) -> None:
        self.name = name
        self.args = args
        self.handle = torch.zeros([1])

    def __enter__(self):
        self.handle = torch.ops.profiler._record_function_enter(self.name, self.args)
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        torch.ops.profiler._record_function_exit(self.handle)


def compiled_form(cls):
    """The class that stands for one that is written for Python alone; others stand for themselves."""
    forms = {torch.no_grad: no_grad, torch.enable_grad: enable_grad,
             torch.autograd.profiler.record_function: record_function}
    return forms.get(cls, cls)
