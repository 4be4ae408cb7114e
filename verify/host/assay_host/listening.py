"""What happened beside the outputs: errors, warnings, operator counts, and the user's lines."""

import os
import sys
import warnings

import torch

from assay_host.frames import clip
from assay_host.trees import class_name

TORCH_DIR = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
PYTHON_DIR = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
INSTALLED = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)
NUMPY = (*(folder + "numpy" + os.sep for folder in INSTALLED), "<__array_function__")


def is_own_frame(frame):
    return str(frame.f_globals.get("__name__")).startswith("assay_host")


def is_user_file(file):
    """Neither torch's, nor NumPy's, nor one of Python's own modules."""
    of_python = file.startswith("<frozen") or (
        file.startswith(PYTHON_DIR) and not any(folder in file for folder in INSTALLED))  # fmt: skip
    return not of_python and not file.startswith(TORCH_DIR) and not any(folder in file for folder in NUMPY)


def is_user_frame(frame):
    """Neither of this package nor of torch or Python."""
    return not is_own_frame(frame) and is_user_file(frame.f_code.co_filename)


def describe_error(error, phase):
    frames, place, trace = [], None, error.__traceback__
    while trace is not None:
        if not is_own_frame(trace.tb_frame):
            code = trace.tb_frame.f_code
            frames.append({"file": code.co_filename, "line": trace.tb_lineno, "function": code.co_name})
            if is_user_frame(trace.tb_frame):
                place = frames[-1]
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename:
        place = {"file": error.filename, "line": error.lineno or 0, "function": "<module>"}
    try:
        message = clip(str(error))
    except BaseException:
        message = "(its text could not be made)"
    if isinstance(error, SystemExit):  # Its text is the bare exit code, or nothing.
        message = "sys.exit(%s) was called" % clip(repr(error.code), 200)
    return {"type": class_name(error).replace("builtins.", ""), "message": message, "phase": phase,
            "place": place or (frames[-1] if frames else None), "frames": frames[-20:]}  # fmt: skip


def ran_out_of_memory(error):
    """What another machine may not say of the same call; PyTorch 1.13 has no class for it on the CPU."""
    return isinstance(error, (MemoryError, torch.cuda.OutOfMemoryError)) or (
        isinstance(error, RuntimeError) and "can't allocate memory" in str(error))


class Listening:
    """Collects warnings, with the user's line that led to each."""

    def __enter__(self):
        self.found, self._catch = [], warnings.catch_warnings()
        self._catch.__enter__()
        warnings.simplefilter("always")
        warnings.showwarning = self._show
        return self

    def __exit__(self, *_):
        self._catch.__exit__(None, None, None)

    def _show(self, message, category, filename, lineno, file=None, line=None):
        frame = sys._getframe(1)
        while frame is not None and not is_user_frame(frame):
            frame = frame.f_back
        if frame is not None and filename.startswith((TORCH_DIR, "<assay_host")):
            filename, lineno = frame.f_code.co_filename, frame.f_lineno
        if len(self.found) < 1000:
            self.found.append({"category": category.__name__, "message": clip(str(message)),
                               "file": filename, "line": lineno})  # fmt: skip


def counting_mode():
    """A mode that counts operator calls, devices and synchronizations, or None where torch has none."""
    try:
        from torch.utils._python_dispatch import TorchDispatchMode
    except ImportError:
        return None

    class Counting(TorchDispatchMode):
        def __init__(self):
            super().__init__()
            self.ops, self.devices, self.syncs, self.copies = {}, {}, 0, 0

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            name = str(func)
            result = func(*args, **(kwargs or {}))
            self.ops[name] = self.ops.get(name, 0) + 1
            self.syncs += name.startswith("aten._local_scalar_dense")
            for value in result if isinstance(result, (list, tuple)) else [result]:
                if isinstance(value, torch.Tensor):
                    device = str(value.device)
                    self.devices[device] = self.devices.get(device, 0) + 1
                    sources = [a for a in args if isinstance(a, torch.Tensor)]
                    self.copies += bool(sources) and all(a.device != value.device for a in sources)
            return result

    return Counting()
