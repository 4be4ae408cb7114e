"""How samples become batches."""
from ..dataloader import default_collate, default_convert  # noqa: F401
