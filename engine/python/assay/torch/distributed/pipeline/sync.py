"""torch.distributed.pipeline.sync."""

from ..._absent import names

__getattr__ = names(__name__, "NoChunk Pipe WithDevice is_checkpointing is_recomputing", "assay runs in one process")
