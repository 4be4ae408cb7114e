"""torch.sparse: tensors that hold their elements by coordinates."""

from ._absent import names

__getattr__ = names(__name__, "addmm mm sum softmax log_softmax sampled_addmm spdiags",
                    "assay's tensors are dense. Convert with to_dense() in PyTorch")
