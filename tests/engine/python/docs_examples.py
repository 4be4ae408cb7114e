"""Runs examples of PyTorch's documents and writes what each did as JSON, a line for each.

Usage: docs_examples.py RELEASE FOLDER OUTPUT [NAME...]

Examples of one document see what those before them defined, as in Sphinx; those of a docstring see nothing.
Each is written to a file of FOLDER first, since the compiler of TorchScript reads sources. What an
example prints is caught below Python, where scripts print.
"""
import contextlib
import io
import json
import os
import pathlib
import signal
import sys
import types
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import docs_blocks

import torch

SECONDS = 60


@contextlib.contextmanager
def caught(path):
    """Standard output in a file, that of C++ code too."""
    sys.stdout.flush()
    before = os.dup(1)
    with open(path, "wb") as out:
        os.dup2(out.fileno(), 1)
        try:
            yield
        finally:
            sys.stdout.flush()
            os.dup2(before, 1)
            os.close(before)


def late(*_):
    raise TimeoutError("an example that does not end")


class Document:
    """The examples of one document: modules, each of which begins with the names of those before."""

    def __init__(self, folder):
        self.folder = folder
        self.names = {}

    def run(self, example):
        stem = "example_" + "".join(c if c.isalnum() else "_" for c in example.name)
        path = os.path.join(self.folder, stem + ".py")
        module = types.ModuleType(stem)
        module.__file__ = path
        shared = example.document.endswith(".rst")
        module.__dict__.update(self.names if shared else {"torch": torch, "nn": torch.nn, "F": torch.nn.functional})
        sys.modules[stem] = module
        self.write(path, example)
        failed = self.execute(example, path, module)
        if shared:
            self.names = {name: value for name, value in vars(module).items() if not name.startswith("__")}
        return failed

    def write(self, path, example):
        lines = [""] * (example.text.count("\n") + 1)
        for before, source in example.parts():
            lines[before:before + source.count("\n")] = source.rstrip("\n").split("\n")
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")

    def execute(self, example, path, module):
        """Every part, as at a prompt, also after one that failed; the failures."""
        failed = []
        for before, source in example.parts():
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    code = compile("\n" * before + source, path, "single" if example.prompts else "exec",
                                   dont_inherit=True)
                    exec(code, vars(module))
            except (Exception, SystemExit) as error:
                failed.append({"line": before, "source": source, "error": type(error).__name__,
                               "message": str(error)})
        return failed


def main(release, folder, output, *names):
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    signal.signal(signal.SIGALRM, late)
    document, held = None, None
    with open(output, "w") as written:
        for example in docs_blocks.examples(release):
            if names and not example.name.startswith(names):
                continue
            if document != example.document:
                document, held = example.document, Document(folder)
            torch.manual_seed(0)
            printed = os.path.join(folder, "printed")
            signal.alarm(SECONDS)
            with caught(printed), contextlib.redirect_stderr(io.StringIO()):
                failed = held.run(example)
            signal.alarm(0)
            with open(printed, errors="replace") as file:
                line = {"name": example.name, "printed": file.read(), "failed": failed}
            written.write(json.dumps(line) + "\n")
            written.flush()


main(*sys.argv[1:])
