"""Finding the model that a name means, and building it."""

import ast
import importlib
import importlib.util
import inspect
import keyword
import os
import re
import sys
import types

import torch

from assay_host.arguments import check_fits
from assay_host.listening import TORCH_DIR
from assay_host.trees import class_name

STDLIB_DIR = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
# The first colon that nothing but a name and its arguments follows: those may hold colons, too.
NAME = re.compile(r"(.+?):([^\W\d][\w.]*)\s*(\(.*\))?\s*", re.DOTALL)
BUILDER = "write a function without parameters that builds the model, and name that"


def as_identifier(name):
    """The name itself, or one near to it: an archive names classes by their files, which may begin with a digit."""
    made = re.sub(r"\W", "_", name)
    return made if made.isidentifier() and not keyword.iskeyword(made) else "_" + made


def home_of(path):
    """(folder, names): where a file is imported from, and as what. A file of a package is imported as
    a part of it, from the folder above the topmost one that has an __init__.py."""
    folder, name = os.path.dirname(path), os.path.splitext(os.path.basename(path))[0]
    names = [name] if name != "__init__" else []
    while os.path.isfile(os.path.join(folder, "__init__.py")) and os.path.basename(folder):
        folder, package = os.path.split(folder)
        names.insert(0, package)
    return folder, names or [name]


def load(name, path):
    """The file as the module of this name."""
    folders = [os.path.dirname(path)] if os.path.basename(path) == "__init__.py" else None
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=folders)
    if spec is None:
        raise ImportError("%s is no Python file: its name does not end with .py" % path)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:  # Half of a module is none.
        sys.modules.pop(name, None)
        raise
    return module


def import_file(path):
    path = os.path.abspath(path)
    if not os.path.isfile(path):
        raise FileNotFoundError("no such file: " + path)
    folder, names = home_of(path)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    if len(names) > 1:
        return import_of_package(path, folder, names)
    name = as_identifier(names[0])
    known = sys.modules.get(name)
    if known is not None and getattr(known, "__file__", None) == path:
        return known
    if known is not None or getattr(importlib.util.find_spec(name), "origin", path) != path:
        name = "user_" + name  # A module of that name is another one.
    try:
        return load(name, path)
    except ImportError as error:
        if "relative import" not in str(error):
            raise
        text = "%s; %s is in no package: put an empty __init__.py beside it, or name it as package.module:name"
        raise ImportError(text % (error, path)).with_traceback(error.__traceback__)


def import_of_package(path, folder, names):
    if os.path.dirname(path) not in sys.path:  # Some files of packages are run as scripts, too.
        sys.path.append(os.path.dirname(path))
    name = ""
    for part in names:
        folder = os.path.join(folder, part)
        name = ".".join([name, as_identifier(part)] if name else [as_identifier(part)])
        if as_identifier(part) == part:
            module = importlib.import_module(name)
        elif os.path.isdir(folder):
            module = sys.modules.get(name) or load(name, os.path.join(folder, "__init__.py"))
        else:
            module = sys.modules.get(name) or load(name, path)
    if os.path.abspath(getattr(module, "__file__", None) or "") != path:
        text = "%s belongs to the package %s, but Python finds another one of that name: %s; rename one of them"
        raise ImportError(text % (path, name.split(".")[0], getattr(module, "__file__", None)))
    return module


def import_module(name):
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not (name + ".").startswith(error.name + "."):
            raise  # One that the user's own code asks for.
        text = "%s; run assay in the folder that holds %s, or name the file: path/to/file.py:name"
        raise ModuleNotFoundError(text % (error, name.split(".")[0])).with_traceback(error.__traceback__)


def literal_arguments(text, call):
    """(args, kwargs) of a call whose arguments are Python literals: nothing is evaluated."""
    try:
        parsed = ast.parse("f" + call.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError("%s: what stands in the parentheses is no list of arguments: %s" % (text, error))
    if not isinstance(parsed, ast.Call) or not isinstance(parsed.func, ast.Name):
        raise ValueError("%s: expected one pair of parentheses, as in model.py:Net(8, act='relu')" % text)
    args, kwargs = [], {}
    for label, node in [(None, node) for node in parsed.args] + [(k.arg, k.value) for k in parsed.keywords]:
        named = label if label else "argument %d" % (len(args) + 1)
        try:
            value = ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            kinds = "a number, a string, True, False, None, or a list, tuple, dict or set of them"
            raise ValueError("%s: %s is no literal (%s); for more, %s" % (text, named, kinds, BUILDER))
        if label is None:
            args.append(value)
        else:
            kwargs[label] = value
    return args, kwargs


def find(text):
    """(object, arguments): what `file.py:name` or `package.module:name` names, and the (args, kwargs)
    that stand behind the name in parentheses; None where there are no parentheses."""
    parts = NAME.fullmatch(text)
    if not parts or ".py:" in parts.group(1):
        raise ValueError("%r names no model: expected file.py:name or package.module:name, with what it is "
                         "built with in parentheses: model.py:Net(8)" % text)
    place, name, call = parts.groups()
    is_file = place.endswith(".py") or os.sep in place
    found = import_file(place) if is_file else import_module(place)
    for part in name.split("."):
        if not hasattr(found, part):
            raise AttributeError("%s has no %r%s" % (place, name, known_names(found)))
        found = getattr(found, part)
    return found, literal_arguments(text, call) if call else None


def known_names(module):
    """What a user may have meant: the modules, classes and functions that a file defines."""
    if not isinstance(module, types.ModuleType):
        return ""
    own = [name for name, value in vars(module).items() if not name.startswith("_") and (
        isinstance(value, torch.nn.Module) or getattr(value, "__module__", None) == module.__name__)]
    return "; it has " + ", ".join(own[:12]) + ("..." if len(own) > 12 else "") if own else ""


def given_arguments(text, behind_name, build_args):
    """The arguments to build with, from behind the name or from --build-args (a list or a dict)."""
    if build_args is None:
        return behind_name
    if behind_name is not None:
        raise ValueError("%s has its arguments behind its name: leave --build-args away" % text)
    return ([], build_args) if isinstance(build_args, dict) else (build_args, {})


def parameters_of(function):
    """(names of those without a default, whether there are none at all); ([], False) if unknown."""
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        return [], False
    return [p.name for p in parameters if p.default is p.empty and p.kind not in kinds], not parameters


def call_builder(found, text, given):
    """Calls with the given arguments; those that do not fit are told as the caller's mistake."""
    args, kwargs = given
    try:
        check_fits(found, args, kwargs)
    except TypeError as error:
        raise TypeError("%s: %s" % (text, error))
    return found(*args, **kwargs)


def build(found, text, given):
    """The model behind a name: see the load request. `given`: (args, kwargs) to build with, or None."""
    if isinstance(found, torch.nn.Module):
        if given is not None:
            raise TypeError("%s is a module already: it takes no arguments to build with" % text)
        return found
    if not callable(found):
        raise TypeError("%s is a %s: neither a module nor a function" % (text, class_name(found)))
    is_class = isinstance(found, type)
    needed, no_parameters = parameters_of(found)
    if is_class and given is None and needed:
        shown = ", ".join("%s=..." % name for name in needed)
        name = "--build-args '{%s}'" % ", ".join('"%s": ...' % name for name in needed)
        raise TypeError("%s needs arguments: write %s(%s), or %s" % (text, text, shown, name))
    if is_class or given is not None:
        made = call_builder(found, text, given or ([], {}))
        if not isinstance(made, torch.nn.Module) and (is_class or not callable(made)):
            raise TypeError("%s makes a %s, which is no torch.nn.Module" % (text, class_name(made)))
        return made
    if isinstance(found, types.FunctionType) and not needed:
        made = found()
        if isinstance(made, torch.nn.Module) or (no_parameters and callable(made)):
            return made
        if no_parameters:
            raise TypeError("%s returned a %s: neither a module nor a function" % (text, class_name(made)))
    return found


def example_inputs(text):
    """What the function (or the value) of that name gives: the tuple of inputs."""
    found, given = find(text)
    if callable(found):
        found = call_builder(found, text, given or ([], {}))
    inputs = found if type(found) is tuple else (found,)
    if any(isinstance(value, torch.nn.Module) for value in inputs):
        raise TypeError("%s gives a module: an example is a function that returns the tuple of inputs" % text)
    return inputs


def user_modules(before):
    """Modules that loading brought in from the user's own folders."""
    found = []
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None) or ""
        if name not in before and path.endswith(".py") and not path.startswith(TORCH_DIR):
            if "site-packages" not in path and "dist-packages" not in path and not path.startswith(STDLIB_DIR):
                found.append(module)
    return found


def record_class(name, fields, model, modules):
    """The named tuple or dataclass of that name: of the model's own file, else of the user's others."""
    home = sys.modules.get(getattr(model, "__module__", None))
    known = {}
    for module in ([home] if home else []) + modules:
        for value in list(vars(module).values()):
            is_class = isinstance(value, type) and (hasattr(value, "_fields") or hasattr(value, "__dataclass_fields__"))
            if is_class:
                known.setdefault(value.__name__, value)
    if name not in known:
        others = "those there are " + ", ".join(sorted(known)) if known else "there are none"
        raise TypeError("the model's files have no named tuple or dataclass %s: %s" % (name, others))
    found = known[name]
    own = list(found._fields if hasattr(found, "_fields") else found.__dataclass_fields__)
    unknown = [field for field in fields if field not in own]
    if unknown:
        raise TypeError("%s has no %s; its fields are %s" % (name, ", ".join(unknown), ", ".join(own)))
    return found
