"""torch.jit.freeze: parameters and attributes of a module become constants of its methods."""

from ._script_module import RecursiveScriptModule, as_compiled, wrap_cpp_module


def freeze(mod, preserved_attrs=None, optimize_numerics=True):
    mod = as_compiled(mod)
    if not isinstance(mod, RecursiveScriptModule):
        raise RuntimeError(f"torch.jit.freeze takes a compiled module, not a {type(mod).__name__}: compile "
                           "it before, by torch.jit.script or torch.jit.trace")
    if mod._c.has("training") and mod.training:
        raise RuntimeError("torch.jit.freeze takes a module in evaluation mode: call its eval() before")
    return wrap_cpp_module(mod._c.freeze(list(preserved_attrs or [])))


def optimize_for_inference(mod, other_methods=None):
    frozen = freeze(mod.eval(), preserved_attrs=other_methods) if mod._c.has("training") else mod
    return frozen


def run_frozen_optimizations(mod, optimize_numerics=True, preserved_methods=None):
    return None
