"""How gradients flow through a call whose floating inputs ask for them. PyTorch computes them; the engine,
which does not, tells where they end on the way to each output."""

import torch

from assay_host.trees import storage_key

MOST = 1024  # Elements of a gradient that are told, evenly spread.
NUDGE = 16  # By how many roundings inputs and parameters are moved to see what gradients make of it.


class CannotGoBack(Exception):
    """Outputs were computed, and PyTorch raises the cause of this on the way back from them."""


def fixed_numbers(count, turn=0):
    """The same in each run, and alike in no pattern."""
    return torch.cos(torch.arange(count, dtype=torch.float64) * 1.7 + turn)


def is_differentiable(value):
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided or value.device.type == "meta":
        return False
    return (value.is_floating_point() or value.is_complex()) and not value.is_quantized


def precision_of(tensor):
    """Of single precision at best: a model in double precision may compute in single precision within."""
    own = torch.view_as_real(tensor).dtype if tensor.is_complex() else tensor.dtype
    return max(torch.finfo(own).eps, torch.finfo(torch.float32).eps)


def nudge(tensor):
    """Moves each element by a few roundings at most."""
    with torch.no_grad():
        moves = fixed_numbers(tensor.numel()).reshape(tensor.shape) * NUDGE * precision_of(tensor)
        tensor.mul_((1 + moves).to(tensor.dtype).to(tensor.device))


def tensors_in(value, path, depth=0):
    """[(path, tensor)] of what a value holds: "output[0]['k']"."""
    if isinstance(value, torch.Tensor):
        return [(path, value)]
    if depth > 16:
        return []
    if hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        items = [("%s.%s" % (path, name), getattr(value, name, None)) for name in value.__dataclass_fields__]
    elif isinstance(value, dict):
        items = [("%s[%r]" % (path, key), item) for key, item in value.items()]
    elif isinstance(value, (list, tuple)):
        items = [("%s[%d]" % (path, index), item) for index, item in enumerate(value)]
    else:
        return []
    return [found for place, item in items for found in tensors_in(item, place, depth + 1)]


class Leaves:
    """Stand-ins for the floating tensors of a call's arguments, whose gradients can be asked for. What
    shares its memory with another argument, or is laid out in a way of its own, stays what it is."""

    def __init__(self, args, kwargs, nudged):
        self.named, self._nudged, self._made, self._users = [], nudged, {}, {}
        for path, tensor in tensors_in(args, "args") + tensors_in(kwargs, "kwargs"):
            if is_differentiable(tensor):
                self._users.setdefault(storage_key(tensor), set()).add(id(tensor))

    def stand_in(self, tensor, path):
        if not is_differentiable(tensor) or len(self._users.get(storage_key(tensor), ())) != 1:
            return tensor
        if id(tensor) not in self._made:
            leaf = tensor.detach().clone()
            if leaf.stride() != tensor.stride():
                return tensor
            if self._nudged:
                nudge(leaf)
            self.named.append((path, leaf.requires_grad_()))
            self._made[id(tensor)] = leaf.clone()  # A model may write to it, as it may not to a leaf.
        return self._made[id(tensor)]

    def replace(self, value, path):
        """The value with the stand-ins in it."""
        if isinstance(value, torch.Tensor):
            return self.stand_in(value, path)
        if isinstance(value, dict):
            return dict((key, self.replace(item, "%s[%r]" % (path, key))) for key, item in value.items())
        if not isinstance(value, (list, tuple)):
            return value
        items = [self.replace(item, "%s[%d]" % (path, index)) for index, item in enumerate(value)]
        if hasattr(value, "_fields"):
            return value._replace(**dict(zip(value._fields, items)))
        return tuple(items) if isinstance(value, tuple) else items


def parameters_of(model):
    """[(name, parameter)] of those that ask for gradients."""
    named = model.named_parameters() if isinstance(model, torch.nn.Module) else []
    return [("parameter " + name, p) for name, p in named if p.requires_grad and is_differentiable(p)]


def told(gradient):
    """Evenly spread elements, as numbers of one type."""
    if gradient is None:
        return None
    if gradient.layout != torch.strided:
        gradient = gradient.to_dense()
    if gradient.is_complex():
        gradient = torch.view_as_real(gradient)
    flat = gradient.detach().reshape(-1)
    return flat[:: max(1, -(-flat.numel() // MOST))].double().cpu()


def summed(leaves):
    """{name: gradient}. An archive may hold one parameter of a model several times, over one memory: each
    has the gradients of all."""
    totals = {}

    def key(leaf):
        return (leaf.data_ptr(), tuple(leaf.shape), tuple(leaf.stride()))

    for _, leaf in leaves:
        if leaf.grad is not None:
            total = totals.get(key(leaf))
            totals[key(leaf)] = leaf.grad if total is None else total + leaf.grad
    return dict((name, told(totals.get(key(leaf)))) for name, leaf in leaves)


def flow(outputs, leaves, autocast):
    """The fields of a reply: PyTorch's gradients of the outputs, weighted with fixed numbers."""
    asking, weights = [], []
    for turn, (_, tensor) in enumerate(tensors_in(outputs, "output")):
        if is_differentiable(tensor) and tensor.requires_grad:
            numbers = fixed_numbers(tensor.numel(), turn).reshape(tensor.shape)
            asking.append(tensor)
            weights.append(numbers.to(tensor.dtype).to(tensor.device))
    for _, leaf in leaves:
        leaf.retain_grad()  # The parameters of a copied archive are results of copying.
        leaf.grad = None
    try:
        if asking:
            torch.autograd.backward(asking, weights)
    except RuntimeError as error:
        raise CannotGoBack from error
    found = summed(leaves)
    for _, leaf in leaves:
        leaf.grad = None
    precision = max(precision_of(tensor) for tensor in asking + [leaf for _, leaf in leaves])
    if autocast:
        precision = max(precision, torch.finfo(getattr(torch, autocast)).eps)
    return {"kind": "values", "of": found, "precision": precision}


class Cuts:
    """While it is entered, the engine follows where gradients end. `moving`: what was computed unrecorded is
    moved by a little, and no cut."""

    def __init__(self, moving):
        self._moving = moving

    def __enter__(self):
        torch.autograd.function._applied.clear()
        self._follower = torch.autograd._CutFollower(self._moving)
        return self

    def __exit__(self, *exception):
        self._follower.stop()

    def flow(self, outputs):
        """The fields of a reply."""
        found = tensors_in(outputs, "output")
        floating = [(path, tensor) for path, tensor in found if is_differentiable(tensor)]
        return {
            "kind": "cuts",
            "of": dict((path, told(tensor)) for path, tensor in floating),
            "cuts": dict((path, self._follower.cuts(tensor)) for path, tensor in found),
            "own_derivatives": sorted(torch.autograd.function._applied),
            "precision": max((precision_of(tensor) for _, tensor in floating), default=0.0),
        }


def computes_gradients():
    return not hasattr(torch.autograd, "_CutFollower")
