"""Running a graph node by node, where each kind of node can be given another meaning."""

import inspect
from typing import Any

from ._codegen import last_uses
from .._package import torch
from .graph import Graph
from .graph_module import GraphModule
from .node import Node, map_aggregate, map_arg
from .proxy import Proxy
from .traceback import override_stack_trace
from ._symbolic_trace import Tracer

__all__ = ["Interpreter", "Transformer"]


def _are_arguments(args, kwargs):
    return isinstance(args, tuple) and isinstance(kwargs, dict)


class Interpreter:
    """Runs a GraphModule. Derived classes override the methods named after the kinds of node."""

    def __init__(self, module, garbage_collect_values=True):
        if not isinstance(module, GraphModule):
            raise AssertionError("an Interpreter runs a GraphModule, not a %s" % type(module).__name__)
        self.module, self.submodules = module, dict(module.named_modules())
        self.env, self.name = {}, "Interpreter"
        self.garbage_collect_values = garbage_collect_values
        if garbage_collect_values:
            self.user_to_last_uses = last_uses(list(module.graph.nodes))

    def run(self, *args, initial_env=None, enable_io_processing=True):
        """The output of the graph. `initial_env` has values of nodes that need not be computed."""
        graph = self.module.graph
        self.env = dict(initial_env or {})
        self.args_iter = iter(graph.process_inputs(*args) if enable_io_processing else args)
        for node in graph.nodes:
            if node in self.env:
                continue
            try:
                self.env[node] = self.run_node(node)
            except Exception as error:
                text = "While executing %s" % node.format_node()
                error.args = ("%s\n\n%s" % (error.args[0], text) if error.args else text,) + error.args[1:]
                raise
            if self.garbage_collect_values:
                for used in self.user_to_last_uses.get(node, []):
                    del self.env[used]
            if node.op == "output":
                result = self.env[node]
                return graph.process_outputs(result) if enable_io_processing else result
        return None

    def run_node(self, n: Node) -> Any:
        given = self.fetch_args_kwargs_from_env(n)
        if not _are_arguments(*given):
            raise AssertionError("node %s has no tuple of arguments and dict of keywords" % n)
        meaning = getattr(self, n.op)
        if n.stack_trace is None:
            return meaning(n.target, *given)
        with override_stack_trace(n.stack_trace):
            return meaning(n.target, *given)

    def placeholder(self, target, args, kwargs):
        if target.startswith("*"):
            return list(self.args_iter)  # What is left goes to *args.
        try:
            return next(self.args_iter)
        except StopIteration:
            if args:
                return args[0]
            raise RuntimeError("Expected positional argument for parameter %s, but one was not passed in: it has no default" % target) from None

    def get_attr(self, target, args, kwargs):
        return self.fetch_attr(target)

    def call_function(self, target, args, kwargs):
        return target(*args, **kwargs)

    def call_method(self, target, args, kwargs):
        owner, *rest = args
        return getattr(owner, target)(*rest, **kwargs)

    def call_module(self, target, args, kwargs):
        return self.fetch_attr(target)(*args, **kwargs)

    def output(self, target, args, kwargs):
        return args[0]

    def fetch_attr(self, target):
        """What the module has at the path."""
        value, parts = self.module, target.split(".")
        for i, part in enumerate(parts):
            if not hasattr(value, part):
                raise RuntimeError("the module has no %s, which a node names" % ".".join(parts[: i + 1]))
            value = getattr(value, part)
        return value

    def fetch_args_kwargs_from_env(self, n):
        args, kwargs = self.map_nodes_to_values(n.args, n), self.map_nodes_to_values(n.kwargs, n)
        return args, kwargs

    def map_nodes_to_values(self, args, n):
        """`args` with the values of nodes in their places."""

        def value_of(used):
            if used not in self.env:
                raise RuntimeError("%s needs %s, which has no value yet; Graph.lint() tells why" % (n, used))
            return self.env[used]

        return map_arg(args, value_of)


class Transformer(Interpreter):
    """Makes a new GraphModule by running the old one with proxies: what a method gives for a node stands
    for it in the new graph."""

    def __init__(self, module):
        super().__init__(module)
        made = self.new_graph = Graph()
        made.set_codegen(module.graph._codegen)

        class TransformerTracer(Tracer):
            def __init__(self, graph):
                super().__init__()
                self.graph, self.root, self.tensor_attrs = graph, torch.nn.Module(), {}

            def is_leaf_module(self, m, module_qualified_name):
                return True

        self.tracer = TransformerTracer(made)
        self.tracer.root = module

    def placeholder(self, target, args, kwargs):
        return Proxy(self.new_graph.placeholder(target, default_value=next(iter(args), inspect.Signature.empty)), self.tracer)

    def get_attr(self, target, args, kwargs):
        return self.tracer.create_proxy("get_attr", target, args, kwargs)

    def call_module(self, target, args, kwargs):
        module = self.fetch_attr(target)
        return self.tracer.call_module(module, module.forward, args, kwargs)

    def call_function(self, target, args, kwargs):
        return self.tracer.create_proxy("call_function", target, args, kwargs)

    def transform(self):
        made, output = self.new_graph, super().run(enable_io_processing=False)
        if output is not None:
            made.output(map_aggregate(output, lambda a: a.node if isinstance(a, Proxy) else a))
        return GraphModule(self.module, made)
