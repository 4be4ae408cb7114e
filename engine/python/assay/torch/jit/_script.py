"""torch.jit.script: functions, classes and modules of Python, compiled."""

import contextlib
import enum
import functools
import gc
import inspect

from assay import _engine as _C
from .. import _jit_internal
from ..nn import Module
from . import _above, _containers, _names, _recursive, _state
from ._functions import ScriptFunction, script_function
from ._script_module import Attribute, RecursiveScriptModule, ScriptModule, as_compiled, bind_methods  # noqa: F401


def _script_module(obj):
    _recursive.check_module_initialized(obj)
    obj = _call_prepare_scriptable(obj, {})
    return _recursive.create_script_module(obj, _recursive.infer_methods_to_compile)


def _call_prepare_scriptable(obj, memo):
    """Lets modules replace themselves by what can be compiled."""
    if not isinstance(obj, Module):
        return obj
    if id(obj) in memo:
        return memo[id(obj)]
    prepares = hasattr(type(obj), "__prepare_scriptable__") or "__prepare_scriptable__" in obj.__dict__
    new = obj.__prepare_scriptable__() if prepares else obj
    memo[id(obj)] = new
    for name, child in list(new._modules.items()):
        prepared = _call_prepare_scriptable(child, memo)
        if prepared is not child:
            new._modules[name] = prepared
    return new


@contextlib.contextmanager
def _without_collections():
    """What is made of a module stays: Python's collector would look through it again and again, and find nothing. It
    does so once, at the end, and leaves out what is older, whose turn the many new objects would bring about."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.collect(0)
            gc.enable()


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    """The compiled form of a function, a class, or a module with all that it calls."""
    if not _state.enabled():
        return obj
    if isinstance(obj, (ScriptModule, ScriptFunction, _containers.ScriptList, _containers.ScriptDict)):
        return obj
    if isinstance(obj, Module):
        with _without_collections():
            return _script_module(obj)
    if inspect.isclass(obj):
        return _script_class(obj, _names.names_of_frame(1 + _frames_up))
    if inspect.isfunction(obj) or inspect.ismethod(obj):
        return script_function(obj)
    if isinstance(obj, list):
        return _containers.ScriptList(obj)
    if isinstance(obj, dict):
        return _containers.ScriptDict(obj)
    return script_instance(obj)


def _script_class(cls, around):
    if issubclass(cls, Module):
        raise RuntimeError(f"Type '{cls.__name__}' cannot be compiled since it inherits from nn.Module: make a module "
                           "of it and compile that")
    if issubclass(cls, enum.Enum) or _jit_internal._is_named_tuple(cls) or issubclass(cls, BaseException):
        return cls
    if not _names.class_name(cls, compiled_only=True):
        _names.compile_class(cls, around)
    return cls


def script_instance(obj):
    """An object of a compiled class with the attributes of a Python object."""
    name = _names.class_name(type(obj))
    if name is None:
        raise RuntimeError(f"an object of type '{type(obj).__name__}' cannot be compiled")
    made = _C.script_object(name)
    for attribute, value in vars(obj).items():
        setattr(made, attribute, value)
    return made


def interface(obj):
    """Makes a class an interface: compiled code can call its methods on whatever has them."""
    if not inspect.isclass(obj):
        raise RuntimeError(f"torch.jit.interface decorates a class, not {obj!r}")
    _names.compile_interface(obj)
    obj.__torch_script_interface__ = True
    return obj


def export_opnames(m):
    """The names of all operators that a compiled module's methods call, submodules included."""
    found = set()

    def visit(nodes):
        for node in nodes:
            if node.schema() != "(no schema)":
                found.add(node.schema().partition("(")[0])
            for block in node.blocks():
                visit(block.nodes())

    c = as_compiled(m)._c
    for method in c.methods():
        visit(c.inlined_graph(method).nodes())
    return sorted(found)


def script_method(fn):
    """A method of a ScriptModule that is compiled when the module is made."""
    fn._assay_script_method = True
    return fn


def script_if_tracing(fn):
    """A function that is compiled when it is first called while a tracer is at work."""

    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        if _C._get_tracing_state() is None:
            return fn(*args, **kwargs)
        return script(wrapper.__original_fn)(*args, **kwargs)

    wrapper.__original_fn = fn
    wrapper.__script_if_tracing_wrapper = True
    return wrapper


def _methods_of_script_module(module):
    """The methods to compile of a module written for the compiler, or of any below it."""
    if not isinstance(module, ScriptModule):
        return _recursive.infer_methods_to_compile(module)
    cls = type(module)
    return [_recursive.Stub(getattr(cls, name), name) for name in dir(cls)
            if getattr(getattr(cls, name, None), "_assay_script_method", False)]


def _become_compiled(module):
    texts = module.__dict__.pop("_texts", ())

    def stubs_of(each):
        more = [stub for text, names in texts for stub in _recursive.stubs_of_text(text, names)]
        return _methods_of_script_module(each) + (more if each is module else [])

    compiled = _recursive.create_script_module(module, stubs_of, share_types=not texts)
    own = module.__dict__
    for name in compiled._concrete_type.attributes:
        own.pop(name, None)
    for group in ("_parameters", "_buffers", "_modules"):
        own[group] = compiled.__dict__[group]
    bind_methods(module, compiled)
    own["_actual_script_module"] = compiled


_above.become_compiled = _become_compiled
