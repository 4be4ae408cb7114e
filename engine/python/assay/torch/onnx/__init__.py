"""torch.onnx: assay writes no ONNX. What packages register when they are imported is taken and left alone."""


def register_custom_op_symbolic(symbolic_name, symbolic_fn, opset_version):
    """Taken from packages that register how their operators would be written."""


def is_in_onnx_export():
    return False


def export(*args, **kwargs):
    raise NotImplementedError("assay's torch writes no ONNX: export with PyTorch")


def __getattr__(name):
    raise AttributeError(f"assay's torch has no 'onnx.{name}'")
