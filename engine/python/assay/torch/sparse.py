"""torch.sparse: tensors that hold their elements by coordinates."""

from ._absent import names

_WHY = "assay's tensors are dense. Convert with to_dense() in PyTorch"
CLASSES = ("BFloat16Tensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor "
           "ShortTensor")

__getattr__ = names(__name__, "addmm mm sum softmax log_softmax sampled_addmm spdiags " + CLASSES, _WHY)
