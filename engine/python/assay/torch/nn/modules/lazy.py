"""Modules whose sizes the first input decides."""
import itertools
import warnings

from ..._package import torch
from ..parameter import is_lazy


class LazyModuleMixin:
    """Waits with a module's parameters for the first call or the first state dict, then becomes `cls_to_become`."""

    cls_to_become = None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        on_load, on_call = self._lazy_load_hook, self._infer_parameters
        self._load_hook = self._register_load_state_dict_pre_hook(on_load)
        self._initialize_hook = self.register_forward_pre_hook(on_call)
        warnings.warn('lazy modules are experimental: what they offer may still change')

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        # What has no shape yet cannot be detached: it is saved as it is.
        for name, value in self._persistent_state().items():
            destination[prefix + name] = value if is_lazy(value) or keep_vars else value.detach()

    def _lazy_load_hook(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        """Gives what waits for a shape the one that the state dict has."""
        for name, own in itertools.chain(self._parameters.items(), self._buffers.items()):
            given = state_dict.get(prefix + name)
            if given is not None and own is not None and is_lazy(own) and not is_lazy(given):
                with torch.no_grad():
                    own.materialize(given.shape)

    def initialize_parameters(self, *args, **kwargs):
        """To be overridden: gives every parameter its shape, from the inputs of the first call."""
        raise NotImplementedError(f'{type(self).__name__} must define initialize_parameters to be lazy')

    def has_uninitialized_params(self):
        return any(is_lazy(value) for value in itertools.chain(self._parameters.values(), self._buffers.values()))

    def _infer_parameters(self, module, input):
        """The hook in front of the first call."""
        module.initialize_parameters(*input)
        if module.has_uninitialized_params():
            raise RuntimeError(f'{self._get_name()}.initialize_parameters left something without a shape')
        for hook in ('_initialize_hook', '_load_hook'):
            getattr(module, hook).remove()
            delattr(module, hook)
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _replicate_for_data_parallel(self):
        raise RuntimeError("a module with uninitialized parameters cannot be replicated: call it once before")
