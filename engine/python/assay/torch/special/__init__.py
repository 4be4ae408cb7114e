"""torch.special, as far as the catalog has its operators."""

from .._namespaces import functions, missing

globals().update(functions("special_"))
__getattr__ = missing("special")
