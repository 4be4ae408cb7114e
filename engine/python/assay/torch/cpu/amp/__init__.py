"""torch.cpu.amp.autocast."""

from ...amp.autocast_mode import autocast as _autocast
from ... import bfloat16


class autocast(_autocast):
    def __init__(self, enabled=True, dtype=bfloat16, cache_enabled=True):
        super().__init__("cpu", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)
