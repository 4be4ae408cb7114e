"""torch.cuda.sparse: the classes of sparse tensors on CUDA devices."""

from .._absent import names
from ..sparse import CLASSES, _WHY

__getattr__ = names(__name__, CLASSES, _WHY)
