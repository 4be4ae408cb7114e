"""What files call to make tensors again."""


def _rebuild_tensor(storage, storage_offset, size, stride):
    return storage._flat.as_strided(size, stride, storage_offset)


def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad, backward_hooks, metadata=None):
    made = _rebuild_tensor(storage, storage_offset, size, stride)
    made.requires_grad = requires_grad
    return made


def _rebuild_parameter(data, requires_grad, backward_hooks):
    from .nn.parameter import Parameter
    return Parameter(data, requires_grad)


def _rebuild_from_type_v2(function, kind, args, state):
    made = function(*args)
    if type(made) is not kind:
        made = made.as_subclass(kind)
    if state:
        made.__dict__.update(state[0] if isinstance(state, tuple) else state)
    return made


def _rebuild_from_type(function, kind, args, state):
    return _rebuild_from_type_v2(function, kind, args, state)




def _flatten_dense_tensors(tensors):
    """All elements one after the other."""
    from . import cat
    return cat([tensor.reshape(-1) for tensor in tensors])


def _unflatten_dense_tensors(flat, tensors):
    """Views of what _flatten_dense_tensors gave, as the tensors were."""
    parts = flat.split([tensor.numel() for tensor in tensors])
    return tuple(part.view_as(tensor) for part, tensor in zip(parts, tensors))


def _take_tensors(tensors, size_limit):
    """Lists of tensors of one type, of up to so many bytes each."""
    open_lists = {}
    for tensor in tensors:
        taken, size = open_lists.get(tensor.type(), ([], 0))
        size += tensor.numel() * tensor.element_size()
        if taken and size > size_limit:
            yield taken
            taken, size = [], tensor.numel() * tensor.element_size()
        open_lists[tensor.type()] = taken + [tensor], size
    yield from (taken for taken, _ in open_lists.values())


def _get_device_index(device, optional=False, allow_cpu=False):
    """The number of a CUDA device; -1 for the processor."""
    from . import cuda, device as device_of
    if isinstance(device, str):
        device = device_of(device)
    if isinstance(device, device_of):
        if device.type != "cuda" and not (allow_cpu and device.type == "cpu"):
            raise ValueError(f"Expected a cuda{' or cpu' if allow_cpu else ''} device, but got: {device}")
        device = -1 if device.type == "cpu" else device.index
    if device is None and optional:
        device = cuda.current_device()
    if not isinstance(device, int):
        raise ValueError(f"a torch.device with a number or an integer is needed, not {device}")
    return device
