"""Tracing of programs whose source is changed first, where tracing would lose what it says."""

import ast
import copy
import inspect
import types

from ..._package import torch
from .._symbolic_trace import Tracer


class AST_Rewriter(ast.NodeTransformer):
    """Makes a function of another's changed source: `assert` becomes a call of torch._assert, and an
    annotated assignment one of `annotate`."""

    def rewrite(self, fn):
        function = getattr(fn, "__func__", fn)
        lines = inspect.getsourcelines(function)[0]
        margin = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
        # Lines within a text that spans several may stand further left.
        source = "".join(line.removeprefix(margin) for line in lines)
        tree = ast.fix_missing_locations(self.visit(ast.parse(source)))
        namespace = dict(function.__globals__)
        before = set(namespace)
        exec(compile(tree, "<rewritten %s>" % function.__qualname__, "exec"), namespace)
        (name,) = set(namespace) - before or {function.__name__}
        return _with_globals_of(namespace[name], function)

    def visit_Assert(self, node):
        call = ast.parse("torch._assert()", mode="eval").body
        call.args = [node.test, node.msg or ast.Constant(value="")]
        return ast.copy_location(ast.Expr(value=call), node)

    def visit_AnnAssign(self, node):
        if node.value is None:
            return node
        call = ast.Call(func=ast.Name(id="annotate", ctx=ast.Load()), args=[node.value, node.annotation], keywords=[])
        return ast.copy_location(ast.Assign(targets=[node.target], value=call), node)


def _with_globals_of(made, function):
    """The new function over the module of the old one, so that what changes there is seen."""
    result = types.FunctionType(
        made.__code__, function.__globals__, made.__name__, made.__defaults__, made.__closure__
    )
    result.__kwdefaults__ = copy.copy(made.__kwdefaults__)
    result.__dict__.update(function.__dict__)
    result.__annotations__ = dict(function.__annotations__)
    result.__qualname__, result.__doc__ = function.__qualname__, function.__doc__
    return result


class RewritingTracer(Tracer):
    """A Tracer of what the source says after AST_Rewriter."""

    def trace(self, root, concrete_args=None):
        return super().trace(_rewrite(root), concrete_args)


def _rewrite(fn):
    if not isinstance(fn, torch.nn.Module):
        return AST_Rewriter().rewrite(fn)

    class RewrittenModule(torch.nn.Module):
        forward = AST_Rewriter().rewrite(fn.forward)

    made = RewrittenModule()
    for name, value in vars(fn).items():
        made.__dict__[name] = _rewrite(value) if isinstance(value, torch.nn.Module) else copy.copy(value)
    return made
