"""The text of Python functions, as the compiler takes it: whole lines of the file, the first line's
number, and the file's name."""

import ast
import inspect
import linecache
import operator
import textwrap


def _last_line(code, places):
    """The last line that instructions of the code, or of functions inside it, come from."""
    last = max(places(code), default=0)
    last = max(last, code.co_firstlineno)
    for constant in code.co_consts:
        if inspect.iscode(constant):
            last = max(last, _last_line(constant, places))
    return last


def _starts(code):
    """The lines on which instructions start: quick to ask for."""
    return filter(None, map(operator.itemgetter(2), code.co_lines()))


def _ends(code):
    """The lines on which instructions end."""
    return filter(None, map(operator.itemgetter(1), code.co_positions()))


def _is_whole(text):
    """Whether no bracket and no text is open at the end. In doubt not: a bracket inside a text counts, too."""
    return (text.count("(") == text.count(")") and text.count("[") == text.count("]")
            and text.count("{") == text.count("}") and text.count('"""') % 2 == 0 and text.count("'''") % 2 == 0
            and not text.endswith("\\\n"))


def _indentation(line):
    return len(line) - len(line.lstrip())


def _end_of(lines, first, last):
    """The index behind the definition that starts at `first` and reaches at least to `last`. What
    Python's compiler leaves out (`pass`, code after a return) still belongs to it as long as it is
    indented."""
    indent = _indentation(lines[first])
    at = last + 1
    while at < len(lines):
        line = lines[at]
        if line.strip() and not line.lstrip().startswith("#") and _indentation(line) <= indent:
            break
        at += 1
    return at


def not_a_function(obj):
    return RuntimeError(f"{obj!r} cannot be compiled: it is neither a function nor a method of Python. Call "
                        "something that is, or hide the call behind @torch.jit.ignore")


def piece_of(fn):
    """(text, file name, first line) of a function or method. An OSError that says what to do if the
    text cannot be had."""
    function = inspect.unwrap(getattr(fn, "__func__", fn))
    code = getattr(function, "__code__", None)
    if code is None:
        raise not_a_function(fn)
    if function.__name__ == "<lambda>":
        raise RuntimeError("a lambda cannot be compiled: write a function by def")
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if not lines:
        lines = linecache.getlines(inspect.getsourcefile(code) or code.co_filename, function.__globals__)
    first = code.co_firstlineno - 1
    if first >= len(lines):
        raise OSError(f"the source of {fn} is not to be found, and compiling needs it: keep the .py file "
                      "beside what was made of it")
    text = "".join(lines[first:_end_of(lines, first, _last_line(code, _starts) - 1)])
    if not _is_whole(text):
        text = "".join(lines[first:_end_of(lines, first, _last_line(code, _ends) - 1)])
    return text, code.co_filename, first + 1


def piece_of_text(text, name="<string>", first_line=1):
    return textwrap.dedent(text) if text[:1].isspace() else text, name, first_line


def pieces_of_text(text, name="<string>"):
    """The functions of a text, each as piece_of gives it."""
    text = textwrap.dedent(text)
    try:
        functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    except SyntaxError:  # Our own reader says what is wrong.
        functions = []
    lines = text.splitlines(keepends=True)
    starts = [node.lineno - 1 for node in functions] + [len(lines)]
    pieces = [("".join(lines[first:end]), name, first + 1) for first, end in zip(starts, starts[1:])]
    return pieces or [piece_of_text(text, name)]


def default_arguments(fn):
    """The default values of a function's parameters, by name."""
    function = getattr(fn, "__func__", fn)
    if function is None:
        return {}
    code = getattr(function, "__code__", None)
    if code is None:
        return {}
    if not function.__defaults__ and not function.__kwdefaults__:
        return {}
    defaults = function.__defaults__ or ()
    positional = code.co_varnames[:code.co_argcount]
    found = dict(zip(positional[len(positional) - len(defaults):], defaults))
    found.update(function.__kwdefaults__ or {})
    for name, value in found.items():
        if isinstance(value, (list, dict, set)):
            raise RuntimeError(f"Mutable default parameters cannot be compiled: all calls of {function.__qualname__} would "
                               f"share the {type(value).__name__} of '{name}'. Make it None, and a new one in the body")
    return found
