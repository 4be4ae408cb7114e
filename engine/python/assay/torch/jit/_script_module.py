"""Modules that are compiled, and modules that are written for the compiler."""

import collections.abc
import copy
import functools

from assay import _engine as _C
from ..overrides import handle_torch_function
from ..nn import Module
from . import _above
from ._functions import Method, _with_named
from ._names import names_of_frame
from ._writing import save


class Attribute(collections.namedtuple("Attribute", ["value", "type"])):
    """A value of a module whose type is said, since the value alone does not tell it."""


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
        self._define(src, names_of_frame(1))

    def _define(self, src, names):
        compiled = self.__dict__.get("_actual_script_module")
        if compiled is not None:
            compiled._define(src, names)
            bind_methods(self, compiled)
        else:
            self.__dict__.setdefault("_texts", []).append((src, names))

    def _archived(self):
        compiled = self.__dict__.get("_actual_script_module")
        return compiled and compiled._archived()

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
            _above.become_compiled(self)

    cls.__init__ = __init__


_wrap_init(ScriptModule)


def bind_methods(module, compiled):
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
        own = self.__dict__
        own["_ready"] = False
        Module.__init__(self)  # ScriptModule's own, which compiles, is for what is written for the compiler.
        del own["training"]
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
            if name != "forward" and not name.startswith("__") and hasattr(Module, name):
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

    def _archived(self):
        return self._c

    def save(self, f, _extra_files=None):
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
        return wrap_cpp_module(self._c.copy())

    def __deepcopy__(self, memo):
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


def wrap_cpp_module(c):
    """A compiled module around an object of a class: what torch.jit.load gives."""

    def fill(compiled):
        for name, child in c.submodules():
            compiled._modules[name] = wrap_cpp_module(child)

    return RecursiveScriptModule._construct(c, fill)


for _class in (Attribute, ScriptModule, RecursiveScriptModule):
    _class.__module__ = f"{__package__}._script"  # By which it is known.
_above.ScriptModule, _above.RecursiveScriptModule, _above.wrap_cpp_module = ScriptModule, RecursiveScriptModule, wrap_cpp_module
