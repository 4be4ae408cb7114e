"""Lists and dicts that Python shares with compiled programs: what `torch.jit.script([1, 2])` gives. A
program that is called with one and changes it changes this one."""

import collections.abc

from assay import _engine as _C
from . import annotations


def _type_of(value):
    if value:
        return annotations.infer(value)
    return "List[Tensor]" if isinstance(value, list) else "Dict[str, Tensor]"


class ScriptList(collections.abc.MutableSequence):
    """A list of a program: its items are all of one type."""

    def __init__(self, items=(), _type=None):
        items = list(items)
        self._shared = _C.share_container(items, _type or _type_of(items))

    def _index(self, index):
        if not hasattr(index, "__index__"):
            raise TypeError(f"list indices must be integers or slices, not {type(index).__name__}")
        index = index.__index__()
        return index + len(self) if index < 0 else index

    def _place(self, index):
        """The index of an item that is there."""
        index = self._index(index)
        if not 0 <= index < len(self):
            raise IndexError("list index out of range")
        return index

    def _like(self, items):
        return ScriptList(items, f"List[{self._shared.element}]")

    def __len__(self):
        return len(self._shared)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self._like(self._shared.get(i) for i in range(*index.indices(len(self))))
        return self._shared.get(self._place(index))

    def __setitem__(self, index, value):
        if not isinstance(index, slice):
            return self._shared.set(self._place(index), value)
        places, values = range(*index.indices(len(self))), list(value)
        if len(places) != len(values):
            raise ValueError(f"{len(values)} items cannot take the place of {len(places)}")
        for place, item in zip(places, values):
            self._shared.set(place, item)

    def __delitem__(self, index):
        places = range(*index.indices(len(self))) if isinstance(index, slice) else [self._place(index)]
        for place in sorted(places, reverse=True):
            self._shared.erase(place)

    def insert(self, index, value):
        self._shared.insert(min(max(self._index(index), 0), len(self)), value)

    def extend(self, values):
        values = list(values)
        for value in values:
            self._shared.check(value)
        super().extend(values)

    def __contains__(self, value):
        self._shared.check(value)
        return super().__contains__(value)

    def count(self, value):
        self._shared.check(value)
        return super().count(value)

    def remove(self, value):
        self._shared.check(value)
        super().remove(value)

    def __eq__(self, other):
        return list(self) == list(other) if isinstance(other, (list, ScriptList)) else NotImplemented

    def __repr__(self):
        return repr(list(self))


class ScriptDict(collections.abc.MutableMapping):
    """A dict of a program: its keys are of one type, and so are its values."""

    def __init__(self, entries=()):
        entries = dict(entries)
        self._shared = _C.share_container(entries, _type_of(entries))

    def __len__(self):
        return len(self._shared)

    def __iter__(self):
        return iter(self._shared.keys())

    def __getitem__(self, key):
        try:
            return self._shared.get(key)
        except TypeError:
            raise KeyError(key) from None

    def __setitem__(self, key, value):
        self._shared.set(key, value)

    def __delitem__(self, key):
        self._shared.erase(key)

    def __contains__(self, key):
        try:
            return self._shared.has(key)
        except TypeError:
            raise KeyError(key) from None

    def __eq__(self, other):
        return dict(self) == dict(other) if isinstance(other, (dict, ScriptDict)) else NotImplemented

    def __repr__(self):
        return repr(dict(self))


_C.script_container_classes(ScriptList, ScriptDict)
_C.ScriptList, _C.ScriptDict = ScriptList, ScriptDict
