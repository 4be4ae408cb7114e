"""Further programs over torch.fx: own tracers, interpreters, rewriting, passes, and what users build of
them. As fx_programs.py.
"""

import copy
import pickle

import torch
import torch.fx
import torch.nn as nn
import torch.nn.functional as F
from torch.fx import Graph, GraphModule, Interpreter, Proxy, Tracer, Transformer, replace_pattern, symbolic_trace

from fx_cases import Block, Convolutions, Nested, fill, plain, x23
from fx_programs import message, program


# -- Tracers


@program
def leaves():
    class ByName(Tracer):
        def is_leaf_module(self, m, qualified_name):
            return isinstance(m, Block) or qualified_name.endswith("1") or super().is_leaf_module(m, qualified_name)

    class Two(nn.Module):
        def __init__(self):
            super().__init__()
            self.block, self.rest = Block(3), Nested()

        def forward(self, x):
            return self.rest(self.block(x))

    tracer, model = ByName(), Two()
    graph = tracer.trace(model)
    return str(graph), GraphModule(model, graph).code, str(symbolic_trace(model).graph)


@program
def tracer_hooks():
    class Noting(Tracer):
        def __init__(self):
            super().__init__(autowrap_functions=(x23,))
            self.seen = []

        def call_module(self, m, forward, args, kwargs):
            self.seen.append((type(m).__name__, self.path_of_module(m)))
            return super().call_module(m, forward, args, kwargs)

        def create_node(self, kind, target, args, kwargs, name=None, type_expr=None):
            node = super().create_node(kind, target, args, kwargs, name, type_expr)
            node.meta["seen"] = kind
            return node

        def create_arg(self, a):
            return "tuple" if type(a) is frozenset else super().create_arg(a)

    tracer = Noting()
    graph = tracer.trace(Block(3))
    constant = tracer.trace(lambda x: x.add(frozenset()))
    return tracer.seen, [n.meta for n in graph.nodes], str(constant)


@program
def constant_shapes():
    class Uses(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(torch.ones(3, 4))

        def forward(self, x):
            if self.w.shape[0] == 3 and self.w.dim() == 2:
                return x @ self.w * self.w.shape[1]
            return x

    return str(Tracer(param_shapes_constant=True).trace(Uses())), message(lambda: Tracer().trace(Uses()))


@program
def buffers_as_proxies():
    class Proxying(Tracer):
        proxy_buffer_attributes = True

    class Uses(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("b", torch.ones(3))

        def forward(self, x):
            return self.b * 2 + x

    return str(Proxying().trace(Uses())), str(Tracer().trace(Uses()))


@program
def proxies_by_hand():
    graph = Graph()
    x, y = Proxy(graph.placeholder("x")), Proxy(graph.placeholder("y"))
    z = torch.relu(x + y).sum(dim=0).T
    graph.output(z.node)
    other = Proxy(Graph().placeholder("o"))
    return str(graph), repr(x), message(lambda: torch.add(x, other)), message(lambda: len(x)), message(lambda: bool(x))


@program
def proxyable_class():
    class Box(metaclass=torch.fx.ProxyableClassMeta):
        def __init__(self, left, right):
            self.left, self.right = left, right

        def total(self):
            return self.left + self.right

    def function(x, y):
        box = Box(x, y)
        return box.total()

    traced = symbolic_trace(function)
    return [(n.op, n.name) for n in traced.graph.nodes], traced(2, 3)


# -- Interpreters and transformers


@program
def interpreters():
    class Swapping(Interpreter):
        def call_function(self, target, args, kwargs):
            return torch.neg(*args, **kwargs) if target is torch.sigmoid else super().call_function(target, args, kwargs)

        def call_method(self, target, args, kwargs):
            return args[0] * 2 if target == "neg" else super().call_method(target, args, kwargs)

    traced = symbolic_trace(lambda x: torch.sigmoid(x).neg())
    ran = []

    class Noting(Interpreter):
        def run_node(self, n):
            ran.append(n.name)
            return super().run_node(n)

    Noting(traced).run(x23())
    sigmoid = [n for n in traced.graph.nodes][1]
    kept = Interpreter(traced, garbage_collect_values=False)
    kept.run(x23())
    return (plain(Swapping(traced).run(x23())), ran, plain(Interpreter(traced).run(x23(), initial_env={sigmoid: x23()})),
            len(kept.env), message(lambda: Interpreter(traced).run()))  # fmt: skip


@program
def interpreter_defaults():
    traced = symbolic_trace(lambda x, y=2.0: x * y)
    return plain(Interpreter(traced).run(x23())), plain(Interpreter(traced).run(x23(), 3.0))


@program
def transformers():
    class Swapping(Transformer):
        def call_function(self, target, args, kwargs):
            return super().call_function(torch.cos if target is torch.sin else target, args, kwargs)

        def call_method(self, target, args, kwargs):
            return args[0].abs() if target == "neg" else super().call_method(target, args, kwargs)

    traced = symbolic_trace(lambda x: torch.sin(x).neg())
    other = Swapping(traced).transform()
    whole = Transformer(symbolic_trace(fill(Convolutions()))).transform()
    return other.code, str(other.graph), whole.code


# -- Rewriting


def rewritten(model, pattern, replacement, *inputs):
    traced = symbolic_trace(model)
    matches = replace_pattern(traced, pattern, replacement)
    traced.graph.lint()
    return [traced.code, str(traced.graph), [m.anchor.name for m in matches],
            [{a.name: b.name for a, b in m.nodes_map.items()} for m in matches],
            plain(traced(*[make() for make in inputs]))]  # fmt: skip


@program
def rewriting():
    found = []
    found.append(rewritten(lambda x, w1, w2: torch.stack([torch.cat([w1, w2]).sum(), torch.cat([w1, w2]).max() + x.sum()]),
                           lambda w1, w2: torch.cat([w1, w2]), lambda w1, w2: torch.stack([w1, w2]), x23, x23, x23))
    found.append(rewritten(lambda x: torch.relu(x) + torch.relu(x + 1), lambda x: torch.relu(x),
                           lambda x: torch.sigmoid(x), x23))
    found.append(rewritten(lambda x: (x * 2 + 1) * 2 + 1, lambda x: x * 2 + 1, lambda x: x + 10, x23))
    found.append(rewritten(lambda x: x.neg().relu() + x.neg(), lambda x: x.neg().relu(), lambda x: x * 0, x23))
    found.append(rewritten(lambda x: x.neg().relu().neg().relu().neg(), lambda x: x.neg().relu(), lambda x: x, x23))
    found.append(rewritten(lambda x: x + 3, lambda x: x + 4, lambda x: x + 5, x23))
    found.append(rewritten(lambda x: torch.add(x, x, alpha=2), lambda a, b: torch.add(a, b, alpha=2),
                           lambda a, b: a - b, x23))  # fmt: skip
    return found


@program
def rewriting_several_outputs():
    def pattern(x):
        y = x + 1
        return y.relu(), y.neg()

    def replacement(x):
        y = x * 3
        return y.abs(), y.exp()

    def function(x):
        y = x + 1
        return y.relu() + y.neg()

    return rewritten(function, pattern, replacement, x23)


# -- Passes


@program
def shapes_of_values():
    from torch.fx.passes.shape_prop import ShapeProp

    traced = symbolic_trace(fill(Convolutions()))
    ShapeProp(traced).propagate(torch.ones(2, 1, 8, 8))
    found = []
    for node in traced.graph.nodes:
        meta = node.meta.get("tensor_meta")
        found.append([node.name, node.meta["type"].__name__, meta and [list(meta.shape), str(meta.dtype), list(meta.stride),
                      meta.is_quantized]])  # fmt: skip
    return found


@program
def splitting():
    from torch.fx.passes.split_module import split_module

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.param, self.linear = nn.Parameter(torch.ones(3)), nn.Linear(3, 3)

        def forward(self, x, y):
            z = self.linear(x + self.param).clamp(min=0.0, max=1.0)
            w = self.linear(y).clamp(min=0.0, max=1.0)
            return z + w

    model = fill(Model())
    counter = [0]

    def callback(node):
        counter[0] += 1
        return (counter[0] - 1) // 2

    split = split_module(symbolic_trace(model), model, callback)
    return [split.code] + [split.get_submodule("submod_%d" % i).code for i in range(3)] + [plain(split(x23(), x23()))]


# -- Examples of what users do


@program
def fold_batch_norm():
    """Conv-BN fusion as users write it."""

    def parent_name(target):
        *parent, name = target.rsplit(".", 1)
        return parent[0] if parent else "", name

    model = symbolic_trace(fill(Convolutions()))
    modules = dict(model.named_modules())
    for node in model.graph.nodes:
        if node.op != "call_module" or not isinstance(modules[node.target], nn.BatchNorm2d):
            continue
        conv, norm = modules[node.args[0].target], modules[node.target]
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        folded = copy.deepcopy(conv)
        folded.weight = nn.Parameter(conv.weight * scale.reshape(-1, 1, 1, 1))
        folded.bias = nn.Parameter((conv.bias - norm.running_mean) * scale + norm.bias)
        parent, name = parent_name(node.args[0].target)
        setattr(modules[parent], name, folded)
        node.replace_all_uses_with(node.args[0])
        model.graph.erase_node(node)
    model.recompile()
    return model.code, plain(model(torch.ones(2, 1, 8, 8)))


@program
def insert_profiling():
    traced = symbolic_trace(Nested())
    for node in list(traced.graph.nodes):
        if node.op == "call_module" and isinstance(traced.get_submodule(node.target), nn.ReLU):
            with traced.graph.inserting_after(node):
                new = traced.graph.call_function(F.hardtanh, (node.args[0],), {"min_val": 0.0})
                node.replace_all_uses_with(new)
            traced.graph.erase_node(node)
    traced.graph.lint()
    traced.recompile()
    return traced.code


@program
def asserts():
    class Asserting(Tracer):
        trace_asserts = True

    def function(x):
        assert x.sum() == 0
        return x + 1

    def with_text(x):
        assert x.sum() == 0, "text"
        return x + 1

    return [message(lambda: symbolic_trace(f)) for f in (function, with_text)], Asserting.trace_asserts


@program
def stack_traces():
    class Recording(Tracer):
        record_stack_traces = True

    def function(x):
        return torch.relu(x) + 1

    return ["return torch.relu(x) + 1" in (n.stack_trace or "") for n in Recording().trace(function).nodes]


@program
def immutable():
    from torch.fx.immutable_collections import immutable_dict, immutable_list

    items, table = immutable_list([1, 2]), immutable_dict(a=1)
    return (repr(items), repr(table), items == [1, 2], message(lambda: items.append(3)), message(items.clear),
            message(lambda: table.__setitem__("a", 1)), message(table.clear), pickle.loads(pickle.dumps(items)),
            type(pickle.loads(pickle.dumps(table))).__name__)  # fmt: skip


@program
def mapped_arguments():
    from torch.fx.node import map_aggregate, map_arg

    graph = Graph()
    x = graph.placeholder("x")
    args = (x, [1, x], {"k": (x, slice(x, None))})
    return repr(map_arg(args, lambda n: n.name + "!")), repr(map_aggregate(args, str)), repr(torch.fx.map_arg(x, str))
