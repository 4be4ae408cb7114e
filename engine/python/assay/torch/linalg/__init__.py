"""torch.linalg, as far as the catalog has its operators."""

from assay import _engine as _C

from .._namespaces import functions, missing

globals().update(functions("linalg_"))
LinAlgError = _C._LinAlgError
__getattr__ = missing("linalg")
