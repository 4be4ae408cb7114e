"""Worker processes, of which there are none."""
from ..dataloader import get_worker_info  # noqa: F401

_worker_info = None
