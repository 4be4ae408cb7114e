"""DataParallel on one device: the module itself, under the names that a wrapped model's state dict has."""
from ..modules.module import Module


class DataParallel(Module):
    """Calls its module. Models that were saved from a DataParallel load into one."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        if device_ids is not None and len(device_ids) > 1:
            raise RuntimeError("assay runs a module on one device: give DataParallel at most one device id")
        self.module = module
        self.device_ids = list(device_ids or [])
        self.dim = dim

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    """Calls `module` with these inputs."""
    inputs = inputs if isinstance(inputs, tuple) else (inputs,)
    return module(*inputs, **(module_kwargs or {}))
