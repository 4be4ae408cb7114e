"""Programs over torch.fx: each says what it saw. Run beside either torch; fx_test.py compares."""

import copy
import io
import operator
import pickle
import warnings

import torch
import torch.fx
import torch.nn as nn
import torch.nn.functional as F
from torch.fx import Graph, GraphModule, Interpreter, symbolic_trace

from fx_cases import Block, Convolutions, Nested, ParameterSum, fill, plain, x23

PROGRAMS = []


def program(function):
    PROGRAMS.append(function)
    return function


def message(function):
    """The error that a function raises: its type."""
    try:
        function()
    except Exception as error:
        return type(error).__name__
    return "no error"


def branching(x):
    return x if x.sum() > 0 else -x


def looping(x):
    total = 0
    for row in x:
        total = total + row
    return total


# -- What cannot be traced


@program
def control_flow():
    def conditions(x):
        return not x

    def range_of(x):
        return [i for i in range(x.size(0))]

    def whole(x):
        return int(x.sum())

    def item_assignment(x):
        x[0] = 1
        return x

    def length(x):
        return "a".join("b" for _ in range(x.__len__()))

    def contained(x):
        return 3 in x

    def absolute(x):
        return abs(x)

    return [message(lambda: symbolic_trace(f)) for f in
            (branching, looping, conditions, range_of, whole, item_assignment, length, contained, absolute)]  # fmt: skip


@program
def trace_errors_are_value_errors():
    from torch.fx.proxy import TraceError

    return issubclass(TraceError, ValueError), TraceError.__name__


@program
def foreign_values():
    class Foreign:
        pass

    def passes_object(x):
        return x.add(Foreign())

    def node_as_key(x):
        return {x: 1}

    class Orphan(nn.Module):
        def __init__(self):
            super().__init__()
            self.hidden = [nn.Linear(3, 3)]

        def forward(self, x):
            return self.hidden[0](x)

    class OrphanParameter(nn.Module):
        def __init__(self):
            super().__init__()
            self.hidden = [nn.Parameter(torch.ones(3))]

        def forward(self, x):
            return x + self.hidden[0]

    return [message(lambda: symbolic_trace(f)) for f in (passes_object, node_as_key, Orphan(), OrphanParameter())]


@program
def wrong_wrap():
    return message(lambda: torch.fx.wrap(3)), message(lambda: torch.fx.wrap("x23"))


@program
def wrong_arguments():
    traced = symbolic_trace(lambda x, y: x + y)
    return (message(lambda: symbolic_trace(lambda x, y: x, concrete_args=(1,))),
            message(lambda: traced(1)), message(lambda: GraphModule(3, traced.graph)),
            message(lambda: GraphModule({}, symbolic_trace(ParameterSum()).graph)))  # fmt: skip


# -- Graphs by hand


@program
def by_hand():
    graph = Graph()
    x = graph.placeholder("x")
    w = graph.placeholder("w", type_expr=torch.Tensor, default_value=2.0)
    y = graph.call_function(torch.add, (x, w), {"alpha": 2})
    z = graph.call_method("relu", (y,))
    with graph.inserting_before(z):
        neg = graph.call_function(torch.neg, args=(y,))
    with graph.inserting_after(y):
        graph.call_function(operator.mul, (y, 3))
    z.args = (neg,)
    graph.output((z, {"k": [y]}))
    graph.lint()
    module = GraphModule(nn.Module(), graph)
    return str(graph), module.code, plain(module(x23())), [str(n.users) for n in graph.nodes], len(graph.nodes)


@program
def from_dict():
    graph = Graph()
    x = graph.placeholder("x")
    a = graph.call_module("block.linear", (x,))
    b = graph.get_attr("block.scale")
    graph.output(graph.call_function(torch.mul, (a, b)))
    module = GraphModule({"block.linear": nn.Linear(3, 3), "block.scale": torch.tensor(2.0)}, graph, "Made")
    return module.code, sorted(module.state_dict()), type(module).__name__, repr(module)


@program
def names():
    graph = Graph()
    wanted = ["x", "x", "x_1", "1x", "a.b.0", "print", "class", "torch", "x_01", "inf", "_", "a-b", "self", "x_3"]
    return [graph.create_node("placeholder", name or "e", name=name).name for name in wanted] + [
        graph.call_function(f).name for f in (torch.relu, operator.add, operator.and_, F.relu, getattr, nn.Linear)
    ]


@program
def users_and_uses():
    traced = symbolic_trace(lambda x: torch.relu(x) + torch.relu(x).neg())
    nodes = {n.name: n for n in traced.graph.nodes}
    first, second = nodes["relu"], nodes["relu_1"]
    changed = second.replace_all_uses_with(first)
    traced.graph.erase_node(second)
    traced.graph.lint()
    traced.recompile()
    return ([n.name for n in changed], str(traced.graph), traced.code, [n.name for n in first.users],
            [n.name for n in nodes["add"].all_input_nodes], first.next.name, first.prev.name)  # fmt: skip


@program
def partial_replacement():
    traced = symbolic_trace(lambda x: (x + 1, x * 2, x - 3))
    x = next(iter(traced.graph.nodes))
    with traced.graph.inserting_after(x):
        new = traced.graph.call_function(torch.relu, (x,))
    changed = x.replace_all_uses_with(new, delete_user_cb=lambda n: n.target is operator.mul)
    traced.recompile()
    return [n.name for n in changed], traced.code


@program
def arguments_of_nodes():
    traced = symbolic_trace(lambda x: torch.sum(torch.cat([x, x]), dim=0, keepdim=True))
    cat, total = [n for n in traced.graph.nodes if n.op == "call_function"]
    total.update_kwarg("dim", 1)
    cat.update_arg(0, [cat.args[0][0]])
    refusals = [message(lambda: cat.args[0].append(1)), message(lambda: total.kwargs.update(a=1)),
                message(lambda: total.kwargs.pop("dim")), message(lambda: cat.args[0].__setitem__(0, 1))]  # fmt: skip
    return str(traced.graph), refusals, type(cat.args[0]).__name__, type(total.kwargs).__name__


@program
def moving():
    traced = symbolic_trace(lambda x: (x + 1, x * 2, x - 3))
    nodes = {n.name: n for n in traced.graph.nodes}
    nodes["add"].append(nodes["sub"])
    order = [n.name for n in traced.graph.nodes]
    nodes["add"].prepend(nodes["mul"])
    return order, [n.name for n in traced.graph.nodes], [n.name for n in reversed(traced.graph.nodes)]


@program
def erasing():
    traced = symbolic_trace(lambda x: x + 1)
    x, add, output = traced.graph.nodes
    refused = message(lambda: traced.graph.erase_node(add))
    traced.graph.erase_node(output)
    traced.graph.erase_node(add)
    return refused, str(traced.graph), [str(user) for user in x.users]


@program
def erased_in_a_loop():
    traced = symbolic_trace(lambda x: (x.relu() + 1).relu())
    for node in traced.graph.nodes:
        if node.target == "relu":
            node.replace_all_uses_with(node.args[0])
            traced.graph.erase_node(node)
    traced.recompile()
    return traced.code


@program
def lint_errors():
    late = symbolic_trace(lambda x: (x + 1).relu())
    nodes = list(late.graph.nodes)
    nodes[2].append(nodes[1])
    missing = symbolic_trace(ParameterSum())
    list(missing.graph.nodes)[-2].target = "nowhere"
    gone = symbolic_trace(Nested())
    gone.delete_submodule("blocks.0")
    foreign = symbolic_trace(lambda x: x + 1)
    node = list(foreign.graph.nodes)[1]
    node.args = (list(symbolic_trace(lambda y: y).graph.nodes)[0], 1)
    twice = symbolic_trace(lambda x: x + 1)
    list(twice.graph.nodes)[1].name = "x"
    return [message(m.graph.lint) for m in (late, missing, gone, foreign, twice)]


@program
def dead_code():
    def function(x):
        a = x + 1
        b = a * 2
        torch._assert(x.sum() == 0, "text")
        return x - 1

    traced = symbolic_trace(function)
    first, second = traced.graph.eliminate_dead_code(), traced.graph.eliminate_dead_code()
    traced.recompile()
    return first, second, traced.code


@program
def copies_of_graphs():
    traced = symbolic_trace(Block(3))
    copied = copy.deepcopy(traced.graph)
    other = Graph()
    values = {}
    result = other.graph_copy(traced.graph, values)
    other.output(result)
    third = Graph()
    x = third.placeholder("input")
    inlined = third.graph_copy(traced.graph, {next(iter(traced.graph.nodes)): third.call_function(torch.neg, (x,))})
    third.output(inlined)
    return str(copied), str(other), str(third), copied.owning_module is None, traced.graph.owning_module is traced


@program
def print_of_nodes():
    def function(x, k=(1, 2)):
        y = torch.stack([x, x], dim=0)[0, :, None]
        return {"a": y.view(1, *k) if False else y, "b": (x,)}, [slice(0, 1), None, "s"], torch.float32

    traced = symbolic_trace(function)
    return [n.format_node() for n in traced.graph.nodes], [repr(n) for n in traced.graph.nodes]


@program
def code_from_hands():
    graph = Graph()
    x = graph.placeholder("x")
    a = graph.call_function(operator.setitem, (x, 0, 5))
    b = graph.call_function(operator.iadd, (x, a))
    c = graph.call_function(operator.getitem, (b, (slice(None), 0)))
    d = graph.call_function(getattr, (c, "shape"))
    e = graph.call_function(getattr, (c, "odd name"))
    f = graph.call_module("blocks.0.lin-ear", (d,), {"y": e})
    g = graph.call_function(len, (f,))
    h = graph.call_function(isinstance, (g, int))
    k = graph.call_function(float, (h,), type_expr=float)
    graph.output(k, type_expr=float)
    return graph.python_code("self").src, str(graph), sorted(graph.python_code("self").globals)


@program
def code_hooks():
    traced = symbolic_trace(lambda x: x + 1)

    def make(before):
        return lambda body: ["print('called')\n"] + (before(body) if before else body)

    with traced.graph.on_generate_code(make):
        traced.recompile()
        inside = traced.code
    traced.recompile()
    return inside, traced.code


@program
def own_codegen():
    class ListCodeGen(torch.fx.graph.CodeGen):
        def gen_fn_def(self, free_vars, maybe_return_annotation):
            return "def forward(self, args_list)%s:\n    %s = args_list" % (maybe_return_annotation, ", ".join(free_vars))

        def process_inputs(self, *inputs):
            return inputs[0]

    traced = symbolic_trace(lambda a, b: a + b)
    traced.graph.set_codegen(ListCodeGen())
    traced.recompile()
    return traced.code, traced([1, 2]), Interpreter(traced).run([3, 4])


# -- Modules


@program
def submodules():
    traced = symbolic_trace(Nested())
    added = traced.add_submodule("extra.deep.linear", nn.Linear(2, 2))
    names_before = [name for name, _ in traced.named_modules()]
    removed = traced.delete_submodule("blocks.1.0"), traced.delete_submodule("blocks.9")
    traced.delete_all_unused_submodules()
    return added, names_before, removed, [name for name, _ in traced.named_modules()], repr(traced)


@program
def pickles():
    found = []
    for module in (fill(ParameterSum()), fill(Convolutions())):
        traced = symbolic_trace(module)
        again = pickle.loads(pickle.dumps(traced))
        found.append([again.code, str(again.graph), type(again).__name__, sorted(again.state_dict())])
        found.append(again.code == traced.code)
    return found


@program
def deep_copies():
    traced = symbolic_trace(fill(ParameterSum()))
    copied, shallow = copy.deepcopy(traced), copy.copy(traced)
    with torch.no_grad():
        traced.param.add_(1)
    return (copied.code == traced.code, plain(copied.param), plain(shallow.param), copied.graph is traced.graph,
            type(copied).__name__, copied.training, plain(copied(x23())))  # fmt: skip


@program
def graph_module_facts():
    traced = symbolic_trace(fill(Convolutions()))
    return ([name for name, _ in traced.named_parameters()], [name for name, _ in traced.named_buffers()],
            traced.training, isinstance(traced, GraphModule), isinstance(traced, nn.Module), type(traced).__name__,
            [name for name, _ in traced.named_children()])  # fmt: skip


@program
def saved_and_loaded():
    traced = symbolic_trace(fill(ParameterSum()))
    buffer = io.BytesIO()
    torch.save(traced.state_dict(), buffer)
    buffer.seek(0)
    other = symbolic_trace(ParameterSum())
    other.load_state_dict(torch.load(buffer))
    return plain(other(x23())) == plain(traced(x23()))


@program
def traced_again():
    once = symbolic_trace(fill(Convolutions()))
    twice = symbolic_trace(once)
    return twice.code == once.code, twice.code


class Indices(torch.nn.Module):
    def forward(self, x):
        return x[:, 1:3], x[..., None, ::2], x[slice(0, 2)], x[1:], x[:, -1], x[None], x[(slice(0, 2), None)]


@program
def scripted_indices():
    traced = symbolic_trace(Indices())
    compiled = torch.jit.script(traced)
    return traced.code, plain(compiled(torch.arange(12.0).view(3, 4)))


@program
def forward_source():
    import inspect

    return inspect.getsource(symbolic_trace(lambda x: x + 1).forward)


def answers():
    found = {}
    for run in PROGRAMS:
        torch.manual_seed(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                found[run.__name__] = run()
            except Exception as error:
                found[run.__name__] = "%s: %s" % (type(error).__name__, error)
    return found
