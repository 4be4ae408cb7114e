"""torch.jit.script: functions, classes and modules of Python, compiled."""

import collections
import copy
import enum
import functools
import inspect

from assay import _engine as _C
from .. import _jit_internal
from ..overrides import handle_torch_function
from ..nn import Module
from . import _containers
from ._functions import Method, ScriptFunction, _with_named, compile_function


class Attribute(collections.namedtuple("Attribute", ["value", "type"])):
    """A value of a module whose type is said, since the value alone does not tell it."""


def _unwrap_optional(x):
    """The value, which must not be None; in compiled code it is then of the type without None."""
    assert x is not None, "Unwrapping null optional"
    return x


def unchecked_cast(the_type, the_value):
    return the_value


def isinstance_(obj, target_type):
    """As isinstance, for types with parameters: List[int], Optional[Tensor]."""
    return _jit_internal._isinstance(obj, target_type)


def _script_module(obj):
    from . import _recursive
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


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    """The compiled form of a function, a class, or a module with all that it calls."""
    from . import _names, _state
    if not _state.enabled():
        return obj
    if isinstance(obj, (ScriptModule, ScriptFunction, _containers.ScriptList, _containers.ScriptDict)):
        return obj
    if isinstance(obj, Module):
        return _script_module(obj)
    if inspect.isclass(obj):
        return _script_class(obj, _names.names_of_frame(1 + _frames_up))
    if inspect.isfunction(obj) or inspect.ismethod(obj):
        return _script_function(obj, _rcb)
    if isinstance(obj, list):
        return _containers.ScriptList(obj)
    if isinstance(obj, dict):
        return _containers.ScriptDict(obj)
    return script_instance(obj)


def _script_class(cls, around):
    from . import _names
    if issubclass(cls, Module):
        raise RuntimeError(f"Type '{cls.__name__}' cannot be compiled since it inherits from nn.Module: make a module "
                           "of it and compile that")
    if issubclass(cls, enum.Enum) or _jit_internal._is_named_tuple(cls) or issubclass(cls, BaseException):
        return cls
    if not _names.class_name(cls, compiled_only=True):
        _names.compile_class(cls, around)
    return cls


def _script_function(fn, names=None):
    if hasattr(fn, "__script_if_tracing_wrapper"):
        fn = fn.__original_fn
    if _jit_internal._get_fn_overloads(_jit_internal._qualified_name(fn)) is not None:
        raise RuntimeError(f"{fn.__name__} has overloads: compile a function that calls it instead")
    return compile_function(fn)


def script_instance(obj):
    """An object of a compiled class with the attributes of a Python object."""
    from . import _names
    name = _names.class_name(type(obj))
    if name is None:
        raise RuntimeError(f"an object of type '{type(obj).__name__}' cannot be compiled")
    made = _C.script_object(name)
    for attribute, value in vars(obj).items():
        setattr(made, attribute, value)
    return made


def interface(obj):
    """Makes a class an interface: compiled code can call its methods on whatever has them."""
    from . import _names
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
        from . import is_tracing
        if not is_tracing():
            return fn(*args, **kwargs)
        return script(wrapper.__original_fn)(*args, **kwargs)

    wrapper.__original_fn = fn
    wrapper.__script_if_tracing_wrapper = True
    return wrapper


class _Slots(collections.abc.MutableMapping):
    """A module's parameters or buffers, or its submodules, which live in the compiled object. Behaves
    like the dict that nn.Module keeps."""

    def __init__(self, compiled, role):
        self._compiled = compiled
        self._role = role

    @functools.cached_property
    def _names(self):
        return [name for name, its in self._compiled.attributes() if its == self._role]

    def __getitem__(self, name):
        if name not in self._names:
            raise KeyError(name)
        return self._compiled.get(name)

    def __setitem__(self, name, value):
        if name not in self._names:
            raise RuntimeError(f"a compiled module gets no new {self._role}: add '{name}' before")
        self._compiled.set(name, value)

    def __delitem__(self, name):
        raise RuntimeError(f"cannot delete the {self._role} '{name}' of a ScriptModule")

    def __contains__(self, name):
        return name in self._names

    def __iter__(self):
        return iter(self._names)

    def __len__(self):
        return len(self._names)

    def copy(self):
        return dict(self)


class ScriptModule(Module):
    """A module that is written for the compiler: `@torch.jit.script_method` marks what it compiles. Once
    __init__ is through, the compiled module stands behind it: attributes are that module's."""

    _compiled_when_made = True

    def __init__(self):
        super().__init__()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if cls._compiled_when_made:
            _wrap_init(cls)

    def define(self, src):
        """Adds the methods of a text."""
        from ._names import names_of_frame
        self._define(src, names_of_frame(1))

    def _define(self, src, names):
        compiled = self.__dict__.get("_actual_script_module")
        if compiled is not None:
            compiled._define(src, names)
            _bind_methods(self, compiled)
        else:
            self.__dict__.setdefault("_texts", []).append((src, names))

    def __getattr__(self, name):
        compiled = self.__dict__.get("_actual_script_module")
        return super().__getattr__(name) if compiled is None else getattr(compiled, name)

    def __setattr__(self, name, value):
        compiled = self.__dict__.get("_actual_script_module")
        if compiled is not None:
            return setattr(compiled, name, value)
        if isinstance(value, Attribute):
            self.__dict__.setdefault("_attribute_types", {})[name] = value.type
            value = value.value
        super().__setattr__(name, value)

    def __copy__(self):
        return copy.copy(self._actual_script_module)

    def __deepcopy__(self, memo):
        return copy.deepcopy(self._actual_script_module, memo)


def _wrap_init(cls):
    """Objects of the class are compiled when the outermost __init__ is through."""
    original = cls.__init__

    @functools.wraps(original)
    def __init__(self, *args, **kwargs):
        original(self, *args, **kwargs)
        if type(self) is cls:
            _become_compiled(self)

    cls.__init__ = __init__


_wrap_init(ScriptModule)


def _methods_of_script_module(module):
    """The methods to compile of a module written for the compiler, or of any below it."""
    from . import _recursive
    if not isinstance(module, ScriptModule):
        return _recursive.infer_methods_to_compile(module)
    cls = type(module)
    return [_recursive.Stub(getattr(cls, name), name) for name in dir(cls)
            if getattr(getattr(cls, name, None), "_assay_script_method", False)]


def _become_compiled(module):
    from . import _recursive
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
    _bind_methods(module, compiled)
    own["_actual_script_module"] = compiled


def _bind_methods(module, compiled):
    """The compiled methods come before those of the class that they were made of, and before what Module has
    by the same name; other methods of the class stay Python's."""
    for name in compiled._c.methods():
        original = getattr(type(module), name, None)
        if getattr(original, "_assay_script_method", False) or original is getattr(Module, name, None):
            module.__dict__[name] = Method(compiled, name, original)


def as_compiled(module):
    """The compiled module behind one that was written for the compiler; any other as it is."""
    return module.__dict__.get("_actual_script_module", module)


class RecursiveScriptModule(ScriptModule):
    """A compiled module. Its parameters, buffers and attributes are the compiled object's own."""

    _compiled_when_made = False

    def __init__(self, cpp_module):
        self.__dict__["_ready"] = False
        super().__init__()
        self.__dict__.pop("training", None)
        self._stand_for(cpp_module)

    def _stand_for(self, cpp_module):
        """From now on the parameters, buffers and methods are this object's."""
        own = self.__dict__
        own["_c"], own["_parameters"], own["_buffers"] = (
            cpp_module, _Slots(cpp_module, "parameter"), _Slots(cpp_module, "buffer"))

    @staticmethod
    def _construct(cpp_module, init_fn):
        module = RecursiveScriptModule(cpp_module)
        init_fn(module)
        module.__dict__["_ready"] = True
        module.__dict__["forward"] = Method(module, "forward")
        module._show_methods()
        return module

    def _show_methods(self):
        """Compiled methods come before those that Module has by the same name (_save_to_state_dict)."""
        for name in self._c.methods():
            if not name.startswith("__") and hasattr(Module, name):
                self.__dict__[name] = Method(self, name)

    @property
    def original_name(self):
        return self._c.type_name.rsplit(".", 1)[-1]

    def _get_name(self):
        return "RecursiveScriptModule"

    def extra_repr(self):
        return f"original_name={self.original_name}"

    @property
    def graph(self):
        return self._c.graph("forward")

    @property
    def inlined_graph(self):
        return self._c.inlined_graph("forward")

    @property
    def code(self):
        return self._c.code("forward")

    @property
    def code_with_constants(self):
        return _with_named(self._c.code_with_constants("forward"))

    @property
    def schema(self):
        return self._c.schema("forward")

    def forward(self, *args, **kwargs):
        return self._c.call("forward", args, kwargs)

    def __call__(self, *args, **kwargs):
        if _C.has_torch_function(args):
            return handle_torch_function(Method(self, "forward"), args, *args, **kwargs)
        return self._c.call("forward", args, kwargs)

    def _define(self, src, names):
        self.__dict__["_concrete_type"].define_text(src, names)

    def save(self, f, _extra_files=None):
        from ._serialization import save
        save(self, f, _extra_files)

    def save_to_buffer(self, _extra_files=None):
        return self._c.save_bytes(_extra_files or {})

    def __getattr__(self, name):
        own = self.__dict__
        c = own.get("_c")
        if c is not None and own.get("_ready"):
            modules = self._modules
            if name in modules:
                return modules[name]
            if c.has(name):
                return c.get(name)
            if c.has_constant(name):
                return c.constant(name)
            if c.has_method(name):
                method = Method(self, name)
                own[name] = method
                return method
        return super().__getattr__(name)

    def __setattr__(self, name, value):
        own = self.__dict__
        if not own.get("_ready"):
            return super().__setattr__(name, value)
        if name in self._modules:
            if not isinstance(value, ScriptModule):
                raise RuntimeError(f"Cannot re-assign the submodule '{name}' of a compiled module to one that is not "
                                   f"compiled: {type(value).__name__}")
            value = as_compiled(value)
            self._modules[name] = value
            self._c.set(name, value)
        elif self._c.has(name):
            self._c.set(name, value)
        elif self._c.has_constant(name):
            raise RuntimeError(f"'{name}' is a constant of the compiled module and cannot become {value!r}")
        else:
            super().__setattr__(name, value)

    def train(self, mode=True):
        for module in self.modules():
            if module._c.has("training") if isinstance(module, RecursiveScriptModule) else True:
                module.training = mode
        return self

    def __dir__(self):
        return sorted(set(super().__dir__()) | set(self._c.methods()))

    def __copy__(self):
        from ._recursive import wrap_cpp_module
        return wrap_cpp_module(self._c.copy())

    def __deepcopy__(self, memo):
        from ._recursive import wrap_cpp_module
        return wrap_cpp_module(self._c.deepcopy())

    def __len__(self):
        return self._container("__len__")

    def __contains__(self, key):
        return self._container("__contains__", key)

    def __getitem__(self, key):
        if isinstance(key, int):
            children = list(self._modules.values())
            return children[key]
        return self._modules[key]

    def __iter__(self):
        return iter(self._modules.values())

    def __bool__(self):
        return True

    def _container(self, name, *args):
        if self._c.has_method(name):
            return self._c.call(name, args, {})
        raise NotImplementedError(f"{self.original_name} has no {name}")
