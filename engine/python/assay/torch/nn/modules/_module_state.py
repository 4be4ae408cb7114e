"""State dicts of modules: what is saved under which key, and how it is loaded again."""
import functools
import itertools
import warnings
import weakref
from collections import OrderedDict, namedtuple
from collections.abc import Mapping

from ..._package import torch
from ...utils import hooks
from ..parameter import is_lazy

_EXTRA_STATE_KEY_SUFFIX = '_extra_state'


class _IncompatibleKeys(namedtuple('_KeyLists', 'missing_keys unexpected_keys')):
    def __repr__(self):
        return super().__repr__() if any(self) else '<All keys matched successfully>'

    __str__ = __repr__


class _WrappedHook:
    """A hook that is told its module as the first argument, and does not keep that module alive."""

    def __init__(self, hook, module=None):
        self.hook = hook
        functools.update_wrapper(self, hook)
        self.with_module = module is not None
        if self.with_module:
            self.module = weakref.ref(module)

    def __call__(self, *args, **kwargs):
        if not self.with_module:
            return self.hook(*args, **kwargs)
        module = self.module()
        if module is None:
            raise RuntimeError("this hook's module no longer exists")
        return self.hook(module, *args, **kwargs)

    def __getstate__(self):
        state = {"hook": self.hook, "with_module": self.with_module}
        if self.with_module:
            state["module"] = self.module()
        return state

    def __setstate__(self, state):
        self.hook = state["hook"]
        self.with_module = state["with_module"]
        if self.with_module:
            if state["module"] is None:
                raise RuntimeError("this hook's module no longer existed when it was saved")
            self.module = weakref.ref(state["module"])


def _quoted(keys):
    return ', '.join(f'"{key}"' for key in keys)


def _children(module, prefix):
    """The children with the prefixes of their keys; one that is there twice comes twice."""
    return [(f'{prefix}{name}.', child) for name, child in module._modules.items() if child is not None]


def _load_tree(module, state_dict, prefix, metadata, report):
    """Loads a module, then its children, each from the entries under its prefix; then runs its hooks."""
    module._load_from_state_dict(state_dict, prefix, metadata.get(prefix[:-1], {}), True, *report)
    for below, child in _children(module, prefix):
        entries = {key: value for key, value in state_dict.items() if key.startswith(below)}
        _load_tree(child, entries, below, metadata, report)
    missing_and_unexpected = _IncompatibleKeys(*report[:2])
    for edit in module._load_state_dict_post_hooks.values():
        if edit(module, missing_and_unexpected) is not None:
            raise AssertionError("a load_state_dict post hook edits the keys in place and returns nothing")


class ModuleState:
    """state_dict and load_state_dict with their hooks."""

    _version = 1

    def get_extra_state(self):
        """What this module saves beside tensors; to be overridden together with set_extra_state."""
        self._refuse_extra_state()

    def set_extra_state(self, state):
        """Takes back what get_extra_state gave."""
        self._refuse_extra_state()

    def _refuse_extra_state(self):
        raise RuntimeError(f"{type(self).__name__} has no extra state: override both get_extra_state and "
                           "set_extra_state")

    def _register_state_dict_hook(self, hook):
        """`hook(module, state_dict, prefix, local_metadata)` runs after this module and its children were saved."""
        return hooks.register(self._state_dict_hooks, hook)

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        """`hook` runs before this module loads, with the arguments of _load_from_state_dict."""
        wrapped = _WrappedHook(hook, self if with_module else None)
        return hooks.register(self._load_state_dict_pre_hooks, wrapped)

    def register_load_state_dict_post_hook(self, hook):
        """`hook(module, incompatible_keys)` runs after this module loaded; it may edit the lists of keys."""
        return hooks.register(self._load_state_dict_post_hooks, hook)

    def _persistent_state(self):
        buffers = ((name, buffer) for name, buffer in self._buffers.items()
                   if name not in self._non_persistent_buffers_set)
        return {name: value for name, value in itertools.chain(self._parameters.items(), buffers)
                if value is not None}

    def _has_own(self, method):
        return getattr(type(self), method) is not getattr(ModuleState, method)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        """Saves this module's own parameters and persistent buffers, not its children's."""
        for name, value in self._persistent_state().items():
            destination[prefix + name] = value if keep_vars else value.detach()
        if self._has_own('get_extra_state'):
            destination[prefix + _EXTRA_STATE_KEY_SUFFIX] = self.get_extra_state()

    def state_dict(self, *args, destination=None, prefix='', keep_vars=False):
        """An ordered dictionary from dotted names to the module's tensors, which share its memory."""
        if args:
            warnings.warn("state_dict takes destination, prefix and keep_vars as keywords; by position they "
                          "are deprecated")
            given = dict(zip(('destination', 'prefix', 'keep_vars'), args))
            destination = given['destination'] if destination is None else destination
            prefix = given.get('prefix', prefix) if prefix == '' else prefix
            keep_vars = given.get('keep_vars', keep_vars) if keep_vars is False else keep_vars

        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        about_this = {'version': self._version}
        about_all = getattr(destination, '_metadata', None)
        if about_all is not None:
            about_all[prefix[:-1]] = about_this

        self._save_to_state_dict(destination, prefix, keep_vars)
        for below, child in _children(self, prefix):
            child.state_dict(destination=destination, prefix=below, keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            replaced = hook(self, destination, prefix, about_this)
            destination = destination if replaced is None else replaced
        return destination

    def _load_tensor(self, key, own, given, error_msgs):
        """Copies one entry of a state dict, or tells why it cannot be."""
        if not isinstance(given, torch.Tensor):
            error_msgs.append(f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like '
                              f'object from checkpoint but received {type(given)}')
            return
        if not is_lazy(own):
            if own.dim() == 0 and given.dim() == 1:
                given = given[0]  # scalars were saved as one element before 0.4
            if given.shape != own.shape:
                error_msgs.append(f'size mismatch for {key}: copying a param with shape {given.shape} from '
                                  f'checkpoint, the shape in current model is {own.shape}.')
                return
        try:
            with torch.no_grad():
                own.copy_(given)
        except Exception as failure:
            error_msgs.append(f'{key}, of shape {tuple(own.shape)} here and {tuple(given.shape)} in the '
                              f'state dict, could not be copied: {failure!r}')

    def _load_extra_state(self, state_dict, key, strict, missing_keys, unexpected_keys):
        if self._has_own('set_extra_state'):
            if key in state_dict:
                self.set_extra_state(state_dict[key])
            elif strict:
                missing_keys.append(key)
        elif strict and key in state_dict:
            unexpected_keys.append(key)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict,
                              missing_keys, unexpected_keys, error_msgs):
        """Loads this module's own entries, not its children's; what is wrong goes into the three lists."""
        report = missing_keys, unexpected_keys, error_msgs
        for prepare in self._load_state_dict_pre_hooks.values():
            prepare(state_dict, prefix, local_metadata, strict, *report)

        own_state = self._persistent_state()
        for name, own in own_state.items():
            key = prefix + name
            if key in state_dict:
                self._load_tensor(key, own, state_dict[key], error_msgs)
            elif strict:
                missing_keys.append(key)

        extra_key = prefix + _EXTRA_STATE_KEY_SUFFIX
        self._load_extra_state(state_dict, extra_key, strict, missing_keys, unexpected_keys)
        if strict:
            for key in state_dict.keys():
                if key.startswith(prefix) and key != extra_key:
                    name = key[len(prefix):].split('.', 1)[0]
                    if name not in self._modules and name not in own_state:
                        unexpected_keys.append(key)

    def load_state_dict(self, state_dict, strict=True):
        """Copies saved tensors into those of the same names, here and in all descendants.

        With `strict` the keys must match exactly. Returns the missing and the unexpected keys.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"a state dict maps names to tensors; {type(state_dict).__name__} is no mapping")
        metadata = getattr(state_dict, '_metadata', None)
        entries = OrderedDict(state_dict)  # a copy: modules and hooks may edit it
        if metadata is not None:
            entries._metadata = metadata
        missing_keys, unexpected_keys, error_msgs = report = [], [], []
        _load_tree(self, entries, '', {} if metadata is None else metadata, report)
        if strict:
            if unexpected_keys:
                error_msgs.insert(0, f'Unexpected key(s) in state_dict: {_quoted(unexpected_keys)}. ')
            if missing_keys:
                error_msgs.insert(0, f'Missing key(s) in state_dict: {_quoted(missing_keys)}. ')
        if error_msgs:
            listed = "\n\t".join(error_msgs)
            raise RuntimeError(f'Error(s) in loading state_dict for {type(self).__name__}:\n\t{listed}')
        return _IncompatibleKeys(missing_keys, unexpected_keys)
