"""Handles of registered hooks."""
import weakref
from collections import OrderedDict


def register(registry, hook):
    """Adds the hook to the dictionary; the handle removes it again."""
    handle = RemovableHandle(registry)
    registry[handle.id] = hook
    return handle


def key_of(registry, kind, name):
    """The key of the first hook of this class that is for the tensor `name`, or None."""
    for key, hook in registry.items():
        hook = getattr(hook, 'hook', hook)  # load_state_dict's hooks are wrapped
        if isinstance(hook, kind) and getattr(hook, 'fn', hook).name == name:
            return key
    return None


class RemovableHandle:
    """Removes its hook from the dictionary that holds it, by remove() or at the end of a with block."""

    next_id = 0

    def __init__(self, hooks_dict, *, extra_dict=None):
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.extra_dict_ref = None if extra_dict is None else weakref.ref(extra_dict)
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1

    def remove(self):
        for ref in (self.hooks_dict_ref, self.extra_dict_ref):
            hooks = ref() if ref is not None else None
            if hooks is not None:
                hooks.pop(self.id, None)

    def __getstate__(self):
        extra = self.extra_dict_ref
        return self.hooks_dict_ref(), self.id, extra() if extra is not None else None

    def __setstate__(self, state):
        hooks, self.id, *extra = state
        # A weak reference needs an object: an empty dictionary stands for one that is gone.
        self.hooks_dict_ref = weakref.ref(OrderedDict() if hooks is None else hooks)
        self.extra_dict_ref = weakref.ref(extra[0]) if extra and extra[0] is not None else None
        if self.id >= RemovableHandle.next_id:
            RemovableHandle.next_id = self.id + 1

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.remove()
