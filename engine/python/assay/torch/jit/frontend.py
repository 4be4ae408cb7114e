"""The errors of the compiler's front end: Python that TorchScript does not have."""

import ast
import textwrap


class FrontendError(Exception):
    """The source of a function cannot be compiled."""


class NotSupportedError(FrontendError):
    """Python has this syntax, and TorchScript has not."""


class UnsupportedNodeError(NotSupportedError):
    """As NotSupportedError, for a kind of expression or statement as a whole."""


def _reason(node):
    if isinstance(node, ast.arguments):
        if node.vararg or node.kwarg:
            return "Compiled functions can't take variable number of arguments"
        if any(default is not None for default in node.kw_defaults):
            return "Compiled functions can't have keyword-only parameters with default values"
    elif isinstance(node, (ast.For, ast.While)) and node.orelse:
        kind = "for" if isinstance(node, ast.For) else "while"
        return f"else branches of {kind} loops aren't supported"
    elif isinstance(node, ast.Call) and any(keyword.arg is None for keyword in node.keywords):
        return "keyword-arg expansion is not supported"
    return None


def unsupported(piece):
    """The error for the first thing in a function's text (_source.piece_of) that TorchScript has not; None
    if there is none."""
    text, file, first_line = piece
    try:
        tree = ast.parse(textwrap.dedent(text))
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        reason = _reason(node)
        if reason:
            line = first_line + getattr(node, "lineno", 1) - 1
            shown = textwrap.dedent(text).splitlines()[line - first_line]
            return NotSupportedError(f'{reason}:\n  File "{file}", line {line}\n{shown}')
    return None
