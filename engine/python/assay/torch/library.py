"""Operators written by users in Python. They are called as torch.ops.NAMESPACE.NAME; a trace and an fx
graph see what they compute."""

from ._ops import UserOperator, ops

__all__ = ["Library", "impl", "define"]


class Library:
    """Operators of one namespace: "DEF" and "FRAGMENT" declare them, "IMPL" gives what computes them."""

    def __init__(self, ns, kind, dispatch_key=""):
        if kind not in ("DEF", "FRAGMENT", "IMPL"):
            raise ValueError(f"a library is of kind DEF, FRAGMENT or IMPL, not {kind}")
        if kind == "DEF" and ns in ("aten", "prim"):
            raise ValueError(f"the namespace {ns} is PyTorch's own: use kind FRAGMENT or a namespace of yours")
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key

    def __repr__(self):
        return f"Library(kind={self.kind}, ns={self.ns}, dispatch_key={self.dispatch_key})"

    def define(self, schema, alias_analysis=""):
        """Declares an operator by its schema; its name."""
        if alias_analysis not in ("", "FROM_SCHEMA", "CONSERVATIVE"):
            raise RuntimeError(f"alias_analysis is FROM_SCHEMA or CONSERVATIVE, not {alias_analysis}")
        if self.kind == "IMPL":
            raise RuntimeError("a library of kind IMPL declares no operators")
        name = schema.partition("(")[0].strip()
        getattr(ops, self.ns)._define(name, UserOperator(f"{self.ns}::{schema.strip()}"))
        return name

    def impl(self, op_name, fn, dispatch_key=""):
        """Gives the function that computes an operator under a dispatch key."""
        if not callable(fn):
            raise TypeError(f"what computes an operator is a function, not {type(fn).__name__}")
        name = op_name if isinstance(op_name, str) else str(op_name)
        name = name.rpartition("::")[2]
        key = dispatch_key or self.dispatch_key or "CompositeImplicitAutograd"
        found = getattr(ops, self.ns)._defined(name)
        if found is None:
            raise NotImplementedError(f"assay's own operator {self.ns}::{name} computes what it computes; only operators "
                                      "declared by Library.define take functions")
        if key in found.functions:
            raise RuntimeError(f"{self.ns}::{name} has a function for {key} already")
        found.functions[key] = fn

    def __getattr__(self, name):
        raise AttributeError(f"a Library has no {name!r}")


def impl(lib, name, dispatch_key=""):
    """Library.impl as a decorator."""
    def decorate(function):
        lib.impl(name, function, dispatch_key)
        return function
    return decorate


def define(lib, schema, alias_analysis=""):
    """Library.define as a decorator of the function that computes the operator."""
    def decorate(function):
        lib.impl(lib.define(schema, alias_analysis), function)
        return function
    return decorate
