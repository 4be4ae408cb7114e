"""torch.cuda.amp: autocast for CUDA devices. What scales gradients is not here."""

from ...amp.autocast_mode import autocast as _autocast


class autocast(_autocast):
    def __init__(self, enabled=True, dtype=None, cache_enabled=True):
        super().__init__("cuda", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)


def custom_fwd(fwd=None, **_):
    return (lambda function: function) if fwd is None else fwd


custom_bwd = custom_fwd


def __getattr__(name):
    raise AttributeError(f"assay's torch has no 'cuda.amp.{name}': gradients are not scaled, since none are computed")
