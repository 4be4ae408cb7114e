"""What `with torch.no_grad():` is in compiled code."""

from typing import Any

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


def compiled_form(cls):
    if cls is torch.no_grad:
        return no_grad
    return enable_grad if cls is torch.enable_grad else cls
