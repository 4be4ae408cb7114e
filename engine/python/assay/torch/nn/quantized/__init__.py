"""torch.nn.quantized: the functions that a model marks for quantization. What computes in integers is absent."""

from ..._absent import names
from ._float_functional import FloatFunctional

__getattr__ = names(__name__, """
    BatchNorm2d BatchNorm3d Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d DeQuantize Dropout
    ELU Embedding EmbeddingBag FXFloatFunctional GroupNorm Hardswish InstanceNorm1d InstanceNorm2d InstanceNorm3d
    LSTM LayerNorm LeakyReLU Linear MaxPool2d MultiheadAttention PReLU QFunctional Quantize ReLU6 Sigmoid Softmax""",
                    "assay runs models in floating point", submodules=("dynamic",))
