"""torch.jit.save."""

import os


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
    archived = getattr(type(m), "_archived", None)
    held = archived and archived(m)
    if held is None:
        raise ValueError(f"torch.jit.save takes a compiled module or function, not a {type(m).__name__}")
    extra = {name: text.encode() if isinstance(text, str) else text for name, text in (extra_files or {}).items()}
    origins = m.__dict__.get("_origins")  # What left the graph while it was traced.
    if origins:
        extra.setdefault("assay/origins.json", origins.encode())
    return held, extra
