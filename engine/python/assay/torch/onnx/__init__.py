"""torch.onnx: assay writes no ONNX. What packages register when they are imported is taken and left alone."""

import enum
import importlib
import re


def register_custom_op_symbolic(symbolic_name, symbolic_fn, opset_version):
    """Taken from packages that register how their operators would be written."""


class TrainingMode(enum.Enum):
    EVAL, PRESERVE, TRAINING = 0, 1, 2


class OperatorExportTypes(enum.Enum):
    ONNX, ONNX_ATEN, ONNX_ATEN_FALLBACK, ONNX_FALLTHROUGH = 0, 1, 2, 3


def is_in_onnx_export():
    return False


def export(*args, **kwargs):
    raise NotImplementedError("assay's torch writes no ONNX: export with PyTorch")


def __getattr__(name):
    if re.fullmatch("symbolic_opset([7-9]|1[0-7])", name):  # All of them are alike here.
        return importlib.import_module(f"{__name__}.symbolic_opset11")
    raise AttributeError(f"assay's torch has no 'onnx.{name}'")
