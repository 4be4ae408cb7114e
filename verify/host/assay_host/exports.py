"""Tracing, and archives of what was traced without memory."""

import contextlib

import torch

from assay_host.arguments import Fixed, at, check_fits, divide, positional
from assay_host.trees import storage_key


def hollow(tensor):
    """A tensor without memory, made storable: zeros of its shape over one element."""
    return torch.zeros(1, dtype=tensor.dtype).reshape([1] * tensor.dim()).expand(tensor.shape)


def graph_nodes(block):
    for node in block.nodes():
        yield node
        for inner in node.blocks():
            for nested in graph_nodes(inner):
                yield nested


def tensors_of(module):
    """[(name, tensor)] of a scripted module's own parameters and buffers."""
    kept = (torch._C.ParameterDict(module._c), torch._C.BufferDict(module._c))
    return [named for tensors in kept for named in list(tensors.items())]


def share_memory(module):
    """Whether two of a module's parameters and buffers look into one memory without being the same tensor."""
    seen = {}
    for _, tensor in [*module.named_parameters(), *module.named_buffers()]:
        if tensor.layout != torch.strided:
            continue
        view = (tensor.storage_offset(), tensor.shape, tensor.stride())
        if seen.setdefault(storage_key(tensor), view) != view:
            return True
    return False


def move(model, device):
    """As model.to(device), which cannot take the parameters of an archive to `meta`."""
    if not isinstance(model, torch.jit.ScriptModule) or torch.device(device).type != "meta":
        return model.to(device)
    for module in model.modules():
        for name, value in tensors_of(module):
            module._c.setattr(name, value.detach().to(device).requires_grad_(value.requires_grad))
    return model


def make_storable(exported):
    """Gives the meta tensors of an export memory, as PyTorch's archives cannot hold them; what they say
    (device literals, shapes) stays."""
    if not hasattr(torch._C, "ParameterDict"):
        return  # The engine writes them itself.
    if not isinstance(exported, torch.nn.Module):
        graphs = [exported.graph]
    else:
        graphs = []
        for module in exported.modules():
            for name in module._c._method_names():  # Of a second call tracing makes forward1.
                graphs.append(module._c._get_method(name).graph)
            for name, value in tensors_of(module):
                if value.is_meta:
                    module._c.setattr(name, hollow(value).requires_grad_(value.requires_grad))
    for graph in graphs:
        for node in graph_nodes(graph):
            if node.kind() == "prim::Constant" and node.hasAttribute("value") and node.kindOf("value") == "t":
                if node.t("value").is_meta:
                    node.t_("value", hollow(node.t("value")))


@contextlib.contextmanager
def standing_in(module, method, function):
    """The function in place of the module's method, so that a trace has the module's own parameters
    and scopes."""
    own = vars(module).get(method)
    setattr(module, method, function)
    try:
        yield
    finally:
        delattr(module, method)
        if own is not None:
            setattr(module, method, own)


@contextlib.contextmanager
def recording_at_most(nodes):
    """A trace by the engine that has more nodes is given up. PyTorch has no limit, and None is the engine's own."""
    set_limit = getattr(torch.jit, "set_trace_limit", None)
    if not nodes or set_limit is None:
        yield
        return
    before = set_limit(nodes)
    try:
        yield
    finally:
        set_limit(before)


def traced(model, method, args, strict):
    if method != "forward":
        return torch.jit.trace_module(model, {method: args}, check_trace=False, strict=strict)
    return torch.jit.trace(model, args, check_trace=False, strict=strict)


def function_of(model, method):
    """What a call of the model runs."""
    if not isinstance(model, torch.nn.Module):
        return model
    if not callable(getattr(model, method, None)):
        raise AttributeError("%s has no method %s" % (type(model).__name__, method))
    return getattr(model, method)


def scripted_fx(model, method, args, kwargs):
    """torch.fx's graph of the model, as the code of it that TorchScript compiles."""
    import torch.fx  # Here, since few exports need it.

    if method != "forward":
        raise NotImplementedError("torch.fx makes a graph of forward, and none of %s" % method)
    check_fits(function_of(model, method), args, kwargs)
    return torch.jit.script(torch.fx.symbolic_trace(model))


def trace(model, method, args, kwargs, strict):
    """(the export, what it takes of a call's arguments; None where it takes all of them as they are)"""
    if isinstance(model, (torch.jit.ScriptModule, torch.jit.ScriptFunction)):
        return traced(model, method, args, strict), None
    is_module, function = isinstance(model, torch.nn.Module), function_of(model, method)
    check_fits(function, args, kwargs)
    plain = positional(function, args, kwargs)
    if plain is not None:
        return traced(model, method, plain, strict), None
    inputs, absent = divide(args, kwargs)
    if not inputs:
        raise TypeError("no argument holds a tensor: tracing would make a constant of the whole result")
    fixed = Fixed(function, args, kwargs, inputs)
    tensors = tuple(at(args, kwargs, path) for path in inputs)
    if not is_module:
        return traced(fixed, method, tensors, strict), {"inputs": inputs, "absent": absent}
    with standing_in(model, method, fixed):
        return traced(model, method, tensors, strict), {"inputs": inputs, "absent": absent}
