"""The process that runs tests of one file, one after the other: child.py PACKAGE RELEASE FILE DESCRIPTOR.

On the descriptor it writes a line of JSON with the names of all tests; standard input then has the names of
those to run, one a line. For each it writes that it starts, and how it ended."""

import importlib
import inspect
import json
import linecache
import os
import re
import sys
import traceback
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from pytorch_suite.stand_ins import install, outside  # noqa: E402


class _Result(unittest.TestResult):
    """How one test ended; of its subtests the first that fails counts."""

    def __init__(self):
        super().__init__()
        self.outcome, self.error = "passed", None

    def _ended(self, outcome, error):
        if self.error is None:
            self.outcome, self.error = outcome, error

    def addError(self, test, err):
        self._ended("error", err)

    def addFailure(self, test, err):
        self._ended("failed", err)

    def addSubTest(self, test, subtest, err):
        if err:
            self._ended("failed" if issubclass(err[0], test.failureException) else "error", err)

    def addSkip(self, test, reason):
        self.outcome, self.reason = "skipped", reason

    def addUnexpectedSuccess(self, test):
        self.outcome, self.reason = "failed", "PyTorch expects that this test fails"

    def addExpectedFailure(self, test, err):
        pass


def _import(name):
    """The file's module. Names that torch's modules lack become outside."""
    while True:
        try:
            return importlib.import_module(name)
        except ImportError as error:
            lacking = sys.modules.get(error.name or "")
            found = re.match(r"cannot import name '(\w+)'", str(error))
            if not (found and lacking and error.name.startswith("torch")) or hasattr(lacking, found[1]):
                raise
            setattr(lacking, found[1], outside.Outside(f"{error.name}.{found[1]}"))


def _tests_of(module):
    """The tests of the classes that the file itself defines, by their names."""
    found = {}
    for cls in vars(module).values():
        if not (inspect.isclass(cls) and issubclass(cls, unittest.TestCase) and cls.__module__ == module.__name__):
            continue
        for name in unittest.defaultTestLoader.getTestCaseNames(cls):
            found[f"{cls.__name__}.{name}"] = (cls, name)
    return found


def _source(cls, name):
    try:
        return inspect.getsource(inspect.unwrap(getattr(cls, name)))
    except (OSError, TypeError):
        return ""


def _exceptions(error):
    """An exception and what it came of."""
    seen = []
    while error is not None and error not in seen:
        seen.append(error)
        error = error.__cause__ or error.__context__
    return seen


def _lines(error, folders):
    """The lines of the tests and of the stand-ins that the error passed."""
    found = []
    for frame, number in traceback.walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        if file.startswith(folders):
            found.append(linecache.getline(file, number).strip())
    return found


def _run(cls, name, folders):
    result = _Result()
    cls(name).run(result)
    record = {"outcome": result.outcome, "message": getattr(result, "reason", ""), "lines": []}
    if result.error:
        error = result.error[1]
        record["message"] = f"{type(error).__name__}: {error}"
        record["lines"] = _lines(error, folders)
        record["trace"] = "".join(traceback.format_exception(error))[-6000:]
        record["outside"] = [str(each) for each in _exceptions(error) if isinstance(each, outside.OutsideInterface)]
    return record


def main():
    package, release, file, descriptor = sys.argv[1:]
    out = os.fdopen(int(descriptor), "w")

    def say(**line):
        out.write(json.dumps(line) + "\n")
        out.flush()

    install.install(package, release)
    name = os.path.splitext(file)[0].replace("/", ".")
    outside.importing = True
    try:
        module = _import(name)
    except BaseException as error:
        say(failed=f"{type(error).__name__}: {error}", trace=traceback.format_exc()[-6000:])
        return
    outside.importing = False
    tests = _tests_of(module)
    say(tests=list(tests))
    here = os.path.dirname(os.path.abspath(__file__))
    folders = (os.path.join(release, "test"), here)
    for line in sys.stdin:
        test = line.strip()
        say(start=test)
        cls, method = tests[test]
        try:
            record = _run(cls, method, folders)
        except BaseException as error:  # unittest lets KeyboardInterrupt and SystemExit pass.
            record = {"outcome": "error", "message": f"{type(error).__name__}: {error}", "lines": []}
        say(end=test, source=_source(cls, method), **record)


main()
