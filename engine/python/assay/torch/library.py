"""torch.library: where PyTorch takes operators written by its users."""

from ._absent import names

__getattr__ = names(__name__, "Library impl define", "an engine's operators are those of its catalog; write what the "
                    "operator computes as a Python function")
