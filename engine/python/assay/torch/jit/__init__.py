"""torch.jit: compiled functions and modules."""

from typing import Any

from assay import _engine as _C
from .._jit_internal import Final, _overload, _overload_method, annotate, export, ignore, is_scripting, unused
from .._tracer_warning import TracerWarning
from ._async import Future, fork, wait
from ._compilation import CompilationUnit
from ._freeze import freeze, optimize_for_inference, run_frozen_optimizations
from ._functions import ScriptFunction
from ._script import (Attribute, RecursiveScriptModule, ScriptModule, export_opnames, interface, script, script_if_tracing,
                      script_method)
from ._forms import _unwrap_optional, isinstance_ as isinstance, unchecked_cast  # noqa: A004
from ._serialization import load, save
from ._trace import (TopLevelTracedModule, TracedModule, TracingCheckError, _get_trace_graph, is_tracing, set_trace_limit,
                     trace, trace_module)
from . import _names, _recursive, frontend  # noqa: E402,F401

Error = _C.ScriptError  # What a compiled program raises.
_fork = fork
_script_if_tracing = script_if_tracing
_wait = wait


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


class strict_fusion:
    """`with torch.jit.strict_fusion()` in compiled code: assay fuses as it does everywhere."""

    def __init__(self):
        pass

    def __enter__(self):
        pass

    def __exit__(self, type: Any, value: Any, tb: Any) -> None:
        pass
