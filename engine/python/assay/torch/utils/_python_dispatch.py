"""torch.utils._python_dispatch, whose names packages import."""

from .._absent import names

__getattr__ = names(__name__, "TorchDispatchMode", "calls of operators can be seen by __torch_function__")
