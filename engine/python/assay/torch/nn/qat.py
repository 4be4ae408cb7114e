"""torch.nn.qat: modules that are trained for quantization."""

from .._absent import names

__getattr__ = names(__name__, "Conv1d Conv2d Conv3d Embedding EmbeddingBag Linear", "assay does not train")
