"""What the compiler of Python source (torch.jit.script) is told by the source itself: decorators,
names that only it understands, and the closures that functions see."""

import builtins
import enum
import inspect
import types
import typing
import warnings
from typing import Any, Dict, List, Optional

try:
    from typing import Final
except ImportError:  # pragma: no cover
    Final = None


class FunctionModifiers:
    """What a decorator says of a function; kept in its attribute `_torchscript_modifier`."""

    UNUSED = "unused (ignored and replaced with raising of an exception)"
    IGNORE = "ignore (leave as a call to Python, cannot be torch.jit.save'd)"
    EXPORT = "export (compile this function even if nothing calls it)"
    DEFAULT = "default (compile if called from a exported function / forward)"
    COPY_TO_SCRIPT_WRAPPER = "copied to the scripted module as it is"


def _marked(fn, modifier):
    fn._torchscript_modifier = modifier
    return fn


def export(fn):
    """Compile this method even if `forward` does not call it."""
    return _marked(fn, FunctionModifiers.EXPORT)


def unused(fn):
    """Do not compile this function: a compiled call of it raises."""
    parts = (fn.fget, fn.fset) if isinstance(fn, property) else (fn,)
    for part in parts:
        if part:
            _marked(part, FunctionModifiers.UNUSED)
    return fn


def ignore(drop=False, **kwargs):
    """Leave calls of this function to Python."""
    if callable(drop):
        return _marked(drop, FunctionModifiers.IGNORE)
    if not isinstance(drop, bool):
        raise RuntimeError(f"@torch.jit.ignore decorates a function, or takes drop=True or False, got {drop}")
    drop_on_export = kwargs.pop("drop_on_export", None)
    if drop_on_export:
        warnings.warn("ignore(drop_on_export=True) is torch.jit.unused by an older name. TorchScript will now drop the function "
                      "when it is compiled", category=FutureWarning)
    dropped = drop or bool(drop_on_export)
    modifier = FunctionModifiers.UNUSED if dropped else FunctionModifiers.IGNORE
    return lambda fn: _marked(fn, modifier)


def _copy_to_script_wrapper(fn):
    return _marked(fn, FunctionModifiers.COPY_TO_SCRIPT_WRAPPER)


def get_torchscript_modifier(fn):
    if not callable(fn):
        return None
    function = getattr(fn, "__func__", fn)
    return getattr(function, "_torchscript_modifier", FunctionModifiers.DEFAULT)


def copy_torchscript_modifier(orig, new):
    modifier = get_torchscript_modifier(orig)
    if modifier is not None:
        new._torchscript_modifier = modifier


def should_drop(fn):
    return get_torchscript_modifier(fn) is FunctionModifiers.UNUSED


def is_ignored_fn(fn):
    return get_torchscript_modifier(fn) in (FunctionModifiers.UNUSED, FunctionModifiers.IGNORE)


def module_has_exports(mod):
    return any(get_torchscript_modifier(getattr(mod, name, None)) is FunctionModifiers.EXPORT
               for name in dir(mod))


def annotate(the_type, the_value):
    """The value; in compiled code, of that type."""
    return the_value


def is_scripting() -> bool:
    """True in compiled code, which knows this name; Python's answer is False."""
    return False


# Functions of which one is chosen while compiling, by an argument: what a caller in Python calls,
# and what the compiler needs to choose.
boolean_dispatched: Dict[Any, Dict[str, Any]] = {}


def boolean_dispatch(arg_name, arg_index, default, if_true, if_false, module_name, func_name):
    def fn(*args, **kwargs):
        chosen = default
        if arg_name in kwargs:
            chosen = kwargs[arg_name]
        elif arg_index < len(args):
            chosen = args[arg_index]
        return if_true(*args, **kwargs) if chosen else if_false(*args, **kwargs)

    fn.__doc__ = if_true.__doc__ or if_false.__doc__
    if module_name is not None:
        fn.__module__ = module_name
    if func_name is not None:
        fn.__name__ = func_name
    boolean_dispatched[fn] = {"if_true": if_true, "if_false": if_false, "index": arg_index,
                              "default": default, "arg_name": arg_name}
    return fn


def _try_get_dispatched_fn(fn):
    if not callable(fn):
        return None
    try:
        return boolean_dispatched.get(fn)
    except TypeError:  # Not hashable, hence none of them.
        return None


# Overloads: declarations without a body that precede the function or method they belong to.
_overloaded_fns: Dict[str, List[Any]] = {}
_overloaded_methods: Dict[str, Dict[str, List[Any]]] = {}
_overloaded_names = set()


def _overload(func):
    _overloaded_fns.setdefault(_qualified_name(func), []).append(func)
    return func


def _get_fn_overloads(qual_name):
    return _overloaded_fns.get(qual_name)


def _clear_fn_overloads(qual_name):
    _overloaded_fns.pop(qual_name, None)


def _class_of_method(method):
    """The class's name and place in its file, as the method's own names tell it."""
    return method.__qualname__.rsplit(".", 1)[0]


def _overload_method(func):
    of_class = _overloaded_methods.setdefault(_qualified_name(func), {})
    of_class.setdefault(_class_of_method(func), []).append(func)
    _overloaded_names.add(func.__name__)
    return func


def may_be_overloaded(method):
    """Quick to ask: whether any method of that name is."""
    return getattr(method, "__name__", None) in _overloaded_names


def _get_overloaded_methods(method, mod_class):
    if not may_be_overloaded(method) or getattr(method, "__module__", None) is None:
        return None
    function = getattr(method, "__func__", method)
    if not inspect.isfunction(function):
        return None
    of_class = _overloaded_methods.get(_qualified_name(method))
    return of_class.get(_class_of_method(function)) if of_class else None


def get_closure(fn):
    """All names that the function sees: the globals of its module, then what it closes over. To be read only."""
    if not fn.__closure__:
        return fn.__globals__
    names = dict(fn.__globals__)
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or ()):
        try:
            names[name] = cell.cell_contents
        except ValueError:  # Not assigned yet.
            pass
    return names


def is_static_fn(cls, name):
    return isinstance(inspect.getattr_static(cls, name, default=None), staticmethod)


def get_static_fn(cls, name):
    return inspect.getattr_static(cls, name).__func__


def is_final(ann):
    return typing.get_origin(ann) is Final or ann is Final


class BroadcastingListCls:
    """`BroadcastingList2[int]`: a list of two ints, for which one int may be given."""

    def __getitem__(self, types):
        return


BroadcastingList1 = BroadcastingListCls()
for _size in range(2, 7):
    globals()[f"BroadcastingList{_size}"] = BroadcastingList1


def _qualified_name(obj, mangle_name=True):
    """The name that a class or function has in compiled programs: `__torch__.module.Name`."""
    override = getattr(obj, "_jit_override_qualname", None)
    if override is not None:
        return override
    qualified = getattr(obj, "qualified_name", None)
    if isinstance(qualified, str):
        return qualified
    if getattr(obj, "__name__", None):
        name = obj.__name__
    elif isinstance(obj, enum.Enum):
        name = obj.name
    else:
        raise RuntimeError(f"{obj!r} has no name under which it could be compiled")
    if name == "<lambda>":
        name = "_lambda"
    module_name = obj.__module__
    if module_name is None:
        raise RuntimeError(f"'{name}' cannot be compiled: its __module__ is None")
    if module_name.startswith("assay.torch"):
        module_name = module_name[len("assay."):]
    if mangle_name:
        module_name = "__torch__" if module_name == "__main__" else "__torch__." + module_name
    if "." in name:
        raise RuntimeError(f"'{name}' cannot be compiled: its name has a dot")
    return module_name + "." + name


def _is_named_tuple(cls):
    return inspect.isclass(cls) and issubclass(cls, tuple) and hasattr(cls, "_fields")


def _is_exception(obj):
    return inspect.isclass(obj) and issubclass(obj, Exception)


def lookup(names, name):
    """A name as Python code sees it; `missing` if it has no meaning."""
    if name in names:
        return names[name]
    if hasattr(typing, name):
        return getattr(typing, name)
    return getattr(builtins, name, missing)


missing = object()


def _isinstance(obj, target_type):
    """torch.jit.isinstance in Python: looks into containers."""
    if isinstance(target_type, tuple):
        return any([_isinstance(obj, each) for each in target_type])
    if isinstance(target_type, (list, dict, set, str)):
        raise RuntimeError("The second argument to torch.jit.isinstance must be a type or a tuple of types, not "
                           f"{target_type!r}")
    origin = typing.get_origin(target_type)
    parts = typing.get_args(target_type)
    if target_type in (List, Dict, typing.Tuple, Optional) or (origin in (list, dict) and not parts):
        name = getattr(target_type, "_name", None) or origin.__name__
        raise RuntimeError(f"Attempted to use {name} without a contained type: write what it holds, as List[int]")
    if origin is None:
        return isinstance(obj, target_type)
    if origin is typing.Union or origin is getattr(types, "UnionType", None):
        return any(_isinstance(obj, part) for part in parts)
    if origin in (list, dict, tuple) and isinstance(obj, origin) and len(obj) == 0:
        warnings.warn("The inner type of a container is lost when calling torch.jit.isinstance in eager mode: an empty "
                      f"{origin.__name__} passes for one of any inner type", stacklevel=3)
    if not isinstance(obj, origin):
        return False
    if origin is dict:
        return all(_isinstance(key, parts[0]) and _isinstance(value, parts[1]) for key, value in obj.items())
    if origin is tuple:
        parts = () if parts == ((),) else parts
        return len(obj) == len(parts) and all(map(_isinstance, obj, parts))
    return origin is list and all(_isinstance(item, parts[0]) for item in obj)
