"""torch.profiler: parts of programs have names; times are not taken."""

from ._absent import names
from .autograd.profiler import record_function  # noqa: F401

__getattr__ = names(__name__, """
    profile schedule tensorboard_trace_handler supported_activities ProfilerAction ProfilerActivity
    ExecutionGraphObserver DeviceType kineto_available""", "take times with Python's own tools")
