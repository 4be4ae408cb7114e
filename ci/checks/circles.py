"""No two Python modules import each other, be it over others: imports within functions count, too. A package that
hands names of its modules on is imported by users, not by them (engine/python/assay/torch/_package.py)."""

import ast
import pathlib
import subprocess
import sys

ROOTS = ["engine/python", "verify/host"]  # Folders that stand on Python's path.


def module_of(path):
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(tree, package, modules):
    """The modules that a file imports, as far as they are these."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name in modules)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join(above + ([node.module] if node.module else []))
            for name in node.names:
                inner = f"{base}.{name.name}"
                yield from [inner] if inner in modules else [base] if base in modules else []


def imports_below(root):
    listed = subprocess.run(["git", "ls-files", f"{root}/*.py"], capture_output=True, text=True, check=True).stdout.split()
    paths = {module_of(pathlib.Path(name).relative_to(root)): name for name in listed}
    found = {}
    for module, path in paths.items():
        package = module if path.endswith("__init__.py") else module.rpartition(".")[0]
        found[module] = {name for name in imported(ast.parse(pathlib.Path(path).read_text(), path), package, paths)
                         if name != module}
    return found


def circle(imports):
    """A list of modules of which each imports the next, and the last the first; none if there is no such list."""
    done, way = set(), []

    def visit(module):
        if module in way:
            return way[way.index(module):]
        if module in done:
            return None
        way.append(module)
        found = next(filter(None, map(visit, sorted(imports[module]))), None)
        way.pop()
        done.add(module)
        return found

    return next(filter(None, map(visit, sorted(imports))), None)


def main():
    found = [names for names in map(circle, map(imports_below, ROOTS)) if names]
    for names in found:
        print("circles:", " imports ".join([*names, names[0]]))
    return 1 if found else 0


sys.exit(main())
