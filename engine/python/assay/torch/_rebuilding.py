"""What files call to make tensors again, by the names of `torch._utils`."""


def _rebuild_tensor(storage, storage_offset, size, stride):
    return storage._flat.as_strided(size, stride, storage_offset)


def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad, backward_hooks, metadata=None):
    made = _rebuild_tensor(storage, storage_offset, size, stride)
    made.requires_grad = requires_grad
    return made


def _rebuild_from_type_v2(function, kind, args, state):
    made = function(*args)
    if type(made) is not kind:
        made = made.as_subclass(kind)
    if state:
        made.__dict__.update(state[0] if isinstance(state, tuple) else state)
    return made


def _rebuild_from_type(function, kind, args, state):
    return _rebuild_from_type_v2(function, kind, args, state)


for _function in (_rebuild_tensor, _rebuild_tensor_v2, _rebuild_from_type, _rebuild_from_type_v2):
    _function.__module__ = f"{__package__}._utils"
