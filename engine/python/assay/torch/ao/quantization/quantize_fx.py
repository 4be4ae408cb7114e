"""torch.ao.quantization.quantize_fx, whose names packages import."""

from ..._absent import names

__getattr__ = names(__name__, "convert_fx convert_to_reference_fx fuse_fx prepare_fx prepare_qat_fx",
                    "assay runs models in floating point: quantize in PyTorch, and check what comes out")
