"""What a model can change while it runs, and how to put it back."""

import array
import collections
import contextlib
import copy
import functools
import itertools
import pickle
import types

import torch

from assay_host.trees import MAX_DEPTH, raw_bytes, storage_key

REMOVED = {"t": "removed"}
ITERATORS = (itertools.count, itertools.cycle, type(iter([])), type(iter(())), type(iter(range(0))))
MOST_BYTES = 1 << 24  # Of an array that is compared after each call.


def same_bits(a, b):
    if a.shape != b.shape or a.dtype != b.dtype or a.device != b.device or a.layout != b.layout:
        return False
    if a.layout != torch.strided or a.is_quantized or a.device.type == "meta":
        return True
    return torch.equal(a, b) or raw_bytes(a) == raw_bytes(b)  # NaN differs from itself.


def same_value(a, b):
    if a is b:
        return True
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        return same_bits(a, b)
    plain = (bool, int, float, complex, str, bytes, tuple)
    try:
        return type(a) is type(b) and isinstance(a, plain) and bool(a == b)
    except BaseException:  # Elements of a tuple may not compare.
        return False


def is_numpy_array(value):
    kind = type(value)
    named = kind.__module__ == "numpy" and kind.__name__ == "ndarray"
    return named and not value.dtype.hasobject and value.nbytes <= MOST_BYTES


def same_elements(a, b):
    return a.tobytes() == b.tobytes() if is_numpy_array(a) else a == b


def same_position(a, b):
    """Whether two iterators are of one kind and go on alike."""
    try:
        return type(a) is type(b) and pickle.dumps(a) == pickle.dumps(b)
    except Exception:
        return True  # For all that can be told.


def data_of(owner):
    """What a dict, a class or an object with slots holds, by name."""
    if isinstance(owner, dict):
        return owner
    if isinstance(owner, type):
        hidden = (types.FunctionType, classmethod, staticmethod, property, types.GetSetDescriptorType,
                  types.MemberDescriptorType)  # fmt: skip
        return dict((key, item) for key, item in vars(owner).items()
                    if not key.startswith("__") and not isinstance(item, hidden))  # fmt: skip
    slots = [vars(cls).get("__slots__", ()) for cls in type(owner).__mro__]
    names = [name for group in slots for name in ([group] if isinstance(group, str) else group)]
    return dict((name, getattr(owner, name)) for name in names
                if not name.startswith("__") and hasattr(owner, name))  # fmt: skip


def has_address(tensor):
    return tensor.layout == torch.strided and not tensor.is_meta


def memory_key(tensor):
    """Of the memory that a tensor's elements lie in; None where nothing tells it."""
    return storage_key(tensor) if has_address(tensor) else None


def place(tensor):
    """Where a tensor's elements begin; None where nothing tells it."""
    return tensor.data_ptr() if has_address(tensor) else None


def filled(memory, saved):
    """The tensor `memory` with these elements again; another one where it cannot be written, as one whose
    elements share a place cannot."""
    if not same_bits(memory, saved):
        try:
            with torch.no_grad():
                memory.copy_(saved)
        except RuntimeError:
            return saved.clone()
    return memory


class Snapshot:
    """What a model can change while it runs: parameters, buffers, Python attributes (counters, memo
    fields), and of the files it was loaded from the globals, the class attributes, and what functions
    keep: variables of the function around them, and default arguments. Generators that are half way are
    left where they are: nothing puts them back.

    Holds, for every mutable container that can be reached, a shallow copy, and for every tensor its
    elements; restoring puts both back into the same objects, and elements into the memory that they had:
    other tensors may look into it. `twin`: an archive's module that nobody changes and that the model is a
    copy of, whose tensors are held in place of copies.
    """

    def __init__(self, model, user_modules, twin=None):
        self._twins = {} if twin is None else dict(list(twin.named_parameters()) + list(twin.named_buffers()))
        self._archive = model if isinstance(model, torch.jit.ScriptModule) else None
        self._user = set(module.__name__ for module in user_modules)
        self._seen, self._keep, self._leaves = set(), [], set()
        self._dicts, self._lists, self._tensors, self._states, self._caches = [], [], [], [], []
        self._cells, self._arrays, self._iterators = [], [], []
        self._dirty = None  # Positions of the tensors that differ; None where that is not known.
        self._walk("", model, "attribute", 0)
        for module in user_modules:
            self._record_dict(module.__name__ + ".", vars(module), "global", 0)
        parameters = set(memory_key(memory) for _, kind, *_, memory in self._tensors if kind == "parameter")
        parameters.discard(None)
        self._scaled = [kind == "parameter" or memory_key(memory) in parameters
                        for _, kind, *_, memory in self._tensors]  # fmt: skip

    def _walk(self, path, value, kind, depth):
        plain = (type(None), bool, int, float, complex, str, bytes, types.ModuleType)
        if isinstance(value, plain) or id(value) in self._seen or depth > MAX_DEPTH:
            return
        self._seen.add(id(value))
        self._keep.append(value)
        if isinstance(value, torch.jit.ScriptModule):
            for kind_name, named in (("parameter", value.named_parameters), ("buffer", value.named_buffers)):
                for name, tensor in named():
                    self._walk(path + name, tensor, kind_name, depth + 1)
        elif isinstance(value, torch.nn.Module):
            self._record_module(path, value, depth)
        elif isinstance(value, torch.Tensor):
            twin = self._twins.get(path)
            saved = value.detach().clone() if twin is None else twin.detach()
            self._tensors.append((path, kind, value, saved, value.requires_grad, value.detach()))
            if value.is_leaf:
                self._leaves.add(id(value))
        elif isinstance(value, dict):
            self._record_dict(path + "/", value, kind, depth)
        elif isinstance(value, (list, set, collections.deque)):
            self._lists.append((path, kind, value, list(value)))
            for index, item in enumerate(value):
                self._walk("%s/%d" % (path, index), item, kind, depth + 1)
        elif isinstance(value, (tuple, frozenset)):
            for index, item in enumerate(value):
                self._walk("%s/%d" % (path, index), item, kind, depth + 1)
        elif isinstance(value, (bytearray, array.array)) or is_numpy_array(value):
            self._arrays.append((path, kind, value, value.copy() if is_numpy_array(value) else value[:]))
        elif isinstance(value, functools.partial):
            for part in (value.func, value.args, value.keywords):
                self._walk(path, part, kind, depth + 1)
        elif isinstance(value, type):
            if value.__module__ in self._user:
                data = data_of(value)
                self._dicts.append((path + ".", kind, value, data))
                for key, item in data.items():
                    self._walk(path + "." + key, item, kind, depth + 1)
                members = [getattr(item, "__func__", item) for item in list(vars(value).values())]
                self._caches += [item for item in members if callable(getattr(item, "cache_clear", None))]
                for item in members:
                    if isinstance(item, types.FunctionType):
                        self._walk(path + "." + item.__name__, item, kind, depth + 1)
        elif isinstance(value, types.FunctionType):
            if value.__module__ in self._user:
                self._record_function(path + ".", value, kind, depth)
        elif callable(getattr(value, "cache_clear", None)):
            self._caches.append(value)
        elif not self._record_generator(value):
            self._record_dict(path + ".", getattr(value, "__dict__", None), kind, depth)
            if type(value).__module__ in self._user:
                self._record_slots(path + ".", value, kind, depth)

    def _record_module(self, path, module, depth):
        prefix = path + "." if path and not path.endswith(".") else path
        own = vars(module)
        for key, kind in (("_parameters", "parameter"), ("_buffers", "buffer"), ("_modules", "attribute")):
            self._seen.add(id(own.get(key)))
            self._record_dict(prefix, own.get(key), kind, depth)
        self._record_dict(prefix, own, "attribute", depth)

    def _record_dict(self, prefix, value, kind, depth):
        if not isinstance(value, dict):
            return
        saved = dict(value)
        self._dicts.append((prefix, kind, value, saved))
        for key, item in list(value.items()):
            if isinstance(item, ITERATORS):
                with contextlib.suppress(Exception):  # Of what it goes over some cannot be copied.
                    self._iterators.append((prefix + str(key), kind, value, saved, key, copy.deepcopy(item)))
            if not (kind == "global" and str(key).startswith("__")):
                self._walk(prefix + str(key), item, kind, depth + 1)

    def _record_slots(self, prefix, value, kind, depth):
        data = data_of(value)
        if data:
            self._dicts.append((prefix, kind, value, data))
        for key, item in data.items():
            self._walk(prefix + key, item, kind, depth + 1)

    def _record_function(self, prefix, function, kind, depth):
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            with contextlib.suppress(ValueError):  # What has no value yet.
                if id(cell) not in self._seen:
                    self._seen.add(id(cell))
                    self._cells.append((prefix + name, kind, cell, cell.cell_contents))
                    self._walk(prefix + name, cell.cell_contents, kind, depth + 1)
        defaults = list(function.__defaults__ or ()) + list((function.__kwdefaults__ or {}).values())
        for index, default in enumerate(defaults):
            self._walk("%sdefault %d" % (prefix, index), default, kind, depth + 1)
        self._record_dict(prefix, vars(function), kind, depth)

    def _record_generator(self, value):
        for getter, setter in (("get_state", "set_state"), ("getstate", "setstate")):
            if hasattr(value, getter) and hasattr(value, setter) and not isinstance(value, type):
                with contextlib.suppress(Exception):
                    self._states.append((getattr(value, setter), getattr(value, getter)()))
                    return True
        return False

    def changes(self, device="cpu", dtype=None, scale=None):
        """[(path, kind, new value or REMOVED)] of what differs from the time of the snapshot, beyond
        a conversion of the model to this device and dtype and a scaling of its parameters."""
        if device == "meta":
            return []  # The model's tensors have no elements, and are others than those saved.
        found, dirty, converted = {}, [], device != "cpu" or dtype is not None or scale is not None

        def conform(saved, scaled=False):
            if not converted or not isinstance(saved, torch.Tensor):
                return saved
            saved = saved.to(device, dtype if dtype and saved.is_floating_point() else saved.dtype)
            return saved * scale if scaled and scale is not None and saved.is_floating_point() else saved

        # A conversion gives an archive other buffers, in no dict that could be seen to change.
        others = dict(self._archive.named_buffers()) if converted and self._archive is not None else {}
        for position, (path, kind, tensor, saved, *_) in enumerate(self._tensors):
            tensor = others.get(path, tensor)
            now, scaled = tensor.detach(), self._scaled[position]
            if not same_bits(now, saved) and not same_bits(now, conform(saved, scaled)):
                found[path] = (kind, tensor)
                dirty.append(position)
        self._dirty = None if converted else dirty
        for prefix, kind, live, saved in self._dicts:
            now = data_of(live)
            others = [key for key, item in now.items() if item is not saved.get(key, REMOVED)]
            for key in others + [key for key in saved if key not in now]:
                path = prefix + str(key)
                if key == "training" or (kind == "global" and str(key).startswith("__")):
                    continue
                both = key in now and key in saved
                if not both or not any(same_value(now[key], old) for old in (saved[key], conform(saved[key]))):
                    found.setdefault(path, (kind, now.get(key, REMOVED)))
        for path, kind, live, saved in self._lists:
            now = list(live)
            if len(now) != len(saved) or not all(same_value(a, b) for a, b in zip(now, saved)):
                found.setdefault(path, (kind, now))
        for path, kind, live, saved in self._arrays:
            if not same_elements(live, saved):
                found.setdefault(path, (kind, None))
        for path, kind, live, _, key, saved in self._iterators:
            if key in live and not same_position(live[key], saved):
                found.setdefault(path, (kind, None))
        for path, kind, cell, saved in self._cells:
            if not same_value(cell.cell_contents, saved):
                found.setdefault(path, (kind, cell.cell_contents))
        return [(path, kind, value) for path, (kind, value) in sorted(found.items())]

    def expect_changes(self):
        """The model runs on from here: what differs is not known until `changes` is asked again."""
        self._dirty = None

    def named_tensors(self):
        return [(path, tensor) for path, _, tensor, *_ in self._tensors]

    def restore(self):
        for _, _, live, saved in self._dicts:
            if isinstance(live, dict):
                if len(live) != len(saved) or any(live.get(key, REMOVED) is not saved[key] for key in saved):
                    live.clear()
                    live.update(saved)
                continue
            now = data_of(live)
            for key in now:
                if key not in saved:
                    delattr(live, key)
            for key, value in saved.items():
                # Only then: an enum's members cannot be set even to themselves.
                if now.get(key, REMOVED) is not value:
                    setattr(live, key, value)
        for _, _, live, saved in self._lists:
            live.clear()
            (live.update if isinstance(live, set) else live.extend)(saved)
        for _, _, live, kept, key, saved in self._iterators:
            if not same_position(live[key], saved):
                live[key] = kept[key] = copy.deepcopy(saved)  # Nothing turns one back.
        for _, _, live, saved in self._arrays:
            if not same_elements(live, saved):
                live[... if is_numpy_array(live) else slice(None)] = saved
        for _, _, cell, saved in self._cells:
            cell.cell_contents = saved
        self.restore_tensors()
        for setter, state in self._states:
            setter(state)
        for cache in self._caches:
            cache.cache_clear()

    def restore_tensors(self, apart=False):
        """`apart`: those that an export has as its state, into memory of their own; what else looks into a
        parameter is a constant of the export, and stays as it was traced."""
        wanted = range(len(self._tensors)) if self._dirty is None else self._dirty
        for position in wanted:
            _, kind, tensor, saved, _, memory = self._tensors[position]
            if apart and self._scaled[position] and kind == "attribute":
                continue
            changed = not same_bits(tensor.detach(), saved)
            if changed and apart:
                tensor.data = saved.clone()
            elif changed or (not apart and place(tensor) != place(memory)):
                tensor.data = filled(memory, saved)
        self._dirty = None
        for _, _, tensor, _, requires_grad, _ in self._tensors:
            if not tensor.is_leaf:
                self._make_leaf(tensor)
            if tensor.is_leaf:
                tensor.grad = None
                tensor.requires_grad_(requires_grad)

    def _make_leaf(self, tensor):
        """A buffer that was written to while gradients were recorded holds on to what it was written from."""
        if id(tensor) in self._leaves:
            with contextlib.suppress(RuntimeError):  # A view cannot be made one.
                tensor.detach_()
