"""torch.jit.trace: a function or module becomes the graph of the operators that it called once."""

import inspect
import os
import re
import types
import warnings
from collections import OrderedDict

from assay import _engine as _C
from .. import _jit_internal
from .._tensor import Tensor
from .._tracer_warning import TracerWarning, warn_of_trace
from ..nn import Module
from ..random import get_rng_state, set_rng_state
from ..utils._pytree import tree_flatten, tree_unflatten
from . import _escapes, _numbers, _state
from ._functions import Method, ScriptFunction
from ._script_module import RecursiveScriptModule, ScriptModule, as_compiled

_torch_folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# While a module is traced: the path of each of its submodules ("__module.layer1.conv").
_trace_module_map = None

_most_nodes = _C.Tracer.default_most_nodes


def set_trace_limit(nodes):
    """How many nodes a trace may record before it is given up, for a loop that never ends; gives what the
    limit was. PyTorch has none."""
    global _most_nodes
    before, _most_nodes = _most_nodes, int(nodes)
    return before


class TracingCheckError(Exception):
    """A trace and what was traced differ."""

    def __init__(self, graph_diff_error, tensor_compare_error, extra_msg=None):
        found = [text for text in (extra_msg, graph_diff_error, tensor_compare_error) if text is not None]
        self.message = "\n".join(["a second trace is unlike the first", *found, ""])
        super().__init__(self.message)


def is_tracing():
    """Whether a trace is being recorded."""
    return _C._get_tracing_state() is not None


_MEANING = {
    "bool": "Converting a tensor to a Python boolean",
    "int": "Converting a tensor to a Python integer",
    "float": "Converting a tensor to a Python float",
    "complex": "Converting a tensor to a Python complex number",
    "index": "Converting a tensor to a Python index",
    "item": "Converting a tensor to a Python number",
    "len": "Using len to get a tensor's size",
}


class _Guide:
    """What the tracer asks of Python."""

    def __init__(self):
        self.tracer = None
        self._made = {}  # What left as Python's own number, by its expression.

    def warn(self, message):
        warn_of_trace(message)

    def iterates(self, expression, count):
        self.tracer.leave(expression, count, "iter")
        self.warn("Iterating over a tensor takes its length out of the trace: the loop turns as often as in this run "
                  f"({expression} is {count} now), whatever the input.")

    def left(self, how, value, expression):
        """A value leaves the graph: what Python gets."""
        # bool, int, float and index give Python's own numbers, whatever they are given; of int() and
        # float() the number is heard of again (computed).
        made = value
        if how in ("item", "index", "int", "float"):
            made = self._made[expression] = _numbers.leave(value, expression, self.tracer, how)
        if how != "index":  # PyTorch, too, lets range(x.size(0)) pass without a word.
            meaning = "Converting a tensor to a Python list" if isinstance(value, list) else _MEANING[how]
            self.warn(f"{meaning} takes it out of the trace: what depends on it is fixed as it is in this run "
                      f"({expression} is {value!r} now), and may be wrong for other inputs.")
        return made if how == "item" else value

    def computed(self, function, arguments, value):
        return _numbers.computed(function, arguments, value, self.tracer, self._made)

    def computed_from(self, number):
        expression, _, origins = number._from
        return expression, list(origins)


def _argument_names(function):
    """What the inputs of a trace are called: nothing where some arguments have no name of their own (`**more`)."""
    bound = type(function) is types.MethodType
    plain = function.__func__ if bound else function
    if type(plain) is types.FunctionType and not plain.__dict__:  # inspect has nothing to add.
        code = plain.__code__
        if code.co_posonlyargcount or code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
            return []
        return code.co_varnames[bound:code.co_argcount]
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    named = all(parameter.kind == parameter.POSITIONAL_OR_KEYWORD for parameter in parameters)
    return [parameter.name for parameter in parameters] if named else []


def _qualified(obj):
    name = _jit_internal._qualified_name(obj)
    return name.replace("__torch__.assay.torch.", "__torch__.torch.")


def _as_tuple(inputs):
    if isinstance(inputs, tuple):
        return inputs
    return tuple(inputs) if isinstance(inputs, list) else (inputs,)


def _container_type(value):
    """How the tracer is told what a container holds; "" where it sees that itself."""
    if isinstance(value, dict):
        inner = {_container_type(item) or "Tensor" for item in value.values()}
        keys = {"Tensor" if isinstance(key, Tensor) else type(key).__name__ for key in value}
        if len(inner) != 1 or len(keys) != 1:
            raise RuntimeError("a dict that is traced must have entries, with keys of one type and values of one type")
        return f"Dict[{keys.pop()}, {inner.pop()}]"
    if isinstance(value, list):
        inner = {_container_type(item) or "Tensor" for item in value} or {"Tensor"}
        if len(inner) != 1:
            raise RuntimeError("a list that is traced must have items of one type")
        return f"List[{inner.pop()}]"
    if isinstance(value, tuple) and any(isinstance(item, (dict, list, tuple)) for item in value):
        return "Tuple[" + ", ".join(_container_type(item) or "Tensor" for item in value) + "]"
    if isinstance(value, tuple) and value:
        return "Tuple[" + ", ".join("Tensor" for _ in value) + "]"
    return ""


def _record(function, inputs, strict, names, module=None):
    """Runs the function once while a tracer listens; gives the tracer. `module`: its object, where it is a
    method of one."""
    guide = _Guide()
    tracer = _C.Tracer(guide, _torch_folder, strict, _most_nodes)
    guide.tracer = tracer
    if module is not None:
        tracer.trace_module(module)
    if len(names) < len(inputs):
        names = [""] * len(inputs)
    arguments = [tracer.input(value, name, _container_type(value)) for name, value in zip(names, inputs)]
    owner = function if isinstance(function, Module) else getattr(function, "__self__", None)
    tracer.start()
    try:
        with _escapes.told(tracer, _paths_of(owner)):
            result = function(*arguments)
        if result is None:
            raise RuntimeError("The traced function returned nothing. What it does besides is not in a trace, "
                               "so that the trace would be empty: return a tensor.")
        _check_output(result)
        tracer.output(result, _container_type(result))
        del result  # It need not be computed.
    finally:
        tracer.stop()
        guide.tracer = None  # Two that know each other would stay for ever, with all that was computed.
    return tracer


def _check_output(result):
    """Raises for what no trace can give back."""
    if isinstance(result, dict):
        result = list(result.values())
    if isinstance(result, (list, tuple)):
        for item in result:
            _check_output(item)
    elif not (result is None or isinstance(result, (Tensor, RecursiveScriptModule))):
        raise RuntimeError("Only tensors, None, and (possibly nested) tuples, lists and dicts of them can be output from traced "
                           f"functions, but one is of type {type(result).__name__}: return it as a tensor")


class TracedModule(RecursiveScriptModule):
    """A module whose methods were recorded. A campaign makes one in every case: what every module keeps about
    itself, and wrappers of its submodules, are made when something of it is asked for."""

    def __init__(self, cpp_module):
        own = self.__dict__
        own["_c"], own["_ready"] = cpp_module, True

    def _fill(self):
        """Makes what was put off."""
        super().__init__(self._c)
        own = self.__dict__
        own["_modules"] = OrderedDict((name, TracedModule(child)) for name, child in self._c.submodules())
        own["_ready"] = True

    def _registry(self, attribute):
        getattr(self, attribute)
        return super()._registry(attribute)

    @property
    def forward(self):
        """Made at each look: a module and a method that know each other would wait for the collector."""
        if not self._c.has_method("forward"):
            raise AttributeError(f"module '{self.original_name}' was traced without forward")
        return Method(self, "forward")

    def __getattr__(self, name):
        own = self.__dict__
        if "_c" in own and "_modules" not in own:
            self._fill()
            if name in own:
                return own[name]
        return super().__getattr__(name)

    def _get_name(self):
        return self.original_name


class TopLevelTracedModule(TracedModule):
    """What torch.jit.trace gives for a module."""

    def extra_repr(self):
        return f"original_name={self.original_name}"


def _traced_object(module):
    """The engine's object with a module's parameters, buffers and submodules."""
    module = as_compiled(module)
    if isinstance(module, RecursiveScriptModule):
        return module._c
    return _C.traced_object(module, RecursiveScriptModule, _qualified)


def _paths_of(owner):
    """The path of each module whose attributes a trace may see change: of the traced one, or of that whose method
    is traced by itself."""
    if not isinstance(owner, Module):
        return {}
    below = _C.module_paths(owner) if _trace_module_map is None else _trace_module_map
    return {owner: "__module", **below}


def trace(func, example_inputs, optimize=None, check_trace=True, check_inputs=None, check_tolerance=1e-5,
          strict=True, _force_outplace=False, _module_class=None, _compilation_unit=None):
    """Runs a function or module once on example inputs and records the operators that it calls.

    What Python decides meanwhile (branches, loops, numbers) is fixed as it was in this run. With
    `check_trace` it is traced once more, on `check_inputs` too, and graphs and results are compared.
    """
    if not _state.enabled():
        return func
    if optimize is not None:
        warnings.warn("torch.jit.trace ignores `optimize`: torch.jit.optimized_execution() decides that")
    if isinstance(func, ScriptModule):
        warnings.warn("torch.jit.trace gives this module back as it is: it is compiled already")
        return func
    if isinstance(func, Module):
        return trace_module(func, {"forward": example_inputs}, None, check_trace,
                            [{"forward": inputs} for inputs in check_inputs] if check_inputs else None,
                            check_tolerance, strict)
    if isinstance(getattr(func, "__self__", None), Module) and func.__name__ == "forward":
        return trace(func.__self__, example_inputs, optimize, check_trace, check_inputs, check_tolerance, strict)
    inputs = _as_tuple(example_inputs)
    if not hasattr(func, "__name__"):
        name = _jit_internal._qualified_name(type(func).__call__)
    else:
        name = _qualified(func)
    tracer = _record(func, inputs, strict, _argument_names(func))
    traced = ScriptFunction(_C.compiled_function(tracer.finish_function(name)))
    traced._origins = tracer.origins
    if check_trace:
        for each in check_inputs or [example_inputs]:
            _check(func, traced, _as_tuple(each), strict, check_tolerance)
    return traced


def _get_trace_graph(f, args=(), kwargs=None, strict=True, _force_outplace=False, return_inputs=False,
                     _return_inputs_states=False):
    """The graph of one run of a module or function, and what it gave: parameters and buffers are inputs of the graph,
    behind the others. What counts operators or draws networks asks for it."""
    given, form = tree_flatten(_as_tuple(args))
    state = list({id(value): value for value in f.state_dict(keep_vars=True).values()}.values())
    results = []

    def run(*values):
        results.append(f(*tree_unflatten(list(values[:len(given)]), form), **(kwargs or {})))
        leaves = [leaf for leaf in tree_flatten(results[0])[0] if isinstance(leaf, Tensor)]
        return leaves[0] if len(leaves) == 1 else tuple(leaves)

    tracer = _record(run, [*given, *state], strict, [])
    graph = ScriptFunction(_C.compiled_function(tracer.finish_function("graph"))).graph
    return (graph, results[0], tuple(given)) if return_inputs or _return_inputs_states else (graph, results[0])


def trace_module(mod, inputs, optimize=None, check_trace=True, check_inputs=None, check_tolerance=1e-5,
                 strict=True, _force_outplace=False, _module_class=None, _compilation_unit=None):
    """As trace, for several methods of a module: `inputs` has the example inputs of each by name."""
    global _trace_module_map
    if not _state.enabled():
        return mod
    if not isinstance(mod, Module):
        raise AttributeError(f"trace_module takes a Module, not a {type(mod).__name__}")
    if not isinstance(inputs, dict):
        raise AttributeError(f"inputs must be a dict by names of methods, not a {type(inputs).__name__}")
    before = _trace_module_map
    try:
        _trace_module_map = _C.module_paths(mod)
        compiled = _traced_object(mod)
        origins = {}
        traced = None
        for method, example in inputs.items():
            forward = method == "forward"
            function = mod if forward else getattr(mod, method)
            names = _argument_names(mod.forward if forward else function)
            tracer = _record(function, _as_tuple(example), strict, names, compiled)
            tracer.finish_method(compiled, method)
            origins[method] = tracer.origins
        traced = TopLevelTracedModule(compiled)
        traced.__dict__["_origins"] = origins.get("forward") or next(iter(origins.values()), "")
        if check_trace:
            for each in check_inputs or [inputs]:
                for method, example in each.items():
                    _check_module(mod, traced, method, _as_tuple(example), strict, check_tolerance)
        return traced
    finally:
        _trace_module_map = before


# Checks: the same is traced again, and graphs and results are compared.


def _cloned(value):
    if isinstance(value, Tensor):
        made = value.detach().clone()
        if value.requires_grad:
            made.requires_grad_()
        return made
    if isinstance(value, dict):
        return type(value)((key, _cloned(item)) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        items = [_cloned(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value


def _tensors(value):
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return []
    return [tensor for item in value for tensor in _tensors(item)]


def _check(func, traced, inputs, strict, tolerance):
    again = _record(func, _cloned(inputs), strict, _argument_names(func))
    graph = _C.compiled_function(again.finish_function("__torch__.check")).graph
    _compare(func, traced, inputs, tolerance, traced.graph, graph)


def _check_module(mod, traced, method, inputs, strict, tolerance):
    compiled = _traced_object(mod)
    forward = method == "forward"
    function = mod if forward else getattr(mod, method)
    names = _argument_names(mod.forward if forward else function)
    state = {name: value.clone() for name, value in mod.state_dict().items()}
    tracer = _record(function, _cloned(inputs), strict, names, compiled)
    tracer.finish_method(compiled, method)
    _compare(function, traced if forward else getattr(traced, method), inputs, tolerance,
             traced._c.inlined_graph(method), compiled.inlined_graph(method))
    mod.load_state_dict(state)


def _canonical(graph):
    """Without what differs between two traces of one program: names of classes, sizes, places and ids."""
    text = re.sub(r"___torch_mangle_\d+\.", "", str(graph))
    text = re.sub(r"\b[A-Z]\w+\([^()]*device=[^()]*\)", "Tensor", text)  # Checks may have inputs of other sizes.
    return re.sub(r"(, scope: \S+)?( # \S+)?$", "", text, flags=re.M)


def _results(program, inputs, random_state):
    set_rng_state(random_state)
    return _tensors(program(*_cloned(inputs)))


def _compare(func, traced, inputs, tolerance, graph, other_graph):
    """Raises if two traces differ; warns if the trace gives other results than what was traced."""
    random_state = get_rng_state()
    try:
        expected = _results(func, inputs, random_state)
        same = all(_close(wanted, have, tolerance)
                   for wanted, have in zip(expected, _results(traced, inputs, random_state)))
    finally:
        set_rng_state(random_state)
    tensor_error = None
    if not same:
        tensor_error = ("ERROR: The trace gives other results than what was traced: it may keep state, draw random "
                        "numbers, or depend on what Python decided.")
        warnings.warn(tensor_error, category=TracerWarning, stacklevel=4)
    if _canonical(graph) != _canonical(other_graph):
        raise TracingCheckError("ERROR: two traces, different graphs:\n" + _difference(graph, other_graph),
                                tensor_error)


def _difference(graph, other):
    import difflib
    return "\n".join(difflib.unified_diff(_canonical(graph).splitlines(), _canonical(other).splitlines(),
                                          "first trace", "second trace", lineterm=""))


def _close(wanted, have, tolerance):
    if wanted.shape != have.shape or wanted.dtype != have.dtype:
        return False
    if wanted.is_floating_point() or wanted.is_complex():
        return bool(wanted.detach().isclose(have.detach(), rtol=tolerance, atol=tolerance, equal_nan=True).all())
    return bool((wanted == have).all())
