"""What each value of a graph is like: found by running it."""

from typing import Any, Dict, NamedTuple, Optional, Tuple

from ..._package import torch
from ..interpreter import Interpreter
from ..node import map_aggregate

__all__ = ["TensorMetadata", "ShapeProp"]


class TensorMetadata(NamedTuple):
    """A tensor but for its elements."""

    shape: torch.Size
    dtype: torch.dtype
    requires_grad: bool
    stride: Tuple[int, ...]
    memory_format: Optional[torch.memory_format]
    is_quantized: bool
    qparams: Dict[str, Any]


def _extract_tensor_metadata(result):
    formats = (torch.contiguous_format, torch.channels_last, torch.channels_last_3d)
    format_of = next((f for f in formats if _has_format(result, f)), None)
    return TensorMetadata(
        result.shape, result.dtype, result.requires_grad, result.stride(), format_of, result.is_quantized, {}
    )


def _has_format(tensor, memory_format):
    ranks = {torch.channels_last: 4, torch.channels_last_3d: 5}
    fits = ranks.get(memory_format, tensor.dim()) == tensor.dim()
    return fits and tensor.is_contiguous(memory_format=memory_format)


class ShapeProp(Interpreter):
    """Runs the graph and notes in each node's meta data what its value is like: `tensor_meta` where
    there are tensors, and `type`."""

    def run_node(self, n):
        result = super().run_node(n)
        found = []

        def describe(value):
            if isinstance(value, torch.Tensor):
                found.append(value)
                return _extract_tensor_metadata(value)
            return value

        meta = map_aggregate(result, describe)
        if found:
            n.meta["tensor_meta"] = meta
        n.meta["type"] = type(result)
        return result

    def propagate(self, *args):
        return super().run(*args)
