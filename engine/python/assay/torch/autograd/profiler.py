"""Names of parts of a program, for a profiler that is not here."""

import contextlib


class record_function(contextlib.ContextDecorator):
    """A part of a program with a name."""

    def __init__(self, name, args=None):
        self.name, self.args = name, args

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


def __getattr__(name):
    raise AttributeError(f"assay's torch has no 'autograd.profiler.{name}' yet")
