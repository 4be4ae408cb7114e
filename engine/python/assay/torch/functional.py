"""Functions that Python's torch puts in front of the operators: other forms of their arguments."""

from assay import _engine as _C
from . import _operators as _ops
from ._tensor import Tensor
from .overrides import overridable
from .types import Size


def _unpacked(tensors):
    """f(a, b) and f([a, b]) mean the same."""
    return list(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else list(tensors)


@overridable
def broadcast_tensors(*tensors):
    return _ops.broadcast_tensors(_unpacked(tensors))


def broadcast_shapes(*shapes):
    """The shape to which all of them broadcast."""
    sizes = []
    for shape in shapes:
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        for size in shape:
            if size < 0:
                raise RuntimeError(f"broadcast_shapes: {size} is no size of a dimension")
        sizes = [1] * (len(shape) - len(sizes)) + sizes
        for place in range(-1, -len(shape) - 1, -1):
            if shape[place] == 1 or shape[place] == sizes[place]:
                continue
            if sizes[place] != 1:
                raise RuntimeError(
                    f"broadcast_shapes: {shape} does not broadcast with {tuple(sizes)}")
            sizes[place] = shape[place]
    return Size(sizes)


@overridable
def split(tensor, split_size_or_sections, dim=0):
    """Parts of one size, or of the given sizes, along a dimension."""
    if isinstance(split_size_or_sections, Tensor) and split_size_or_sections.dim() == 0:
        split_size_or_sections = int(split_size_or_sections)  # As PyTorch: a trace keeps it as it is.
    if isinstance(split_size_or_sections, int):
        return _split(tensor, split_size_or_sections, dim)
    return _split_with_sizes(tensor, list(split_size_or_sections), dim)


_split = _C.operator("aten::split")
_split_with_sizes = _C.operator("split_with_sizes")


@overridable
def einsum(*args):
    """einsum(equation, *operands), or operands each followed by the list of its indices."""
    if len(args) < 2:
        raise ValueError("einsum needs an equation and its operands, or operands each followed by "
                         "a list of its indices")
    if isinstance(args[0], str):
        equation, operands = args[0], list(args[1:])
    else:
        lists = list(args[1::2]) if len(args) % 2 == 0 else list(args[1:-1:2])
        operands = list(args[:2 * len(lists):2])
        equation = ",".join(_subscripts(one) for one in lists)
        if len(args) % 2:
            equation += "->" + _subscripts(args[-1])
    return _ops.einsum(equation, _unpacked(operands))


def _subscripts(items):
    letters = ""
    for item in items:
        if item is Ellipsis:
            letters += "..."
        elif 0 <= item < 26:
            letters += chr(ord("A") + item)
        elif item < 52:
            letters += chr(ord("a") + item - 26)
        else:
            raise ValueError(f"einsum: the index {item} is not below 52")
    return letters


@overridable
def meshgrid(*tensors, indexing=None):
    """Grids of coordinates."""
    if indexing is None:
        return _ops.meshgrid(_unpacked(tensors))
    return _ops.meshgrid(_unpacked(tensors), indexing=indexing)


@overridable
def tensordot(a, b, dims=2, out=None):
    """Contraction over several dimensions."""
    if isinstance(dims, (tuple, list)):
        first, second = dims
    elif isinstance(dims, Tensor) and dims.numel() > 1:
        first, second = dims.tolist()
    else:
        count = int(dims)
        if count < 0:
            raise RuntimeError(f"tensordot: dims is {count}, and must not be negative")
        if count > min(a.dim(), b.dim()):
            raise RuntimeError(
                f"tensordot: dims is {count}, but the tensors have {a.dim()} and {b.dim()} dimensions")
        first, second = list(range(a.dim() - count, a.dim())), list(range(count))
    as_list = [[d] if isinstance(d, int) else list(d) for d in (first, second)]
    return _ops.tensordot(a, b, *as_list, out=out)


@overridable
def cartesian_prod(*tensors):
    return _ops.cartesian_prod(_unpacked(tensors))


@overridable
def block_diag(*tensors):
    return _ops.block_diag(_unpacked(tensors))


@overridable
def chain_matmul(*matrices, out=None):
    return _ops.chain_matmul(_unpacked(matrices), out=out)


def _of_one_or_many(operator):
    def function(*tensors):
        given = _unpacked(tensors)
        several = len(tensors) > 1 or isinstance(tensors[0], (list, tuple))
        return operator(given) if several else operator(given[0])
    function.__name__ = function.__qualname__ = operator.__name__
    return function


atleast_1d = _of_one_or_many(_ops.atleast_1d)
atleast_2d = _of_one_or_many(_ops.atleast_2d)
atleast_3d = _of_one_or_many(_ops.atleast_3d)


@overridable
def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    """Distances between the rows of two batches."""
    modes = ["use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist"]
    if compute_mode not in modes:
        raise ValueError(f"compute_mode: {compute_mode!r} is none of {', '.join(modes)}")
    return _ops.cdist(x1, x2, float(p), None if compute_mode == modes[0] else modes.index(compute_mode))


@overridable
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    """Norms of vectors and matrices."""
    if p == "nuc":
        dims = (0, 1) if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
        return _ops.nuclear_norm(input, dims, keepdim=keepdim, out=out)
    if isinstance(p, str) and p != "fro":
        raise RuntimeError(f"norm: p is a number, 'fro' or 'nuc', not {p!r}")
    dims = dim if dim is None or not isinstance(dim, int) else [dim]
    if p == "fro":
        if out is None and dtype is None and (dims is None or len(dims) <= 2):
            return _ops.frobenius_norm(input, () if dims is None else dims, keepdim=keepdim)
        p = 2
    dims = list(range(input.dim())) if dims is None else list(dims)
    if dtype is None:
        return _ops.norm(input, p, dims, keepdim, out=out)
    return _ops.norm(input, p, dims, keepdim, dtype=dtype, out=out)


_lu = _C.operator("aten::_lu_with_info")


@overridable
def lu(A, pivot=True, get_infos=False, out=None):
    """LU factors in one matrix, and pivots; on request, what failed."""
    results = _lu(A, pivot, not get_infos)[:3 if get_infos else 2]
    if out is None:
        return tuple(results)
    if len(out) != len(results):
        raise TypeError(f"lu: {len(results)} results are to be written, and there are {len(out)} places")
    for place, result in zip(out, results):
        place.resize_(result.shape).copy_(result)
    return out


_stft = _C.operator("aten::stft")


@overridable
def stft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect",
         normalized=False, onesided=None, return_complex=None):
    """Fourier transforms of overlapping windows."""
    if center:
        from .nn import functional as F
        half, rank = n_fft // 2, input.dim()
        padded = F.pad(input.view([1] * (3 - rank) + list(input.size())), [half, half], pad_mode)
        input = padded.view(padded.shape[-rank:])
    return _stft(input, n_fft, hop_length, win_length, window, normalized, onesided, return_complex)


def _chosen(results, return_inverse, return_counts):
    values, inverse, counts = results
    chosen = [values] + [inverse] * bool(return_inverse) + [counts] * bool(return_counts)
    return chosen[0] if len(chosen) == 1 else tuple(chosen)


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The different elements, or slices along a dimension."""
    if dim is None:
        results = _ops._unique2(input, sorted, return_inverse, return_counts)
    else:
        results = _ops.unique_dim(input, dim, sorted, return_inverse, return_counts)
    return _chosen(results, return_inverse, return_counts)


_unique_consecutive = _C.operator("unique_consecutive")


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """As unique, of neighbours."""
    results = _unique_consecutive(input, return_inverse, return_counts, dim)
    return _chosen(results, return_inverse, return_counts)


_nonzero = _C.operator("nonzero")


def nonzero(input, *, out=None, as_tuple=False):
    """The indices of elements that are not zero."""
    if as_tuple:
        return _ops.nonzero_numpy(input)
    return _nonzero(input, out=out)


def unflatten(input, dim, sizes):
    """The reverse of flatten."""
    if isinstance(sizes, (tuple, list)) and sizes and isinstance(sizes[0], (tuple, list)):
        raise NotImplementedError("assay's tensors have no named dimensions")
    if not sizes:
        raise RuntimeError("unflatten: sizes has no sizes")
    return _ops.unflatten(input, dim, list(sizes))


def is_tensor(obj):
    return isinstance(obj, Tensor)


def is_storage(obj):
    from .storage import TypedStorage, UntypedStorage
    return isinstance(obj, (TypedStorage, UntypedStorage))


def numel(input):
    return input.numel()

