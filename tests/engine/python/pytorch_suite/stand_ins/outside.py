"""Names that PyTorch's tests use and assay has not, since they are PyTorch's insides."""

import types


class OutsideInterface(Exception):
    """A test used what is not part of the documented interface."""


# While a file of tests is imported, such names may be called and looked into: files use them in decorators and
# tables, long before any test runs.
importing = False


class Outside:
    """Stands for one such name. Using it raises, and so tells the runner why the test cannot run."""

    def __init__(self, name):
        object.__setattr__(self, "_name", name)

    def __getattr__(self, name):
        if name.startswith("__") or name == "_pytree_":
            raise AttributeError(name)
        if importing:
            return Outside(f"{self._name}.{name}")
        raise OutsideInterface(f"{self._name}.{name}")

    def __call__(self, *args, **kwargs):
        if not importing:
            raise OutsideInterface(self._name)
        decorates = len(args) == 1 and not kwargs and (isinstance(args[0], (types.FunctionType, type)))
        return args[0] if decorates else Outside(self._name)

    def __iter__(self):
        if importing:
            return iter(())
        raise OutsideInterface(self._name)

    def __mro_entries__(self, bases):
        return (object,)

    def __repr__(self):
        return f"<{self._name}, outside the documented interface>"


def module(name):
    """A module all of whose names are outside."""
    made = types.ModuleType(name)
    made.__path__ = []
    made.__file__ = f"<{name}>"

    def get(attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return Outside(f"{name}.{attribute}")

    made.__getattr__ = get
    return made
