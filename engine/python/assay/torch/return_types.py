"""The classes of named results: torch.return_types.max."""

from assay import _engine as _C


def __getattr__(name):
    found = None if name.startswith("__") else _C.return_type(name)
    if found is None:
        raise AttributeError(f"assay's torch has no 'return_types.{name}' yet")
    globals()[name] = found
    return found
