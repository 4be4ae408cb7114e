"""What tracing warns by."""

import os
import sys
import warnings

_TORCH = os.path.dirname(os.path.abspath(__file__))
# Where functions are Python that are none in PyTorch.
_UNSEEN = tuple(os.path.join(_TORCH, name) for name in (
    "jit" + os.sep, "_builtin_methods.py", "_creation.py", "_tensor.py", "_tensor_methods.py", "_legacy_types.py",
    "_tracer_warning.py"))


class TracerWarning(Warning):
    """Something was done while tracing that the trace does not show."""

    __module__ = f"{__package__}.jit._trace"

    @staticmethod
    def ignore_lib_warnings():
        warnings.filterwarnings("ignore", category=TracerWarning, module="torch.(?!jit)")


TracerWarning.ignore_lib_warnings()


def warn_of_trace(message):
    """Names the line that called a function which is no Python in PyTorch."""
    frame, level = sys._getframe(1), 2
    while frame and frame.f_code.co_filename.startswith(_UNSEEN):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category=TracerWarning, stacklevel=level)


def warn_of_constant(function):
    """What a function gives that makes tensors of Python's data is a constant of the trace."""
    warn_of_trace(f"What {function} gives becomes a constant of the trace: it is right if its elements are the same "
                  "in every call, and else the trace may be wrong.")
