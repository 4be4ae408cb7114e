"""torch.linalg, as far as the catalog has its operators."""

from .._namespaces import functions, missing

globals().update(functions("linalg_"))
__getattr__ = missing("linalg")
