"""Compiling modules: what a module's class looks like (ModuleShape), which modules share one, and the
compiled objects that are made of them."""

import inspect
import itertools
import types
import warnings

from assay import _engine as _C
from .. import _jit_internal
from ..nn import Module, ModuleDict, ModuleList, Sequential, parameter
from . import _classes, _hooks, annotations, frontend
from ._classes import declared, facts_of, hints_of, known_piece
from ._functions import ScriptFunction, compiling, script_function
from ._names import Names, _operator_of, class_name, describe, names_of, outside
from ._script_module import Attribute, RecursiveScriptModule, as_compiled, wrap_cpp_module  # noqa: F401
from ._source import default_arguments, piece_of, piece_of_text, pieces_of_text

# What every module has in its __dict__ that is nothing of the program's.
_own_state = frozenset("""_version _parameters _buffers _non_persistent_buffers_set _backward_hooks _forward_hooks
    _forward_pre_hooks _backward_pre_hooks _forward_hooks_with_kwargs _forward_pre_hooks_with_kwargs
    _forward_hooks_always_called _state_dict_hooks _state_dict_pre_hooks _load_state_dict_pre_hooks
    _load_state_dict_post_hooks _modules _initializing dump_patches _texts _attribute_types""".split())


class Stub:
    """A method to be compiled: its text, the names that it sees, and the name that it gets."""

    def __init__(self, function, name, signature=None):
        self.function = function
        self.name = name
        self.signature = signature  # The declaration of an overload.

    def define(self, jit_type, role="method"):
        function = inspect.unwrap(getattr(self.function, "__func__", self.function))
        defaults = default_arguments(function)
        declaration = None
        if self.signature is not None:
            declaration = piece_of(self.signature)
            defaults.update(default_arguments(self.signature))
        piece = known_piece(function, piece_of)
        try:
            jit_type.define(piece, names_of(function), defaults, self.name, role, declaration)
        except RuntimeError as error:
            raise frontend.unsupported(piece) or error


class _TextStub:
    """A method whose text was given as such."""

    def __init__(self, piece, names):
        self.piece = piece
        self.names = names

    def define(self, jit_type):
        jit_type.define(self.piece, self.names, {}, "", "method", None)


def stubs_of_text(text, names):
    return [_TextStub(piece, names) for piece in pieces_of_text(text)]


def method_stub(module, name):
    return Stub(getattr(module, name), name)


_CONSTANTS = (bool, int, float, complex, str, _C.device, _C.dtype, _C.layout)
_PLAIN = frozenset((bool, int, float, str, type(None)))


def _constant(name, value, owner):
    if type(value) in _PLAIN or isinstance(value, _CONSTANTS):
        return value
    if isinstance(value, (tuple, list)):
        return tuple([_constant(name, item, owner) for item in value])
    kind = type(value)
    name_of_kind = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    raise TypeError(f"'{name_of_kind}' object in attribute '{owner}.{name}' is not a valid constant: those "
                    "are numbers, strings, bools, None, devices, layouts, dtypes, and lists of those")


class ModuleShape:
    """What makes two modules of one class have one compiled class: their attributes' names and types,
    their constants, their submodules' shapes, and the functions that they have as attributes."""

    def __init__(self, module, share=True):
        self.py_class = type(module)
        self.facts = facts_of(self.py_class)
        self.attributes = {}  # name -> (type text, role)
        self.submodules = {}  # name -> ModuleShape
        self.constants = {}
        self.functions = {}
        self.failed = {}
        self.ignored = set(declared(module, "__jit_ignored_attributes__"))
        self.hooks = list(module._forward_hooks.values())
        self.pre_hooks = list(module._forward_pre_hooks.values())
        self.jit_type = None
        self.methods_compiled = False
        self.share = share
        self._defined_hooks = set()
        self._collect(module)

    def key(self):
        """Equal for modules of a class that are compiled into one. The constants' text tells equal ones of different
        types apart: 1, 1.0 and True."""
        return (tuple(self.attributes.items()), tuple(self.submodules.items()), tuple(self.functions.items()),
                tuple(self.constants.items()), repr(self.constants),
                tuple(self.failed.items()), frozenset(self.ignored), tuple(map(id, self.hooks)),
                tuple(map(id, self.pre_hooks)), tuple(self.properties))

    def _collect(self, module):
        own = module.__dict__
        self.hints = {**self.facts.hints, **own["_attribute_types"]} if "_attribute_types" in own else self.facts.hints
        for group, role in (("_parameters", "parameter"), ("_buffers", "buffer")):
            for name, value in own[group].items():
                if name not in self.ignored:
                    self.attributes[name] = (self._type_of(name, value), role)
        for name, child in own["_modules"].items():
            if name in self.ignored:
                continue
            if child is None:
                self.attributes[name] = ("NoneType", "attribute")
            elif self._interface(name):
                self.attributes[name] = (self._interface(name), "module interface")
            else:
                self.submodules[name] = shape_of(child, self.share)
        self._collect_constants(module)
        self.overloads = {name: [each for each, _ in found] for name, found in self.facts.overloads.items()}
        self._collect_attributes(own)
        self.properties = {name: f"__{name}_getter" for name, _ in self.facts.properties(module)}
        del self.hints

    def _interface(self, name):
        hint = self.hints.get(name)
        return class_name(hint) if getattr(hint, "__torch_script_interface__", False) else None

    def _type_of(self, name, value):
        if name in self.hints:
            if self.hints is self.facts.hints:
                return self.facts.type_of(name)
            return annotations.annotation_text(self.hints[name])
        simple = annotations.SIMPLE.get(type(value))
        if simple:
            return simple
        return annotations.annotation_text(value.type) if isinstance(value, Attribute) else annotations.infer(value)

    def _collect_constants(self, module):
        final = self.facts.final if self.hints is self.facts.hints else [
            name for name, hint in self.hints.items() if _jit_internal.is_final(hint)]
        attributes, submodules, constants = self.attributes, self.submodules, self.constants
        for name in dict.fromkeys([*declared(module, "__constants__"), *final]):
            if name in attributes or name in submodules:
                what = ("submodule" if name in module._modules else
                        "buffer" if name in module._buffers else "parameter")
                warnings.warn(f"'{name}' is a {what}, no constant: take it out of __constants__")
                continue
            value = getattr(module, name, _jit_internal.missing)
            if type(value) in _PLAIN:
                constants[name] = value
            elif value is _jit_internal.missing:
                warnings.warn(f"the constant '{name}' has no value: assign it in __init__")
            else:
                constants[name] = _constant(name, value, self.py_class.__name__)

    def _collect_attributes(self, own):
        known = _own_state.union(self.ignored, self.attributes, self.submodules, self.constants)
        for name in itertools.filterfalse(known.__contains__, own):
            if name.startswith("__"):
                continue
            value = own[name]
            if type(value) in _PLAIN:
                self._add_attribute(name, value)
            elif inspect.isfunction(value):
                try:
                    self.functions[name] = script_function(value)
                except Exception as error:
                    self.failed[name] = f"(Python has this function, which could not be compiled:\n{error})"
            elif isinstance(value, ScriptFunction) or (callable(value) and _operator_of(value)):
                self.functions[name] = value
            else:
                self._add_attribute(name, value)

    def _add_attribute(self, name, value):
        try:
            self.attributes[name] = (self._type_of(name, value), "attribute")
        except (annotations.CannotInfer, ValueError, RuntimeError, OSError) as error:
            hint = "" if name in self.hints else "Declare its type in the class."
            self.failed[name] = (f"(Python has this attribute, but the compiler failed to convert Python type "
                                 f"'{type(value).__name__}' to one of its own: {error}. {hint})")

    def build(self):
        """Makes the class, without methods yet."""
        self.jit_type = _C.ModuleType(_jit_internal._qualified_name(self.py_class), self.facts.kind, self)
        for name, (text, role) in self.attributes.items():
            self.jit_type.add_attribute(name, text, role)
        for name, shape in self.submodules.items():
            self.jit_type.add_submodule(name, shape.jit_type)
        for name, value in self.constants.items():
            self.jit_type.add_constant(name, value, annotations.infer(value))
        return self

    def compile(self, stubs, properties):
        """Defines the methods, then compiles each; they may call each other."""
        for name, item in properties:
            Stub(item.fget, f"__{name}_getter").define(self.jit_type)
            if item.fset is not None:
                Stub(item.fset, f"__{name}_setter").define(self.jit_type)
        for stub in stubs:
            stub.define(self.jit_type)
        self._define_hooks({getattr(stub, "name", "") for stub in stubs})
        for name in self.jit_type.pending():
            with compiling(f"{self.py_class.__name__}.{name}"):
                self.jit_type.compile(name)
        if self.hooks or self.pre_hooks:
            _hooks.check_types(self.jit_type, self.pre_hooks, self.hooks, self.py_class)
        self.methods_compiled = True

    def _define_hooks(self, methods):
        defined = {}
        for role, hooks in (("hook", self.hooks), ("pre hook", self.pre_hooks)):
            for hook in hooks:
                name = hook.__name__
                what = _hooks.described(hook, role, self.py_class)
                if name in methods:
                    raise RuntimeError(f"{what} cannot be compiled: a method of the module has that name already")
                known = defined.setdefault(name, (hook, role))
                if known[0] is not hook:
                    raise RuntimeError(f"{what} has at least two different definitions: give each hook a name of its own")
                if known[1] != role:
                    raise RuntimeError(f"{what} is a {known[1]}, too: give each hook a name of its own")
                if name in self._defined_hooks:
                    self.jit_type.repeat_hook(name, role)
                else:
                    _hooks.check_parameters(hook, role, what)
                    Stub(hook, name).define(self.jit_type, role)
                self._defined_hooks.add(name)

    def define_text(self, text, names):
        _define_text(self.jit_type, text, names)

    # What the compiler asks (bind/script_names.cpp).

    def member(self, name):
        if name in self.properties:
            return ("property", self.properties[name])
        if name in self.overloads:
            return ("overloads", name, [("method", each) for each in self.overloads[name]])
        if name in self.functions:
            return describe(self.functions[name])
        unbound = getattr(self.py_class, name, None)
        if not inspect.isfunction(unbound):
            return None
        if _jit_internal.is_static_fn(self.py_class, name):
            return describe(_jit_internal.get_static_fn(self.py_class, name))
        if _jit_internal.is_ignored_fn(unbound):
            return outside(unbound, bound=True)
        # An ordinary method that nothing has asked for yet.
        Stub(unbound, name).define(self.jit_type)
        self.jit_type.compile(name)
        return None

    def why_missing(self, name):
        if name in self.ignored:
            return "(this attribute was ignored during compilation, as __jit_ignored_attributes__ says)"
        return self.failed.get(name, "")


def _define_text(jit_type, text, names):
    """Compiles all methods of a text; they may call each other."""
    for name in [jit_type.define(piece, names, {}, "", "method", None) for piece in pieces_of_text(text)]:
        jit_type.compile(name)


class CompiledShape:
    """The shape of a module that is compiled already, as part of another: a traced one."""

    constants = {}
    methods_compiled = True

    def __init__(self, c):
        self.c = c
        self.jit_type = _C.ModuleType.of(c, self)
        for name, child in c.submodules():
            self.jit_type.know_submodule(name, CompiledShape(child).jit_type)

    def __eq__(self, other):
        return isinstance(other, CompiledShape) and self.c.type_name == other.c.type_name

    def __hash__(self):
        return hash(self.c.type_name)

    def define_text(self, text, names):
        _define_text(self.jit_type, text, names)

    def member(self, name):
        return None

    def why_missing(self, name):
        return ""


_shapes = {}  # Class -> shapes of its modules, by their keys.


def shape_of(module, share=True):
    module = as_compiled(module)
    if isinstance(module, RecursiveScriptModule):
        _adopt(module, _C.script_adopted(module._c))
        return module.__dict__.get("_concrete_type") or CompiledShape(module._c)
    shape = ModuleShape(module, share)
    if not share:
        return shape.build()
    known = _shapes.setdefault(type(module), {})
    key = shape.key()
    return known.get(key) or known.setdefault(key, shape.build())


def _forget(shape):
    """A class whose methods could not all be compiled is no other module's."""
    known = _shapes.get(shape.py_class, {})
    for key in [key for key, each in known.items() if each is shape]:
        del known[key]


def _adopt(module, c):
    """A module that was loaded from an archive goes on in the program that others are compiled into."""
    if module._c.same(c):
        return
    module._stand_for(c)
    for name, child in c.submodules():
        _adopt(module._modules[name], child)


get_module_concrete_type = shape_of


def check_module_initialized(module):
    own = module.__dict__
    if "_parameters" not in own and not hasattr(module, "_parameters"):
        raise RuntimeError(f"{type(module).__name__} has not been initialized: its __init__ has to call super().__init__()")
    for group, what in ((module._parameters, "parameters"), (module._buffers, "buffers")):
        for name, value in group.items():
            if value is not None and parameter.is_lazy(value):
                raise RuntimeError(f"{name} among the {what} of {type(module).__name__} has no shape yet: "
                                   "call the lazy module once before it is compiled")


def infer_methods_to_compile(module):
    """forward, what is marked with torch.jit.export, and overloads."""
    check_module_initialized(module)
    wanted = []
    forward = getattr(type(module), "forward", None)
    own_forward = module.__dict__.get("forward")
    if own_forward is not None or (forward is not None and forward is not Module.forward):
        if not _jit_internal.is_ignored_fn(own_forward or forward):
            wanted.append("forward")
    facts = facts_of(type(module))
    wanted += [name for name, _ in facts.exported if name != "forward"]
    overloads = facts.overloads
    stubs = [Stub(getattr(type(module), name), overload, declaration)
             for name, found in overloads.items() for overload, declaration in found]
    return stubs + [method_stub(module, name) for name in wanted if name not in overloads]


def create_script_module(module, stubs_of, share_types=True, is_tracing=False):
    assert not isinstance(module, RecursiveScriptModule)
    check_module_initialized(module)
    _classes.forget()
    return _create(module, shape_of(module, share_types), stubs_of)


def _create(module, shape, stubs_of):
    """The compiled object; of a module that has several places each gets one of its own, on the same tensors."""
    module = as_compiled(module)
    if isinstance(module, RecursiveScriptModule):
        return module
    c = shape.jit_type.create()

    def fill(compiled):
        set_value = c.set
        for name, (_, role) in shape.attributes.items():
            value = getattr(module, name)
            if role == "module interface":
                value = _compiled_for_interface(value, _methods_of_interface(module, name))
                compiled._modules[name] = value
                value = value._c
            elif type(value) is Attribute:
                value = value.value
            set_value(name, value)
        for name, child in shape.submodules.items():
            scripted = _create(module._modules[name], child, stubs_of)
            compiled._modules[name] = scripted
            set_value(name, scripted._c)
        _copy_ignored(module, compiled, shape)
        compiled.__dict__["_concrete_type"] = shape

    compiled = RecursiveScriptModule._construct(c, fill)
    if not shape.methods_compiled:
        try:
            shape.compile(stubs_of(module), facts_of(type(module)).properties(module))
        except BaseException:
            _forget(shape)
            raise
        compiled._show_methods()
    _define_container_methods(module, shape)
    _copy_python_methods(module, compiled)
    return compiled


def _compiled_for_interface(value, stubs_of):
    value = as_compiled(value)
    if isinstance(value, RecursiveScriptModule):
        return value
    compiled = create_script_module(value, stubs_of)
    # Another interface may have had other methods of the class compiled before.
    jit_type = compiled._concrete_type.jit_type
    for stub in stubs_of(value):
        if stub.name not in jit_type.methods():
            stub.define(jit_type)
            jit_type.compile(stub.name)
    return compiled


def _methods_of_interface(module, name):
    interface = hints_of(type(module))[name]
    wanted = [each for each in vars(interface) if inspect.isfunction(vars(interface)[each])]
    return lambda child: [method_stub(child, each) for each in wanted]


def _copy_ignored(module, compiled, shape):
    """Functions that stay Python's get the compiled module as their `self`."""
    for name, item in facts_of(type(module)).left_out:
        own = module.__dict__.get(name, item)  # An object may have one of its own.
        compiled.__dict__[name] = types.MethodType(getattr(own, "__func__", own), compiled)
    for name in shape.ignored:
        known = inspect.getattr_static(type(module), name, None)
        if isinstance(known, property):  # Not asked for: why it is ignored may be that it raises.
            compiled.__dict__[name] = known
        elif hasattr(module, name):
            compiled.__dict__[name] = getattr(module, name)


def _copy_python_methods(module, compiled):
    for name, item in facts_of(type(module)).copied:
        if not name.startswith("__"):
            compiled.__dict__.setdefault(name, types.MethodType(item, compiled))


def _define_container_methods(module, shape):
    if not isinstance(module, (ModuleList, Sequential, ModuleDict)):
        return
    methods = shape.jit_type.methods()
    if "__len__" not in methods:
        _define(shape, "__len__", f"def __len__(self):\n   return {len(module)}\n")
    if isinstance(module, ModuleDict) and "__contains__" not in methods:
        result = f"key in {list(module.keys())!r}" if len(module) else "False"
        _define(shape, "__contains__", f"def __contains__(self, key: str):\n   return {result}\n")


def _define(shape, name, text):
    shape.jit_type.define(piece_of_text(text), Names({}), {}, "", "method", None)
    shape.jit_type.compile(name)
