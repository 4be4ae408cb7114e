"""Which nodes a backend can run."""

import abc

from .._compatibility import compatibility
from ..node import Node
from .shape_prop import TensorMetadata
from .tools_common import CALLABLE_NODE_OPS, get_node_target

__all__ = ["OperatorSupportBase", "OperatorSupport", "create_op_support", "chain", "OpSupports"]


@compatibility(is_backward_compatible=False)
class OperatorSupportBase(abc.ABC):
    """A derived class says which nodes it runs."""

    @abc.abstractmethod
    def is_node_supported(self, submodules, node):
        """Whether the node runs; `submodules` has modules by their paths."""


@compatibility(is_backward_compatible=False)
class OperatorSupport(OperatorSupportBase):
    """By a table: what is called (get_node_target), and None for arguments of any dtypes, or
    ([dtypes of the first, ...], {name: dtypes}), where None in place of dtypes means any."""

    def __init__(self, support_dict=None):
        self._support_dict = support_dict or {}

    def is_node_supported(self, submodules, node):
        if node.op not in CALLABLE_NODE_OPS:
            return True
        target = get_node_target(submodules, node)
        if target not in self._support_dict:
            return False
        if self._support_dict[target] is None:
            return True
        positional, named = self._support_dict[target]
        pairs = list(zip(node.args, positional)) + [(node.kwargs.get(name), named[name]) for name in named]
        return all(
            dtypes is None or not isinstance(value, Node) or _get_arg_dtype(value) in dtypes for value, dtypes in pairs
        )


@compatibility(is_backward_compatible=False)
def create_op_support(is_node_supported):
    """An OperatorSupportBase of the function that it is to have."""

    class FunctionalOperatorSupport(OperatorSupportBase):
        def is_node_supported(self, submodules, node):
            return is_node_supported(submodules, node)

    return FunctionalOperatorSupport()


@compatibility(is_backward_compatible=False)
def chain(*op_support):
    """What all of them run."""
    return create_op_support(lambda modules, node: all(one.is_node_supported(modules, node) for one in op_support))


@compatibility(is_backward_compatible=False)
class OpSupports:
    """Single reasons to refuse a node."""

    @classmethod
    def decline_if_input_dtype(cls, dtype):
        return create_op_support(
            lambda modules, node: all(
                arg.op == "get_attr" or _get_arg_dtype(arg) != dtype for arg in node.all_input_nodes
            )
        )

    @classmethod
    def decline_if_node_in_names(cls, disallow_set):
        return create_op_support(lambda modules, node: node.name not in disallow_set)


def _get_arg_dtype(arg):
    """The dtype that ShapeProp found; the type of what is no tensor."""
    meta = arg.meta.get("tensor_meta")
    return meta.dtype if isinstance(meta, TensorMetadata) else arg.meta["type"]
