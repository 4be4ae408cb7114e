"""torch.ao.quantization: the places that a quantized model marks. assay runs models in floating point."""
from ...nn import Module


class QuantStub(Module):
    """Where a quantized model would begin to be one."""

    def __init__(self, qconfig=None):
        super().__init__()
        if qconfig:
            self.qconfig = qconfig

    def forward(self, x):
        return x


class DeQuantStub(QuantStub):
    """Where a quantized model would stop to be one."""


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)

    def unsupported(*args, **kwargs):
        raise NotImplementedError(f"assay's torch has no 'ao.quantization.{name}': it runs models in floating point")

    return unsupported
