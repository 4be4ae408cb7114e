"""How torch.linalg, torch.fft and torch.special are made of the catalog."""

from assay import _engine as _C


def functions(prefix):
    """The catalog's functions whose names begin so, by the rest of their names."""
    found = {}
    for name in _C.functions:
        if name.startswith(prefix):
            found[name[len(prefix):]] = _C.functions[name]
    return found


def missing(namespace):
    """A module's `__getattr__` for what is not there."""
    def get(name):
        raise AttributeError(f"assay's torch has no '{namespace}.{name}' yet")
    return get
