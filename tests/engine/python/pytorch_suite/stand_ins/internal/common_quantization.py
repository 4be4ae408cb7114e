"""torch.testing._internal.common_quantization: no library of quantized kernels is there."""

import unittest

skipIfNoFBGEMM = unittest.skip("needs FBGEMM")
skipIfNoQNNPACK = unittest.skip("needs QNNPACK")


def __getattr__(name):
    from pytorch_suite.stand_ins.outside import Outside
    if name.startswith("__"):
        raise AttributeError(name)
    return Outside(f"torch.testing._internal.common_quantization.{name}")
