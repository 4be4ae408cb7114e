"""torch.fft, as far as the catalog has its operators."""

from .._namespaces import functions, missing

globals().update(functions("fft_"))
__getattr__ = missing("fft")
