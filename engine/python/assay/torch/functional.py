"""Functions that Python's torch puts in front of the operators: other forms of their arguments.

Those named in `compiled` are functions in compiled code, too; of the others that knows the operators."""
from typing import List, Optional, Tuple

from assay import _engine as _C
from . import _operators as _ops
from ._package import torch
from ._jit_internal import _overload, boolean_dispatch
from ._tensor import Tensor
from .overrides import overridable
from .storage import TypedStorage, UntypedStorage
from .types import Size


def _unpacked(tensors):
    """f(a, b) and f([a, b]) mean the same."""
    return list(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else list(tensors)


@overridable
def broadcast_tensors(*tensors):
    return _ops.broadcast_tensors(_unpacked(tensors))


def broadcast_shapes(*shapes):
    """The shape to which all of them broadcast."""
    if _C._get_tracing_state() is not None:  # Tensors of these shapes, so that the trace fits other sizes, too.
        with torch.no_grad():
            scalar = _ops.zeros((), device="cpu")
            tensors = [scalar.expand(shape) for shape in shapes]
            return broadcast_tensors(*tensors)[0].shape
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
    return _parts(tensor, split_size_or_sections, dim)


def _parts(self, sizes, dim):  # `self`: by that name a trace calls no value.
    if isinstance(sizes, Tensor) and sizes.dim() == 0:
        sizes = int(sizes)  # As PyTorch: a trace keeps it as it is.
    return _split(self, sizes, dim) if isinstance(sizes, int) else _split_with_sizes(self, list(sizes), dim)


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


@_overload
def tensordot(a, b, dims: int = 2, out: Optional[Tensor] = None):  # noqa: F811
    pass


@_overload
def tensordot(a, b, dims: Tuple[List[int], List[int]], out: Optional[Tensor] = None):  # noqa: F811
    pass


@_overload
def tensordot(a, b, dims: List[List[int]], out: Optional[Tensor] = None):  # noqa: F811
    pass


@_overload
def tensordot(a, b, dims: Tensor, out: Optional[Tensor] = None):  # noqa: F811
    pass


def _check_contracted(count: int, of_first: int, of_second: int) -> None:
    if count < 0:
        raise RuntimeError("tensordot: dims is {}, and must not be negative".format(count))
    if count > min(of_first, of_second):
        raise RuntimeError("tensordot: dims is {}, but the tensors have {} and {} dimensions".format(
            count, of_first, of_second))


@overridable
def tensordot(a, b, dims=2, out: Optional[Tensor] = None):  # noqa: F811
    """Contraction over several dimensions: the last of one and the first of the other, or those given for each."""
    first: List[int] = []
    second: List[int] = []
    count = -1
    if isinstance(dims, (tuple, list)):
        first, second = dims[0], dims[1]
        if not torch.jit.is_scripting():  # Python's programs give a single dimension as a number, too.
            first, second = [[d] if isinstance(d, int) else list(d) for d in (first, second)]
        count = 0
    elif isinstance(dims, Tensor):
        if dims.numel() > 1:
            first = torch.jit.annotate(List[int], dims[0].tolist())
            second = torch.jit.annotate(List[int], dims[1].tolist())
            count = 0
        else:
            count = int(dims.item())
    else:
        count = int(dims)
    if len(first) == 0:
        _check_contracted(count, a.dim(), b.dim())
        first, second = list(range(-count, 0)), list(range(count))
    if out is None:
        return _ops.tensordot(a, b, first, second)
    return _ops.tensordot(a, b, first, second, out=out)


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
        if len(tensors) == 1:
            tensors = tensors[0]  # By this name a trace calls it.
        return operator(tensors)
    function.__name__ = function.__qualname__ = operator.__name__
    return function


atleast_1d = _of_one_or_many(_ops.atleast_1d)
atleast_2d = _of_one_or_many(_ops.atleast_2d)
atleast_3d = _of_one_or_many(_ops.atleast_3d)


@overridable
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0,
          compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Tensor:
    """Distances between the rows of two batches."""
    modes = ["use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist"]
    if compute_mode not in modes:
        raise ValueError("compute_mode: '{}' is none of {}".format(compute_mode, ", ".join(modes)))
    mode: Optional[int] = None
    if compute_mode == modes[1]:
        mode = 1
    if compute_mode == modes[2]:
        mode = 2
    return _ops.cdist(x1, x2, float(p), mode)


@_overload
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):  # noqa: F811
    # type: (Tensor, str, Optional[List[int]], bool, Optional[Tensor], Optional[int]) -> Tensor
    pass


@_overload
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):  # noqa: F811
    # type: (Tensor, Optional[number], Optional[List[int]], bool, Optional[Tensor], Optional[int]) -> Tensor
    pass


@_overload
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):  # noqa: F811
    # type: (Tensor, Optional[number], Optional[int], bool, Optional[Tensor], Optional[int]) -> Tensor
    pass


@_overload
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):  # noqa: F811
    # type: (Tensor, str, Optional[int], bool, Optional[Tensor], Optional[int]) -> Tensor
    pass


def _nuclear_norm(input: Tensor, dims: Optional[List[int]], keepdim: bool, out: Optional[Tensor]) -> Tensor:
    over = [0, 1] if dims is None else dims
    if out is None:
        return _ops.nuclear_norm(input, over, keepdim)
    return _ops.nuclear_norm(input, over, keepdim, out=out)


def _norm_over(input: Tensor, p: float, dims: List[int], keepdim: bool, out: Optional[Tensor],
               dtype: Optional[int]) -> Tensor:
    if dtype is None:
        if out is None:
            return _ops.norm(input, p, dims, keepdim)
        return _ops.norm(input, p, dims, keepdim, out=out)
    if out is None:
        return _ops.norm(input, p, dims, keepdim, dtype=dtype)
    return _ops.norm(input, p, dims, keepdim, dtype=dtype, out=out)


@overridable
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):  # noqa: F811
    """Norms of vectors and matrices."""
    if dim is None:
        dims = torch.jit.annotate(Optional[List[int]], None)
    elif isinstance(dim, int):
        dims = [dim]
    else:
        dims = dim
    over = list(range(input.dim())) if dims is None else dims
    if isinstance(p, str):
        if p == "nuc":
            return _nuclear_norm(input, dims, keepdim, out)
        if p != "fro":
            raise RuntimeError("norm: p is a number, 'fro' or 'nuc', not '{}'".format(p))
        if out is None and dtype is None and dims is None:
            return _ops.frobenius_norm(input, [], keepdim)
        if out is None and dtype is None and len(over) <= 2:
            return _ops.frobenius_norm(input, over, keepdim)
        return _norm_over(input, 2.0, over, keepdim, out, dtype)
    else:
        if torch.jit.is_scripting():
            return _norm_over(input, 2.0 if p is None else float(p), over, keepdim, out, dtype)
        return _norm_over(input, p, over, keepdim, out, dtype)


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
def stft(input: Tensor, n_fft: int, hop_length: Optional[int] = None, win_length: Optional[int] = None,
         window: Optional[Tensor] = None, center: bool = True, pad_mode: str = "reflect", normalized: bool = False,
         onesided: Optional[bool] = None, return_complex: Optional[bool] = None) -> Tensor:
    """Fourier transforms of overlapping windows."""
    if center:
        half, rank = n_fft // 2, input.dim()
        input = _ops.pad(input.view([1] * (3 - rank) + list(input.size())), [half, half], pad_mode)
        input = input.view(input.shape[-rank:])
    return _stft(input, n_fft, hop_length, win_length, window, normalized, onesided, return_complex)


def _unique_impl(input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
                 dim: Optional[int] = None) -> Tuple[Tensor, Tensor, Tensor]:
    if dim is not None:
        output, inverse_indices, counts = _ops.unique_dim(input, dim, sorted, return_inverse, return_counts)
    else:
        output, inverse_indices, counts = _ops._unique2(input, sorted, return_inverse, return_counts)
    return output, inverse_indices, counts


def _return_output(input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
                   dim: Optional[int] = None) -> Tensor:
    output, _, _ = _unique_impl(input, sorted, return_inverse, return_counts, dim)
    return output


def _return_counts(input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
                   dim: Optional[int] = None) -> Tuple[Tensor, Tensor]:
    output, _, counts = _unique_impl(input, sorted, return_inverse, return_counts, dim)
    return output, counts


def _return_inverse(input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
                    dim: Optional[int] = None) -> Tuple[Tensor, Tensor]:
    output, inverse_indices, _ = _unique_impl(input, sorted, return_inverse, return_counts, dim)
    return output, inverse_indices


_unique_consecutive = _C.operator("unique_consecutive")


def _unique_consecutive_impl(input: Tensor, return_inverse: bool = False, return_counts: bool = False,
                             dim: Optional[int] = None) -> Tuple[Tensor, Tensor, Tensor]:
    output, inverse_indices, counts = _unique_consecutive(input, return_inverse, return_counts, dim)
    return output, inverse_indices, counts


def _consecutive_return_output(input: Tensor, return_inverse: bool = False, return_counts: bool = False,
                               dim: Optional[int] = None) -> Tensor:
    output, _, _ = _unique_consecutive_impl(input, return_inverse, return_counts, dim)
    return output


def _consecutive_return_counts(input: Tensor, return_inverse: bool = False, return_counts: bool = False,
                               dim: Optional[int] = None) -> Tuple[Tensor, Tensor]:
    output, _, counts = _unique_consecutive_impl(input, return_inverse, return_counts, dim)
    return output, counts


def _consecutive_return_inverse(input: Tensor, return_inverse: bool = False, return_counts: bool = False,
                                dim: Optional[int] = None) -> Tuple[Tensor, Tensor]:
    output, inverse_indices, _ = _unique_consecutive_impl(input, return_inverse, return_counts, dim)
    return output, inverse_indices


def _by_what_is_asked(name, place, everything, counts, inverse, output):
    """Chooses by `return_inverse`, which is at `place`, and `return_counts` behind it."""
    def chosen(argument, at, if_true, if_false):
        return boolean_dispatch(arg_name=argument, arg_index=at, default=False, if_true=if_true, if_false=if_false,
                                module_name=__name__, func_name=name)
    return chosen("return_inverse", place, chosen("return_counts", place + 1, everything, inverse),
                  chosen("return_counts", place + 1, counts, output))


unique = _by_what_is_asked("unique", 2, _unique_impl, _return_counts, _return_inverse, _return_output)
unique_consecutive = _by_what_is_asked("unique_consecutive", 1, _unique_consecutive_impl, _consecutive_return_counts,
                                       _consecutive_return_inverse, _consecutive_return_output)
compiled = (stft, cdist, norm, unique, unique_consecutive, tensordot)
istft = _C.functions["istft"]


def unflatten(input, dim, sizes):
    """The reverse of flatten."""
    if isinstance(sizes, (tuple, list)) and sizes and isinstance(sizes[0], (tuple, list)):
        raise NotImplementedError("assay's tensors have no named dimensions")
    if not sizes:
        raise RuntimeError("unflatten: sizes has no sizes")
    return _unflattened(input, dim, list(sizes))


def _unflattened(self, dim, sizes):  # `self`: by that name a trace calls no value.
    return _ops.unflatten(self, dim, sizes)


def is_tensor(obj):
    return isinstance(obj, Tensor)


def is_storage(obj):
    return isinstance(obj, (TypedStorage, UntypedStorage))


def numel(input):
    return input.numel()
