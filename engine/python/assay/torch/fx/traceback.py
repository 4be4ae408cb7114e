"""Lines of the user's code that nodes are noted with, where the nodes are made of others."""

import contextlib

from ._compatibility import compatibility

__all__ = ["override_stack_trace", "is_stack_trace_overridden", "format_stack"]

_current = []


@compatibility(is_backward_compatible=False)
@contextlib.contextmanager
def override_stack_trace(stack_trace):
    """Nodes that are made in the `with` statement get this stack trace; None is none of their own."""
    _current.append(stack_trace)
    try:
        yield
    finally:
        _current.pop()


@compatibility(is_backward_compatible=False)
def is_stack_trace_overridden():
    return bool(_current) and _current[-1] is not None


@compatibility(is_backward_compatible=False)
def format_stack():
    """The stack trace that nodes get now, as a list of texts."""
    return [_current[-1]] if is_stack_trace_overridden() else []
