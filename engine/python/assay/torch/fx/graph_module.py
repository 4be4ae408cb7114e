"""A module whose forward is the code of a graph."""

import contextlib
import copy
import itertools
import linecache
import os
import sys
import traceback

from .._package import torch
from ._names import PRESENT, ROOT_NAME, is_from_torch
from ._names import module_of
from .graph import Graph, _PyTreeCodeGen

__all__ = ["reduce_graph_module", "reduce_package_graph_module", "GraphModule"]

_sources = itertools.count()


def _exec_with_source(src, namespace):
    """Runs a source, which stays readable for tracebacks and `inspect.getsource`."""
    name = "<eval_with_key>.%d" % next(_sources)
    linecache.cache[name] = (len(src), None, src.splitlines(True), name)
    exec(compile(src, name, "exec"), namespace)


def _forward_from_src(src, namespace):
    namespace = dict(namespace)
    _exec_with_source(src, namespace)
    return namespace["forward"]


def _import_statement(name, value):
    """The statement that brings a global of generated code to where it is loaded again."""
    if name in PRESENT:
        return PRESENT[name][0]
    if is_from_torch(value):
        return "import torch"
    return "from %s import %s as %s" % (module_of(value), value.__qualname__, name)


def _import_block(namespace):
    return "\n".join(sorted({_import_statement(name, value) for name, value in namespace.items()}))


def _copy_attr(source, target, path):
    """Gives `target` what `source` has at the path, with modules on the way."""
    *prefix, name = path.split(".")
    for part in prefix:
        inner, own = getattr(source, part), getattr(target, part, None)
        if inner is own:
            return
        if own is None:
            own = torch.nn.Module()
            setattr(target, part, own)
        source, target = inner, own
    value = getattr(source, name)
    if isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter):
        target.register_buffer(name, value)
    else:
        setattr(target, name, value)


def _assign_attr(value, target, path):
    *prefix, name = path.split(".")
    for part in prefix:
        inner = getattr(target, part, None)
        if inner is None:
            inner = torch.nn.Module()
            setattr(target, part, inner)
        target = inner
    if isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter):
        target.register_buffer(name, value)
    else:
        setattr(target, name, value)


default_tracer = None  # The class that traces where a module does not say which; _symbolic_trace sets it.


class _CodeOnlyModule(torch.nn.Module):
    """What a pickled GraphModule is before its code is traced again."""

    def __init__(self, body):
        super().__init__()
        self.__dict__ = body


def _from_code(forward, body):
    """A GraphModule from its code and its attributes: the code is traced, every module in it a leaf."""
    tracer_cls = body.get("_tracer_cls") or default_tracer
    _CodeOnlyModule.forward = forward

    class EveryModuleALeaf(tracer_cls):
        def is_leaf_module(self, m, module_qualified_name):
            return True

    module = _CodeOnlyModule(body)
    graph = EveryModuleALeaf().trace(module, **(body.get("_tracer_extras") or {}))
    graph._tracer_cls = tracer_cls
    made = GraphModule(module, graph)
    for name, value in body.items():
        if not hasattr(made, name):
            setattr(made, name, value)
    return made


def reduce_graph_module(body, import_block):
    """Makes a GraphModule of what a pickle has of it."""
    source = body.get("_code") or body["code"]
    return _from_code(_forward_from_src(import_block + source, {}), body)


def reduce_package_graph_module(importer, body, generated_module_name):
    return _from_code(importer.import_module(generated_module_name).forward, body)


class GraphModule(torch.nn.Module):
    """A module with a graph. Assigning `graph` makes new code; after a change of the graph in place
    `recompile` does."""

    __jit_unused_properties__ = ["graph", "code"]  # Of no use to scripted code.

    def __new__(cls, *args, **kwargs):
        # Each has a class, as each has a forward.
        for base in cls.__mro__:
            if not base.__qualname__.endswith("<locals>.GraphModuleImpl"):
                cls = base
                break

        class GraphModuleImpl(cls):
            pass

        return super().__new__(GraphModuleImpl)

    def __init__(self, root, graph, class_name="GraphModule"):
        """`root` has the parameters and submodules that the graph names: a module, or a dict of them by
        path."""
        super().__init__()
        type(self).__name__ = class_name
        paths = [node.target for node in graph.nodes if node.op in ("get_attr", "call_module")]
        if isinstance(root, torch.nn.Module):
            if hasattr(root, "training"):
                self.training = root.training
            for path in paths:
                _copy_attr(root, self, path)
        elif isinstance(root, dict):
            for path in paths:
                if path not in root:
                    raise RuntimeError("the graph refers to %s, but root has no such entry" % path)
            # Modules before what is inside of them.
            for path in sorted(set(paths), key=lambda path: path.count(".")):
                _assign_attr(root[path], self, path)
        else:
            raise RuntimeError("a GraphModule is made of a module or a dict, not of %s" % type(root).__name__)
        self.graph = graph
        self._tracer_cls = None
        if graph._tracer_cls and "<locals>" not in graph._tracer_cls.__qualname__:
            self._tracer_cls = graph._tracer_cls
        self._tracer_extras = graph._tracer_extras or {}

    @property
    def graph(self):
        return self._graph

    @graph.setter
    def graph(self, g):
        if not isinstance(g, Graph):
            raise AssertionError("a Graph is expected, not %s" % type(g).__name__)
        self._graph = g
        g.owning_module = self
        self.recompile()

    @property
    def code(self):
        """The source of `forward`."""
        if not hasattr(self, "_code"):
            raise RuntimeError("there is no code yet: call recompile()")
        return self._code

    def recompile(self):
        """Makes the code from the graph as it is now."""
        codegen = self._graph._codegen
        if isinstance(codegen, _PyTreeCodeGen):
            info = codegen.pytree_info
            self._in_spec, self._out_spec = info.in_spec, info.out_spec
        made = self._graph.python_code(root_module="self")
        self._code = made.src
        cls = type(self)
        cls.forward = _forward_from_src(self._code, made.globals)
        if "_own_call" not in vars(cls):
            cls._own_call = vars(cls).get("__call__")
            cls.__call__ = _call_with_source(cls)
        return made

    # -- Submodules

    def add_submodule(self, target, m):
        """Puts a module at the path, with empty modules on the way. False if something else is on the
        way."""
        *prefix, name = target.split(".")
        place = self
        for part in prefix:
            inner = getattr(place, part, None)
            if inner is None:
                inner = torch.nn.Module()
                setattr(place, part, inner)
            if not isinstance(inner, torch.nn.Module):
                return False
            place = inner
        place.add_module(name, m)
        return True

    def delete_submodule(self, target):
        """Removes the module at the path. False if there is none."""
        *prefix, name = target.split(".")
        place = self
        for part in prefix:
            place = getattr(place, part, None)
            if not isinstance(place, torch.nn.Module):
                return False
        if not isinstance(getattr(place, name, None), torch.nn.Module):
            return False
        delattr(place, name)
        return True

    def delete_all_unused_submodules(self):
        """Removes the modules that no node calls, reads, or reads something of."""
        used = set()
        for node in self.graph.nodes:
            if node.op not in ("call_module", "get_attr"):
                continue
            parts = node.target.split(".")
            used.update(".".join(parts[:i]) for i in range(1, len(parts) + 1))
            if node.op == "call_module":
                with contextlib.suppress(AttributeError):
                    inner = self.get_submodule(node.target)
                    used.update(node.target + "." + name for name, _ in inner.named_modules() if name)
        for name in [name for name, _ in self.named_modules() if name and name not in used]:
            self.delete_submodule(name)

    # -- Copies and files

    def __reduce__(self):
        body = dict(self.__dict__)
        del body["_graph"]
        made = self._graph.python_code(root_module="self")
        return reduce_graph_module, (body, _import_block(made.globals))

    def __deepcopy__(self, memo):
        holder = torch.nn.Module()
        holder.__dict__ = copy.deepcopy(self.__dict__, memo)
        made = GraphModule(holder, holder.__dict__["_graph"])
        _keep_extras(holder, made)
        return made

    def __copy__(self):
        return GraphModule(self, self.graph)

    def _replicate_for_data_parallel(self):
        replica = copy.copy(self)
        replica._is_replica = True
        return replica

    def to_folder(self, folder, module_name="FxModule"):
        """Writes a Python package: the code, the parameters, and the modules that Python text cannot
        make as pickles."""
        os.makedirs(folder, exist_ok=True)
        state = os.path.join(folder, "state_dict.pt")
        torch.save(self.state_dict(), state)
        lines = ["import torch", "", "from torch.nn import *", "", "", "class %s(torch.nn.Module):" % module_name]
        lines += ["    def __init__(self):", "        super().__init__()"]
        for name, child in self.named_children():
            pickled = os.path.join(folder, name + ".pt")
            torch.save(child, pickled)
            lines.append("        self.%s = torch.load(r%r)  # %s" % (name, pickled, repr(child).splitlines()[0]))
        for name, buffer in self._buffers.items():
            if buffer is not None:
                empty = "torch.empty(%s, dtype=%s)" % (list(buffer.shape), buffer.dtype)
                lines.append("        self.register_buffer(%r, %s)" % (name, empty))
        for name, parameter in self._parameters.items():
            if parameter is not None:
                empty = "torch.empty(%s, dtype=%s)" % (list(parameter.shape), parameter.dtype)
                lines.append("        self.%s = torch.nn.Parameter(%s)" % (name, empty))
        lines.append("        self.load_state_dict(torch.load(r%r))" % state)
        lines += ["    " + line for line in self.code.split("\n")]
        with open(os.path.join(folder, "module.py"), "w") as file:
            file.write("\n".join(lines) + "\n")
        with open(os.path.join(folder, "__init__.py"), "w") as file:
            file.write("from .module import *\n")

    # -- Text

    def __str__(self):
        return "\n".join([super().__repr__(), self._code])

    def nested_str(self):
        """The source as a class, with those of the submodules that are GraphModules."""
        code = "class %s(torch.nn.Module):\n" % (self._get_name() or "GraphModule")
        text = code + "\n".join("    " + line for line in self._code.lstrip("\n").split("\n")) + "\n"
        for _, child in self.named_children():
            if isinstance(child, GraphModule):
                text += "\n".join("    " + line for line in child.nested_str().split("\n")) + "\n"
        return text

    def print_readable(self, print_output=True):
        text = self.nested_str()
        if print_output:
            print(text)
        return text


def _keep_extras(source, made):
    """Attributes of a GraphModule that its graph does not name."""
    for name in ("_tracer_cls", "_tracer_extras", "meta"):
        if name in vars(source):
            setattr(made, name, vars(source)[name])


def _call_with_source(cls):
    """Calls of the class; an error in generated code is told with the line and those around it."""

    def call(self, *args, **kwargs):
        own = vars(cls)["_own_call"]
        try:
            return own(self, *args, **kwargs) if own else super(cls, self).__call__(*args, **kwargs)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            if frames and frames[-1].filename.startswith("<eval_with_key>"):
                print(_source_of(frames[-1]), file=sys.stderr)
            raise

    return call


def _source_of(frame):
    lines = linecache.getlines(frame.filename)
    start = max(0, frame.lineno - 3)
    shown = lines[start : frame.lineno]
    text = "Call using an FX-traced Module, line %d of the traced Module's generated forward function:\n%s"
    return text % (frame.lineno, "".join(shown))
