"""torch.onnx.operators: sizes as tensors, which a trace follows."""

from assay import _engine as _C


def shape_as_tensor(x):
    """The sizes of a tensor as a tensor."""
    return _C.functions["_shape_as_tensor"](x)


def reshape_from_tensor_shape(x, shape):
    """The tensor in the sizes that another one holds."""
    return _C.functions["_reshape_from_tensor"](x, shape)
