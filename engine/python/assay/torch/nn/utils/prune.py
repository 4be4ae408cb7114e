"""Pruning: parts of a parameter are masked out, before every call.

A pruned parameter `weight` is kept as the parameter `weight_orig` and the buffer `weight_mask`; a hook makes
`weight` of them."""

from numbers import Integral, Real

from ..._package import torch
from .convert_parameters import parameters_to_vector


class BasePruningMethod:
    """What decides on the mask. A subclass gives `PRUNING_TYPE` and `compute_mask`."""

    _tensor_name = None

    def __call__(self, module, inputs):
        setattr(module, self._tensor_name, self.apply_mask(module))

    def compute_mask(self, t, default_mask):
        """The mask over the tensor, where an earlier one has left ones."""
        raise NotImplementedError(f"{type(self).__name__} needs a compute_mask(t, default_mask)")

    def _require_name(self, module):
        if self._tensor_name is None:
            raise AssertionError(f"{module} is not pruned by this method")

    def apply_mask(self, module):
        self._require_name(module)
        mask, original = (getattr(module, self._tensor_name + part) for part in ("_mask", "_orig"))
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        """Prunes a parameter of a module, on top of what has been pruned of it."""
        method = cls(*args, **kwargs)
        method._tensor_name = name
        method = _after_earlier(method, module, name)
        original = getattr(module, name)
        if importance_scores is None:
            importance_scores = original
        elif importance_scores.shape != original.shape:
            raise AssertionError(f"importance_scores have the shape {importance_scores.shape}; {name} of {module} has "
                                 f"{original.shape}")
        first = not isinstance(method, PruningContainer)
        if first:
            module.register_parameter(name + "_orig", original)
            del module._parameters[name]
            mask = torch.ones_like(original)
        else:
            mask = getattr(module, name + "_mask").detach().clone(memory_format=torch.contiguous_format)
        try:
            module.register_buffer(name + "_mask", method.compute_mask(importance_scores, default_mask=mask))
            setattr(module, name, method.apply_mask(module))
            module.register_forward_pre_hook(method)
        except Exception:
            if first:
                module.register_parameter(name, getattr(module, name + "_orig"))
                del module._parameters[name + "_orig"]
            raise
        return method

    def prune(self, t, default_mask=None, importance_scores=None):
        """A tensor with this method's mask applied."""
        scores = t if importance_scores is None else importance_scores
        if scores.shape != t.shape:
            raise AssertionError(f"importance_scores have the shape {scores.shape}; the tensor has {t.shape}")
        return t * self.compute_mask(scores, torch.ones_like(t) if default_mask is None else default_mask)

    def remove(self, module):
        """Makes the masked parameter an ordinary one."""
        self._require_name(module)
        weight, name = self.apply_mask(module), self._tensor_name
        if hasattr(module, name):
            delattr(module, name)
        original = module._parameters.pop(name + "_orig")
        original.data = weight.data
        del module._buffers[name + "_mask"]
        setattr(module, name, original)


def _after_earlier(method, module, name):
    """The method, or a container of it behind those that have pruned the parameter before."""
    earlier = [(key, hook) for key, hook in module._forward_pre_hooks.items()
               if isinstance(hook, BasePruningMethod) and hook._tensor_name == name]
    if len(earlier) > 1:
        raise AssertionError(f"{len(earlier)} methods prune {name} of {module}, of which none knows the others")
    for key, hook in earlier:
        del module._forward_pre_hooks[key]
        container = hook if isinstance(hook, PruningContainer) else PruningContainer(hook)
        container.add_pruning_method(method)
        return container
    return method


class PruningContainer(BasePruningMethod):
    """Several methods, one after the other."""

    def __init__(self, *args):
        self._pruning_methods = ()
        if len(args) == 1:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method):
        if method is not None and not isinstance(method, BasePruningMethod):
            raise TypeError(f"{type(method)} is no BasePruningMethod")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(f"this container prunes {self._tensor_name!r}, and the method {method._tensor_name!r}")
        self._pruning_methods += (method,)

    def __len__(self):
        return len(self._pruning_methods)

    def __iter__(self):
        return iter(self._pruning_methods)

    def __getitem__(self, idx):
        return self._pruning_methods[idx]

    def compute_mask(self, t, default_mask):
        """The mask, in which the last method has looked at what the others left."""
        method, mask = self._pruning_methods[-1], default_mask.to(dtype=t.dtype)
        left = _left(method, t, default_mask)
        mask[left] = method.compute_mask(t[left], default_mask=default_mask[left]).to(dtype=mask.dtype)
        return mask


def _left(method, t, mask):
    """The index of what a method may still prune."""
    if method.PRUNING_TYPE == "unstructured":
        return mask == 1
    index = [slice(None)] * t.dim()
    if method.PRUNING_TYPE == "structured":
        if not hasattr(method, "dim"):
            raise AttributeError("a structured pruning method needs an attribute `dim`")
        dim = method.dim + t.dim() if method.dim < 0 else method.dim
        if dim < 0:
            raise IndexError(f"dimension {method.dim} lies outside of a tensor of {t.dim()} dimensions")
        index[dim] = mask.sum(dim=[other for other in range(t.dim()) if other != dim]) != 0
    elif method.PRUNING_TYPE != "global":
        raise ValueError(f"PRUNING_TYPE {method.PRUNING_TYPE} is not unstructured, structured or global")
    return tuple(index)


class Identity(BasePruningMethod):
    """Prunes nothing: makes the parameters as for pruning."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        return default_mask


class _Amount(BasePruningMethod):
    """A method that prunes a number or a share of the elements."""

    def __init__(self, amount):
        _validate_pruning_amount_init(amount)
        self.amount = amount

    def _count(self, size):
        count = _compute_nparams_toprune(self.amount, size)
        _validate_pruning_amount(count, size)
        return count


class _Unstructured(_Amount):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        count = self._count(t.nelement())
        mask = default_mask.clone(memory_format=torch.contiguous_format)
        if count != 0:
            mask.view(-1)[self._chosen(t, count)] = 0
        return mask


class RandomUnstructured(_Unstructured):
    def _chosen(self, t, count):
        return torch.topk(torch.rand_like(t).view(-1), k=count).indices


class L1Unstructured(_Unstructured):
    """Prunes the elements nearest to zero."""

    def _chosen(self, t, count):
        return torch.topk(torch.abs(t).view(-1), k=count, largest=False).indices


class _Structured(_Amount):
    """Prunes whole channels of a dimension."""

    PRUNING_TYPE = "structured"

    def compute_mask(self, t, default_mask):
        if t.dim() <= 1:
            raise ValueError(f"channels are pruned of tensors of two or more dimensions, not of shape {tuple(t.shape)}")
        if self.dim >= t.dim():
            raise IndexError(f"dimension {self.dim} lies outside of a tensor of shape {tuple(t.shape)}")
        channels = t.shape[self.dim]
        count = self._count(channels)
        kept = self._kept(t, channels, count)
        if count == 0:
            return default_mask
        mask, index = torch.zeros_like(t), [slice(None)] * t.dim()
        index[self.dim] = kept
        mask[tuple(index)] = 1
        mask *= default_mask.to(dtype=mask.dtype)
        return mask


class RandomStructured(_Structured):
    def __init__(self, amount, dim=-1):
        super().__init__(amount)
        self.dim = dim

    def _kept(self, t, channels, count):
        if count == 0:
            return None
        drawn = torch.rand(channels)
        return drawn > torch.kthvalue(drawn, k=count).values


class LnStructured(_Structured):
    """Prunes the channels of the smallest norms."""

    def __init__(self, amount, n, dim=-1):
        super().__init__(amount)
        self.n = n
        self.dim = dim

    def _kept(self, t, channels, count):
        dims = list(range(t.dim()))
        dims.remove(dims[self.dim])
        return torch.topk(torch.norm(t, p=self.n, dim=dims), k=channels - count, largest=True).indices


class CustomFromMask(BasePruningMethod):
    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        if default_mask.shape != self.mask.shape:
            raise AssertionError(f"a mask of shape {tuple(default_mask.shape)} is wanted, not {tuple(self.mask.shape)}")
        return default_mask * self.mask.to(dtype=default_mask.dtype)


def identity(module, name):
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module, name, mask):
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    """Prunes elements of several parameters as if they were one."""
    if not hasattr(parameters, "__iter__"):
        raise TypeError("global_unstructured takes pairs of a module and a name")
    scores = {} if importance_scores is None else importance_scores
    if not isinstance(scores, dict):
        raise TypeError("importance_scores are a dict by pairs of a module and a name")
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(f"{pruning_method} is of type {method.PRUNING_TYPE}; global_unstructured takes unstructured ones")
    parameters = list(parameters)
    container = PruningContainer()
    container._tensor_name = method._tensor_name = "temp"
    container.add_pruning_method(method)
    mask = container.compute_mask(
        parameters_to_vector([scores.get((module, name), getattr(module, name)) for module, name in parameters]),
        parameters_to_vector([getattr(module, name + "_mask", torch.ones_like(getattr(module, name)))
                              for module, name in parameters]))
    for module, name in parameters:
        own = getattr(module, name)
        custom_from_mask(module, name, mask=mask[:own.numel()].view_as(own))
        mask = mask[own.numel():]


def remove(module, name):
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"the parameter {name!r} of {module} is not pruned")


def is_pruned(module):
    return any(isinstance(hook, BasePruningMethod) for one in module.modules()
               for hook in one._forward_pre_hooks.values())


def _validate_pruning_amount_init(amount):
    if not isinstance(amount, Real):
        raise TypeError(f"an amount is an int or a float, not {amount!r}")
    whole = isinstance(amount, Integral)
    if whole and amount < 0 or not whole and not 0.0 <= float(amount) <= 1.0:
        raise ValueError(f"an amount is a share from 0 to 1 or a number of elements, not {amount}")


def _validate_pruning_amount(amount, tensor_size):
    if isinstance(amount, Integral) and amount > tensor_size:
        raise ValueError(f"{amount} elements are to be pruned of {tensor_size}")


def _compute_nparams_toprune(amount, tensor_size):
    return amount if isinstance(amount, Integral) else round(amount * tensor_size)
