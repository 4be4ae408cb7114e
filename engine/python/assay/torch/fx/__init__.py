"""Graphs of Python functions and modules: made by tracing with proxies, changed as lists of nodes, and
turned back into Python code.

    traced = torch.fx.symbolic_trace(model)
    print(traced.graph, traced.code)
"""

from ._symbolic_trace import PH, ProxyableClassMeta, Tracer, symbolic_trace, wrap
from .graph import CodeGen, Graph
from .graph_module import GraphModule
from .interpreter import Interpreter, Transformer
from .node import Node, map_arg
from .proxy import Proxy
from .subgraph_rewriter import replace_pattern

__all__ = [
    "PH", "ProxyableClassMeta", "Tracer", "symbolic_trace", "wrap", "CodeGen", "Graph", "GraphModule",
    "Interpreter", "Transformer", "Node", "map_arg", "Proxy", "replace_pattern",
]  # fmt: skip
