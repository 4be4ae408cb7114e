"""A pass: a change of a GraphModule, with checks before and after."""

import abc
from typing import NamedTuple

from ..._compatibility import compatibility
from ...graph_module import GraphModule

__all__ = ["PassResult", "PassBase"]


@compatibility(is_backward_compatible=False)
class PassResult(NamedTuple):
    """What a pass gives: the module, and whether it was changed."""

    graph_module: GraphModule
    modified: bool


@compatibility(is_backward_compatible=False)
class PassBase(abc.ABC):
    """A derived class has `call`, and `requires` and `ensures` where there is something to check."""

    def __call__(self, graph_module):
        self.requires(graph_module)
        result = self.call(graph_module)
        self.ensures(graph_module)
        return result

    @abc.abstractmethod
    def call(self, graph_module):
        """The pass itself: gives a PassResult."""

    def requires(self, graph_module):
        """Raises where the pass cannot work on the module."""

    def ensures(self, graph_module):
        """Raises where the pass did not what it should."""
