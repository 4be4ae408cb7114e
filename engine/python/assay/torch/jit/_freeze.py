"""torch.jit.freeze: parameters and attributes of a module become constants of its methods."""

from ._script import RecursiveScriptModule


def freeze(mod, preserved_attrs=None, optimize_numerics=True):
    if not isinstance(mod, RecursiveScriptModule):
        raise RuntimeError(f"Freezing expects a ScriptModule as input. Please use torch.jit.script or torch.jit.trace "
                           f"to script your 'nn.Module'.")
    if mod._c.has("training") and mod.training:
        raise RuntimeError("Freezing is currently only implemented for modules in eval mode. Please call .eval() on "
                           "your module before freezing.")
    from ._recursive import wrap_cpp_module
    return wrap_cpp_module(mod._c.freeze(list(preserved_attrs or [])))


def optimize_for_inference(mod, other_methods=None):
    frozen = freeze(mod.eval(), preserved_attrs=other_methods) if mod._c.has("training") else mod
    return frozen


def run_frozen_optimizations(mod, optimize_numerics=True, preserved_methods=None):
    return None
