"""Marks of how stable a part of the interface is. They change nothing, and can be listed."""

_BACK_COMPAT_OBJECTS = {}  # What keeps its signature: PyTorch promises that of these.
_MARKED_WITH_COMATIBLITY = {}  # Whatever has a mark.


def compatibility(is_backward_compatible):
    """A decorator that marks a function or class."""

    def mark(thing):
        _MARKED_WITH_COMATIBLITY.setdefault(thing)
        if is_backward_compatible:
            _BACK_COMPAT_OBJECTS.setdefault(thing)
        return thing

    return mark
