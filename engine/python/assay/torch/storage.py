"""The bytes below tensors, as PyTorch's storages show them."""

from assay import _engine as _C

_NAMES = {
    _C.float64: "Double", _C.float32: "Float", _C.float16: "Half", _C.bfloat16: "BFloat16", _C.int64: "Long",
    _C.int32: "Int", _C.int16: "Short", _C.int8: "Char", _C.uint8: "Byte", _C.bool: "Bool",
    _C.complex64: "ComplexFloat", _C.complex128: "ComplexDouble",
}


class TypedStorage:
    """All elements of a tensor's bytes, in the order in which they lie there."""

    __module__ = __package__

    def __init__(self, tensor):
        flat = tensor._storage_bytes()
        size = tensor.dtype.itemsize
        whole = flat.numel() // size * size
        self._flat = (flat if whole == flat.numel() else flat[:whole]).view(tensor.dtype)

    dtype = property(lambda self: self._flat.dtype)
    device = property(lambda self: self._flat.device)
    is_cuda = property(lambda self: self._flat.is_cuda)
    is_sparse = False
    _cdata = property(lambda self: self._key())

    def __len__(self):
        return self._flat.numel()

    def __getitem__(self, index):
        found = self._flat[index]
        return TypedStorage(found.clone()) if isinstance(index, slice) else found.item()

    def __setitem__(self, index, value):
        self._flat[index] = value

    def __iter__(self):
        return iter(self.tolist())

    def __repr__(self):
        lines = "\n ".join(str(item) for item in self.tolist())
        return f" {lines}\n[{type(self).__module__}.{type(self).__name__}(dtype={self.dtype}, " \
               f"device={self.device}) of size {len(self)}]"

    def size(self):
        return len(self)

    def nbytes(self):
        return self._flat.nbytes

    def element_size(self):
        return self._flat.element_size()

    def data_ptr(self):
        return self._flat.data_ptr()

    def tolist(self):
        return self._flat.tolist()

    def clone(self):
        return TypedStorage(self._flat.clone())

    def cpu(self):
        return TypedStorage(self._flat.cpu())

    def copy_(self, source, non_blocking=None):
        self._flat.copy_(source._flat)
        return self

    def fill_(self, value):
        self._flat.fill_(value)
        return self

    def untyped(self):
        return UntypedStorage(self._flat)

    _storage = untyped

    def pickle_storage_type(self):
        return _NAMES[self.dtype] + "Storage"

    def is_shared(self):
        return False

    def share_memory_(self):
        return self

    def __reduce__(self):
        """For plain pickles; torch.save keeps storages apart."""
        flat = self._flat._storage_bytes().cpu()
        return _from_bytes, (self.dtype, bytes(memoryview(_C.array_of(flat))) if flat.numel() else b"")

    def _key(self):
        return self._flat._storage_key()

    def __eq__(self, other):
        return isinstance(other, TypedStorage) and self._key() == other._key() and self.dtype == other.dtype

    def __hash__(self):
        return hash(self._key())


def _from_bytes(dtype, contents):
    flat = _C.from_array(bytearray(contents)) if contents else _C.functions["empty"](0, dtype=_C.uint8)
    return TypedStorage(flat.view(dtype))


class UntypedStorage(TypedStorage):
    """The bytes themselves."""

    def __init__(self, tensor):
        self._flat = tensor._storage_bytes()


def copy_with_storage(tensor, memo):
    """A copy that shares bytes with the other copies of one deepcopy as the tensors did."""
    key = ("torch.storage", tensor._storage_key())
    if key not in memo:
        memo[key] = tensor.detach()._storage_bytes().clone()
    if tensor.device.type == "meta":
        return tensor.detach().clone()
    whole = memo[key].numel() // tensor.dtype.itemsize * tensor.dtype.itemsize
    flat = memo[key][:whole].view(tensor.dtype)
    return flat.as_strided(tensor.size(), tensor.stride(), tensor.storage_offset())


class _StorageKind:
    """torch.FloatStorage: makes storages of one type, and names it in files."""

    def __init__(self, dtype):
        self.dtype = dtype
        self.__name__ = self.__qualname__ = _NAMES[dtype] + "Storage"
        self.__module__ = __package__

    def __call__(self, data=0):
        from ._operators import empty
        if isinstance(data, int):
            return TypedStorage(empty(data, dtype=self.dtype))
        return TypedStorage(_C.tensor_from_data(data, self.dtype))

    def __instancecheck__(self, obj):
        return isinstance(obj, TypedStorage) and obj.dtype == self.dtype

    def __repr__(self):
        return f"<class 'torch.{self.__name__}'>"


_KINDS = {dtype: _StorageKind(dtype) for dtype in _NAMES}


def class_of(dtype):
    return _KINDS[dtype]


def storage_classes():
    """torch.FloatStorage and its like, by name."""
    return {kind.__name__: kind for kind in _KINDS.values()}


