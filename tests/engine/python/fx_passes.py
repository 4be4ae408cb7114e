"""Programs over torch.fx's passes, operator_schemas and experimental parts. Run beside either torch; fx_test.py compares."""

import copy
import operator

import torch
import torch.fx
import torch.nn as nn
import torch.nn.functional as F
from torch.fx import Graph, Transformer, symbolic_trace, subgraph_rewriter
from torch.fx.experimental import const_fold, merge_matmul, meta_tracer, optimization
from torch.fx.experimental.normalize import NormalizeArgs, NormalizeOperators
from torch.fx.experimental.rewriter import RewritingTracer
from torch.fx.operator_schemas import create_type_hint, normalize_function, normalize_module, type_matches
from torch.fx.passes import graph_manipulation, split_utils
from torch.fx.passes.dialect.common.cse_pass import CSEPass
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.infra.pass_manager import PassManager, PassResult, this_before_that_pass_constraint
from torch.fx.passes.operator_support import OperatorSupport
from torch.fx.passes.param_fetch import lift_lowering_attrs_to_nodes
from torch.fx.passes.shape_prop import ShapeProp
from torch.fx.passes.tools_common import get_node_target, legalize_graph
from torch.fx.passes.utils import compare_graphs
from torch.fx.passes.utils.matcher_utils import SubgraphMatcher

from fx_cases import Convolutions, fill, plain, x23
from fx_programs import message, program


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)
        self.drop, self.last = nn.Dropout(0.5), nn.Conv2d(4, 2, 1)
        self.scale = nn.Parameter(torch.ones(2, 1, 1))

    def forward(self, x):
        return self.last(self.drop(F.relu(self.norm(self.first(x))))) * (self.scale + self.scale)


def layers():
    return fill(Layers()).eval()


def image():
    return torch.arange(75.0).reshape(1, 3, 5, 5) / 75


@program
def fused_for_inference():
    model = layers()
    fused = optimization.fuse(model)
    rest = optimization.remove_dropout(fused)
    near = torch.allclose(rest(image()), model(image()), atol=1e-5)
    return fused.code, rest.code, near, str(type(model.norm).__name__)


@program
def constants_folded():
    folded = const_fold.split_const_subgraphs(layers())
    before = folded.has_folding_been_run
    near = torch.allclose(folded(image()), layers()(image()))
    return folded.code, folded.const_subgraph_module.code, before, folded.has_folding_been_run, near


@program
def products_merged():
    def function(a, b, c):
        return torch.matmul(a, c) + 1, torch.matmul(b, c)

    class Products(nn.Module):
        def forward(self, a, b, c):
            return function(a, b, c)

    merged = merge_matmul.merge_matmul(Products())
    return merged.code, plain(merged(x23(), x23() + 1, torch.ones(3, 2)))


@program
def calls_normalized():
    traced = symbolic_trace(layers())
    ShapeProp(traced).propagate(image())
    named = NormalizeArgs(traced).transform()

    def function(x, y):
        return torch.add(x, y) * torch.mul(x, 2) - torch.sub(y, x)

    return named.code, NormalizeOperators(symbolic_trace(function)).transform().code


@program
def arguments_normalized():
    model = layers()
    pairs = [
        normalize_function(F.softmax, (1,), {"dim": 2}, normalize_to_only_use_kwargs=True),
        normalize_function(F.dropout, (1, 0.25)),
        normalize_function(torch.flatten, (1, 2), {}, (torch.Tensor, int), {}, True),
        normalize_module(model, "first", (7,), normalize_to_only_use_kwargs=True),
    ]
    refused = message(lambda: normalize_module(model, "nothing", (7,)))
    return [str(pair) for pair in pairs], refused


@program
def types_of_arguments():
    from typing import List, Optional

    hints = [create_type_hint([int, int]), create_type_hint((int, float)), create_type_hint([]), create_type_hint(int)]
    matches = [type_matches(List[int], int), type_matches(List[int], create_type_hint((int, int))),
               type_matches(Optional[float], float), type_matches(float, str), type_matches(int, bool)]
    return [str(hint) for hint in hints], matches


@program
def asserts_rewritten():
    class Asserting(nn.Module):
        def forward(self, x, y: int):
            assert y == 3, "three"
            return x + y

    tracer = RewritingTracer()
    return [(n.op, str(n.target).split(" at ")[0], str(n.args)) for n in tracer.trace(Asserting()).nodes]


@program
def traced_with_shapes():
    class Positions(nn.Module):
        def forward(self, x):
            n = x.shape[1]
            return x + torch.arange(n) if n > 2 else x

    traced = meta_tracer.symbolic_trace(Positions(), {"x": torch.empty(2, 3, device="meta")})
    return traced.code, plain(traced(x23()))


@program
def same_computed_once():
    def function(x):
        a, b = x.cos() + 1, x.cos() + 1
        return a + b, x.sum(dim=[0, 1]), x.sum(dim=[0, 1]), x.sum(dim=1)

    result = CSEPass()(symbolic_trace(function))
    again = CSEPass()(result.graph_module)
    return result.graph_module.code, result.modified, again.modified


@program
def split_by_tags():
    traced = symbolic_trace(layers())
    for node in traced.graph.nodes:
        node.tag = "early" if node.name in ("first", "norm", "relu") else "late"
    split = split_utils.split_by_tags(traced, ["early", "late"])
    near = torch.allclose(split(image()), layers()(image()))
    return split.code, split.early.code, split.late.code, near


class Additions(OperatorSupport):
    def is_node_supported(self, submodules, node):
        return node.op == "call_function" and node.target is operator.add


@program
def partitioned():
    def function(a, b):
        c = a + b
        d = c + 1
        e = d.relu()
        return e + d + c

    traced = symbolic_trace(function)
    partitioner = CapabilityBasedPartitioner(traced, Additions(), allows_single_node_partition=True)
    parts = [sorted(node.name for node in part.nodes) for part in partitioner.propose_partitions()]
    fused = partitioner.partition_and_fuse()
    return parts, fused.code, plain(fused(x23(), x23()))


@program
def passes_in_order():
    def to_mul(gm):
        for node in gm.graph.nodes:
            if node.target is torch.add:
                node.target = torch.mul
        return PassResult(gm, False)

    def to_sub(gm):
        for node in gm.graph.nodes:
            if node.target is torch.mul:
                node.target = torch.sub
        return PassResult(gm, False)

    manager = PassManager([to_sub, to_mul], [this_before_that_pass_constraint(to_mul, to_sub)])
    wrong = message(manager.validate_constraints)
    result = manager(symbolic_trace(lambda x: torch.add(x, x)))
    circle = PassManager([to_sub, to_mul], [this_before_that_pass_constraint(to_mul, to_sub),
                                            this_before_that_pass_constraint(to_sub, to_mul)])
    return wrong, result.graph_module.code, message(circle.solve_constraints)


@program
def patterns_matched():
    def function(x):
        y = torch.relu(x)
        return torch.neg(y) + y, torch.neg(torch.relu(y))

    def pattern(x):
        return torch.neg(torch.relu(x))

    traced, wanted = symbolic_trace(function), symbolic_trace(pattern)
    found = SubgraphMatcher(wanted.graph).match(traced.graph)
    places = [[str(node) for node in match.returning_nodes] for match in found]
    return places, compare_graphs(wanted.graph, copy.deepcopy(wanted.graph)), compare_graphs(wanted.graph, traced.graph)


@program
def replaced_by_modules():
    class Replacement(nn.Module):
        def __init__(self):
            super().__init__()
            self.twice = nn.Linear(3, 3)

        def forward(self, x):
            return self.twice(x)

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.act = nn.ReLU()

        def forward(self, x):
            return torch.neg(x) + 1

    traced = symbolic_trace(Model())
    matches = subgraph_rewriter.replace_pattern(traced, lambda x: torch.neg(x), fill(Replacement()))
    return len(matches), traced.code, plain(traced(x23())), [name for name, _ in traced.named_modules()]


@program
def told_of_nodes():
    traced = symbolic_trace(layers())
    graph_manipulation.get_size_of_all_nodes(traced, [image()])
    sizes = [tuple(node.size_bytes) for node in traced.graph.nodes if node.op != "output"]
    modules = dict(traced.named_modules())
    kinds = ("call_module", "call_function", "call_method")
    return sizes, [get_node_target(modules, node) for node in traced.graph.nodes if node.op in kinds]


@program
def attributes_of_layers():
    class One(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer, self.act = nn.Linear(3, 2), nn.ReLU()

        def forward(self, x):
            return self.act(self.layer(x))

    traced = symbolic_trace(One())
    lift_lowering_attrs_to_nodes(traced)
    found = [sorted(n.attrs_for_lowering) for n in traced.graph.nodes if n.op == "call_module"]
    return found, message(lambda: lift_lowering_attrs_to_nodes(symbolic_trace(layers())))


@program
def order_restored():
    graph = Graph()
    x = graph.placeholder("x")
    last = graph.call_function(torch.neg, (x,))
    with graph.inserting_before(last):
        pass
    first = graph.call_function(torch.relu, (x,))
    last.args = (first,)
    graph.output(last)
    module = torch.fx.GraphModule(nn.Module(), graph)
    wrong = message(graph.lint)
    return wrong, legalize_graph(module).code


@program
def lines_kept_by_transformers():
    tracer = torch.fx.Tracer()
    tracer.record_stack_traces = True
    model = fill(Convolutions())
    traced = torch.fx.GraphModule(model, tracer.trace(model))
    made = Transformer(traced).transform()
    return [n.stack_trace is not None for n in made.graph.nodes if n.op.startswith("call")]
