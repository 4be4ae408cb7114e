"""torch.utils. Its modules are imported when they are asked for."""

import importlib

_MODULES = ("_pytree", "benchmark", "bundled_inputs", "checkpoint", "cpp_extension", "data", "dlpack", "hooks",
            "mobile_optimizer", "model_zoo")


def __getattr__(name):
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"assay's torch has no 'utils.{name}' yet")
