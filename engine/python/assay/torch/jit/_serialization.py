"""torch.jit.save and load."""

import io
import os

from assay import _engine as _C


def save(m, f, _extra_files=None):
    """Writes a compiled module as an archive that PyTorch loads."""
    extra = {name: text.encode() if isinstance(text, str) else text for name, text in (_extra_files or {}).items()}
    origins = m.__dict__.get("_origins")  # What left the graph while it was traced.
    if origins:
        extra.setdefault("assay/origins.json", origins.encode())
    if isinstance(f, (str, os.PathLike)):
        m._c.save(os.fspath(f), extra)
    else:
        f.write(m._c.save_bytes(extra))


def load(f, map_location=None, _extra_files=None):
    """The module of an archive: a path, or an open file."""
    from ._recursive import wrap_cpp_module
    device = None if map_location is None else str(map_location)
    extra = {}
    if isinstance(f, (str, os.PathLike)):
        path = os.fspath(f)
        if not os.path.exists(path):
            raise ValueError(f"The provided filename {path} does not exist")
        if os.path.isdir(path):
            raise ValueError(f"The provided filename {path} is a directory")
        loaded = _C.script_load(path, device, extra)
    else:
        loaded = _C.script_load_bytes(f.read(), device, extra)
    if _extra_files is not None:
        for name in _extra_files:
            _extra_files[name] = extra.get(name, b"")
    return wrap_cpp_module(loaded)
