"""torch.jit.save and load."""

import io
import os

from assay import _engine as _C


def save(m, f, _extra_files=None):
    """Writes a compiled module or function as an archive that PyTorch loads."""
    held, extra = _to_write(m, _extra_files)
    if isinstance(f, (str, os.PathLike)):
        held.save(os.fspath(f), extra)
    else:
        f.write(held.save_bytes(extra))


def save_to_bytes(m, _extra_files=None):
    held, extra = _to_write(m, _extra_files)
    return held.save_bytes(extra)


def _to_write(m, extra_files):
    """The engine's object to be written, and the files that go with it."""
    from ._functions import ScriptFunction
    from ._script import RecursiveScriptModule, as_compiled
    extra = {name: text.encode() if isinstance(text, str) else text for name, text in (extra_files or {}).items()}
    origins = m.__dict__.get("_origins")  # What left the graph while it was traced.
    if origins:
        extra.setdefault("assay/origins.json", origins.encode())
    if isinstance(m, ScriptFunction):
        return m._c.placeholder(), extra
    m = as_compiled(m)
    if not isinstance(m, RecursiveScriptModule):
        raise ValueError(f"torch.jit.save takes a compiled module or function, not a {type(m).__name__}")
    return m._c, extra


def load(f, map_location=None, _extra_files=None):
    """The module of an archive: a path, or an open file. Fills in the files that `_extra_files` names."""
    from ._recursive import wrap_cpp_module
    device = None if map_location is None else str(map_location)
    if isinstance(f, (str, os.PathLike)):
        f = os.fspath(f)
        if not os.path.exists(f):
            raise ValueError(f"there is no file {f} to load")
        if os.path.isdir(f):
            raise ValueError(f"{f} is a folder: torch.jit.load takes a file")
        loaded = _C.script_load(f, device)
    else:
        data = f.read()
        loaded = _C.script_load_bytes(data, device)
        f = io.BytesIO(data)
    if _extra_files:
        _read_extra_files(f, _extra_files)
    return wrap_cpp_module(loaded)


def _read_extra_files(archive, wanted):
    import zipfile
    with zipfile.ZipFile(archive) as opened:
        root = opened.namelist()[0].split("/")[0]
        for name in wanted:
            member = f"{root}/extra/{name}"
            if member in opened.namelist():
                wanted[name] = opened.read(member)
