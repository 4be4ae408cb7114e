"""torch.jit: compiled functions and modules."""

from .._jit_internal import Final, _overload, _overload_method, export, ignore, is_scripting, unused
from ._async import Future, fork, wait
from ._freeze import freeze, optimize_for_inference, run_frozen_optimizations
from ._script import (Attribute, RecursiveScriptModule, ScriptFunction, ScriptModule, annotate, interface, script,
                      script_if_tracing, script_method, unchecked_cast)
from ._script import isinstance_ as isinstance  # noqa: A004
from ._compilation_unit import CompilationUnit
from ._serialization import load, save
from . import _names, _recursive  # noqa: E402,F401

_fork = fork
_script_if_tracing = script_if_tracing
_wait = wait
_script_if_tracing = script_if_tracing


class Error(RuntimeError):
    """What a compiled program raises."""


class _DisabledScope:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


def optimized_execution(should_optimize):
    """assay runs every program the same way; here for programs that say how they want it."""
    return _DisabledScope()


def fuser(name):
    return _DisabledScope()


def last_executed_optimized_graph():
    raise NotImplementedError("assay's torch has no last_executed_optimized_graph")


def set_fusion_strategy(strategy):
    return strategy


def strict_fusion():
    return _DisabledScope()


try:
    from ._trace import (TopLevelTracedModule, TracedModule, TracerWarning, TracingCheckError, is_tracing, trace,
                         trace_module)
except ImportError:  # Tracing is a part of its own.
    def is_tracing():
        return False
