"""How samples become batches."""
import re

from ..dataloader import default_collate, default_convert  # noqa: F401

# Kinds of NumPy's arrays that make no tensors: texts and objects.
np_str_obj_array_pattern = re.compile(r"[SaUO]")
default_collate_err_msg_format = "samples of type {} make no batch: give the DataLoader a collate_fn"
