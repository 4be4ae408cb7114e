"""torch.cuda.amp: autocast for CUDA devices. What scales gradients is not here."""

from ...amp.autocast_mode import autocast as _autocast


class autocast(_autocast):
    def __init__(self, enabled=True, dtype=None, cache_enabled=True):
        super().__init__("cuda", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)


def custom_fwd(fwd=None, **_):
    return (lambda function: function) if fwd is None else fwd


custom_bwd = custom_fwd


class GradScaler:
    """Scales nothing, as PyTorch's own where there is no CUDA device."""

    def __init__(self, init_scale=2.**16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        self._enabled = False

    def is_enabled(self):
        return self._enabled

    def scale(self, outputs):
        return outputs

    def unscale_(self, optimizer):
        """Nothing was scaled."""

    def step(self, optimizer, *args, **kwargs):
        return optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        """There is no scale."""

    def get_scale(self):
        return 1.0

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        """There is no state."""


def __getattr__(name):
    raise AttributeError(f"assay's torch has no 'cuda.amp.{name}' yet")
