"""torch.nested: tensors of tensors of different sizes."""

from ._absent import names

__getattr__ = names(__name__, "nested_tensor to_padded_tensor", "assay's tensors have one size; pad them")
