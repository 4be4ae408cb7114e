"""Calls in one form each."""

import operator

from ..._package import torch
from ..interpreter import Transformer
from ..node import Node, map_aggregate
from ..operator_schemas import create_type_hint, normalize_function, normalize_module
from .schema_type_annotation import AnnotateTypesWithSchema


class NormalizeArgs(Transformer):
    """transform() gives the module with the arguments of functions and of torch.nn's modules by name (or,
    without `normalize_to_only_use_kwargs`, where they are), defaults filled in. Overloads that take as
    many arguments are told apart by the types in nodes' meta data, which ShapeProp finds."""

    def __init__(self, module, normalize_to_only_use_kwargs=True):
        super().__init__(module)
        self.node_map = {}
        self.normalize_to_only_use_kwargs = normalize_to_only_use_kwargs

    def run_node(self, n):
        args, kwargs = self.fetch_args_kwargs_from_env(n)

        def type_of(value):
            return n.meta.get("type", None) if isinstance(value, Node) else type(value)

        if n.op == "call_function":
            types = tuple(create_type_hint(kind) for kind in map_aggregate(n.args, type_of))
            made = self.call_function(n.target, args, kwargs, types, {k: type_of(v) for k, v in kwargs.items()})
        else:
            made = super().run_node(n)
        if n.op != "output":
            self.node_map[made] = n
            made.node.meta, made.node.type = n.meta, n.type
        return made

    def call_function(self, target, args, kwargs, arg_types=None, kwarg_types=None):
        only_kwargs = self.normalize_to_only_use_kwargs
        found = normalize_function(target, args, kwargs, arg_types, kwarg_types, only_kwargs)
        return super().call_function(target, *(found or (args, kwargs)))

    def call_module(self, target, args, kwargs):
        found = normalize_module(self.module, target, args, kwargs, self.normalize_to_only_use_kwargs)
        return super().call_module(target, *(found or (args, kwargs)))


class NormalizeOperators(AnnotateTypesWithSchema):
    """transform() gives the module with Python's operators in place of the functions of torch that do the
    same."""

    binary_magic_method_remap = {
        torch.add: operator.add, torch.mul: operator.mul, torch.sub: operator.sub, torch.div: operator.truediv,
        torch.floor_divide: operator.floordiv, torch.remainder: operator.mod, torch.eq: operator.eq,
        torch.ne: operator.ne, torch.lt: operator.lt, torch.le: operator.le, torch.gt: operator.gt,
        torch.ge: operator.ge,
    }  # fmt: skip

    def call_function(self, target, args, kwargs):
        other = self.binary_magic_method_remap.get(target)
        if other is not None and len(args) == 2 and not kwargs:
            return super().call_function(other, args, {})
        return super().call_function(target, args, kwargs)
