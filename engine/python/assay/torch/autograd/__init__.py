"""Gradients are none of assay's business: what only switches them works, what computes them says so."""

import importlib

from assay import _engine as _C

from .._absent import refuse_gradients
from . import function, grad_mode, profiler  # noqa: F401
from .anomaly_mode import detect_anomaly, set_detect_anomaly  # noqa: F401
from .function import Function  # noqa: F401
from .grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled  # noqa: F401
from .variable import Variable  # noqa: F401

_CutFollower = _C.CutFollower  # Where gradients end: for checks of exports.


def backward(*args, **keywords):
    refuse_gradients("torch.autograd.backward()")


def grad(*args, **keywords):
    refuse_gradients("torch.autograd.grad()")


def gradcheck(*args, **keywords):
    refuse_gradients("torch.autograd.gradcheck()")


def gradgradcheck(*args, **keywords):
    refuse_gradients("torch.autograd.gradgradcheck()")


def __getattr__(name):
    if name in ("anomaly_mode", "forward_ad", "functional", "graph"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"assay's torch has no 'autograd.{name}' yet")
