"""No Python file defines a function or class twice in one place: the second takes the first one's callers."""

import ast
import subprocess
import sys


def bodies(tree):
    """The statements of the module and of each class and function in it."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            yield node.body


def redefined(body):
    """(name, line of the second definition); one that a decorator makes (a setter, an overload) is meant."""
    seen = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.decorator_list:
            if node.name in seen:
                yield node.name, node.lineno
            seen.add(node.name)


def main():
    files = subprocess.run(["git", "ls-files", "*.py"], capture_output=True, text=True, check=True).stdout.split()
    wrong = [f"{name}:{line}: {what} is defined twice" for name in files
             for body in bodies(ast.parse(open(name).read(), name)) for what, line in redefined(body) if what != "_"]
    for line in wrong:
        print("redefinitions:", line)
    return 1 if wrong else 0


sys.exit(main())
