"""Operators behind functions that torch itself does not show."""

from assay import _engine as _C


def __getattr__(name):
    found = None if name.startswith("__") else _C.operator(name)
    if found is None:
        raise AttributeError(f"assay has no operator 'aten::{name}' yet")
    globals()[name] = found
    return found
