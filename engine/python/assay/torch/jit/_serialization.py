"""torch.jit.save and load."""

import io
import os

from assay import _engine as _C
from ._script_module import wrap_cpp_module
from ._writing import save, save_to_bytes  # noqa: F401


def load(f, map_location=None, _extra_files=None):
    """The module of an archive: a path, or an open file. Fills in the files that `_extra_files` names."""
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
