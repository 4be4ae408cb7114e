"""torch.nn.intrinsic: layers that follow each other, kept together by quantization."""

from ..modules import (BatchNorm1d, BatchNorm2d, BatchNorm3d, Conv1d, Conv2d, Conv3d, Linear, ReLU, Sequential)


class _FusedModule(Sequential):
    """Layers one behind the other."""


def _fused(name, *kinds):
    def init(self, *layers):
        if len(layers) != len(kinds) or any(type(layer) is not kind for layer, kind in zip(layers, kinds)):
            raise AssertionError(f"{name} holds {', '.join(kind.__name__ for kind in kinds)}; it was given "
                                 f"{', '.join(type(layer).__name__ for layer in layers)}")
        Sequential.__init__(self, *layers)
    return type(name, (_FusedModule,), {"__init__": init, "__module__": __name__})


for _dims, _conv, _norm in ((1, Conv1d, BatchNorm1d), (2, Conv2d, BatchNorm2d), (3, Conv3d, BatchNorm3d)):
    globals()[f"ConvReLU{_dims}d"] = _fused(f"ConvReLU{_dims}d", _conv, ReLU)
    globals()[f"ConvBn{_dims}d"] = _fused(f"ConvBn{_dims}d", _conv, _norm)
    globals()[f"ConvBnReLU{_dims}d"] = _fused(f"ConvBnReLU{_dims}d", _conv, _norm, ReLU)
BNReLU2d = _fused("BNReLU2d", BatchNorm2d, ReLU)
BNReLU3d = _fused("BNReLU3d", BatchNorm3d, ReLU)
LinearReLU = _fused("LinearReLU", Linear, ReLU)
LinearBn1d = _fused("LinearBn1d", Linear, BatchNorm1d)
del _dims, _conv, _norm
