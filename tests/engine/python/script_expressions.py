"""Functions for script_test.py: expressions and statements."""

import math
from typing import Any, Dict, List, Optional, Tuple, Union

import torch
from torch import Tensor

from script_harness import case, x


@case(x(2, 3), x(2, 3))
def add_two(a, b):
    return a + b


@case(x(2, 3), 3)
def scaled(a, n: int):
    return a * n + 2.5 - n / 2


@case(x(2, 3), True)
def ternary(a, flag: bool):
    scale = 1 if flag else 2
    return a * scale


@case(x(2, 3))
def branch(a):
    if a.sum() > 0:
        b = a + 1
    elif a.mean() > -1.0:
        b = a - 1
    else:
        b = a
    return b


@case(x(2, 3), 4)
def while_loop(a, n: int):
    i = 0
    while i < n:
        a = a + i
        i += 1
        if i == 3:
            break
    return a, i


@case(x(4, 3))
def for_loop(a):
    total = torch.zeros(3)
    for i in range(a.size(0)):
        if i == 1:
            continue
        total += a[i]
    return total


@case(x(4, 3))
def over_tensor(a):
    out = []
    for row in a:
        out.append(row * 2)
    return torch.stack(out)


@case([1, 2, 3])
def comprehension(xs: List[int]):
    return [i * 2 for i in xs]


@case({"a": 1, "b": 2})
def dict_comprehension(d: Dict[str, int]):
    return {k: v + 1 for k, v in d.items()}


@case([1, 2, 3], ["a", "b", "c"])
def zipped(xs: List[int], ys: List[str]):
    out: Dict[str, int] = {}
    for i, (n, s) in enumerate(zip(xs, ys)):
        out[s] = n + i
    return out


@case(2, 7.5)
def arithmetic(i: int, f: float):
    return i // 2, i % 3, f // 2, i ** 2, -i, i << 2, i | 1, i & 3, i ^ 5, ~i


@case(3, 4)
def comparisons(a: int, b: int):
    return a < b, a <= b < 5, a == b or a != 3, not a > b, a in [1, 2, 3], b not in [1, 2]


@case("hello")
def strings(s: str):
    return s.upper(), s[1:3], s + "!", s.replace("l", "L"), len(s), s.find("l"), "{}-{}".format(s, 3), s.split("e")


@case("w", 2)
def formatted(s: str, n: int):
    return f"{s} has {n}"


@case("w", 2)
def joined(s: str, n: int):
    return f"{s} has " "{braces} and " f"{n}"


@case("w", 2)
def percent(s: str, n: int):
    return "%s has %d" % (s, n)


@case(x(3, 4, 5))
def indexing(a):
    return a[0], a[:, 1], a[..., 2], a[1:, :2, None], a[-1, -1, -1], a[:, [0, 2]], a[a > 0]


@case(x(3, 4))
def index_assign(a):
    b = a.clone()
    b[0] = 1
    b[1, 2] = 5.0
    b[:, 1] += 1
    b[b < -1] = 0
    return b


@case([3, 1, 2])
def list_methods(xs: List[int]):
    ys = xs.copy()
    ys.append(4)
    ys.extend([5, 6])
    ys.insert(0, 9)
    last = ys.pop()
    ys.sort()
    ys.reverse()
    return ys, last, ys.index(3), ys.count(4), len(ys), sum(ys), max(ys), ys[1:3], ys[::2]


@case({"b": 1, "a": 2, "c": 3})
def dict_pops_the_oldest(d: Dict[str, int]):
    first = d.popitem()
    d["b"] = 4
    return first, d.popitem(), d


@case({"a": 1})
def dict_methods(d: Dict[str, int]):
    e = d.copy()
    e["b"] = 2
    first = e.get("a")
    other = e.get("z", 7)
    keys = [k for k in e.keys()]
    vals = [v for v in e.values()]
    gone = e.pop("a")
    del e["b"]
    return first, other, keys, vals, gone, len(e), "a" in e


@case((1, x(2)))
def tuples(t: Tuple[int, Tensor]):
    n, a = t
    return a + n, t[0], t[1], (n, (a, "s"))


@case(x(2, 2), None)
def optional(a, b: Optional[Tensor]):
    if b is None:
        b = torch.ones(2, 2)
    return a + b


@case(x(2, 2), x(2, 2))
def optional_given(a, b: Optional[Tensor] = None):
    if b is not None:
        a = a * b
    return a


@case(3)
def is_instance(v: Union[int, str]):
    if isinstance(v, int):
        return v + 1
    return len(v)


@case([1, 2])
def any_list(v: Any):
    if torch.jit.isinstance(v, List[int]):
        return v[0]
    return 0


@case(x(2, 2))
def asserting(a):
    assert a.dim() == 2, "two dimensions wanted"
    assert isinstance(a, torch.Tensor)
    return a


@case(-1)
def raising(n: int):
    if n < 0:
        raise ValueError("negative: {}".format(n))
    return n


@case(x(2, 2))
def early_return(a):
    if a.sum() > 100:
        return a
    for i in range(3):
        if i == 2:
            return a * i
    return a - 1


@case(x(2, 2))
def annotated_local(a):
    xs: List[Tensor] = []
    n: int = 3
    for i in range(n):
        xs.append(a + i)
    return torch.cat(xs)


@case(x(2, 2))
def annotate(a):
    xs = torch.jit.annotate(List[Optional[int]], [])
    xs.append(1)
    xs.append(None)
    return len(xs)


@case(2)
def defaults(n: int, scale: float = 2.0, label: str = "s", flags: Optional[List[int]] = None):
    if flags is None:
        flags = [1]
    return n * scale, label, flags


@case(2, scale=3)
def keyword_only(n: int, *, scale: int):
    return n * scale


@case(x(2, 2), [1, 2])
def type_comment(a, xs):
    # type: (Tensor, List[int]) -> Tensor
    return a + xs[0]


@case(x(2, 2), 3)
def parameter_comments(
        a,  # type: Tensor
        n,  # type: int
):
    # type: (...) -> Tensor
    return a + n


@case(x(2, 2))
def declared(a: Tensor) -> Tuple[Tensor, int]:
    """A docstring

with lines to the left.
    """
    return a, 1


@case(x(3, 3))
def long_lines(a):
    b = (a + 1
         - 2)
    c = torch.cat([
        b,
        b * 2,  # a comment
    ], dim=0)
    return c \
        + 1


@case(2.25)
def math_functions(v: float):
    return math.sqrt(v), math.floor(v), math.ceil(v), math.exp(v), math.pi * v, math.log(v), math.isnan(v), abs(-v)


@case(3)
def casts(n: int):
    return float(n), bool(n), str(n), int(2.7), complex(n, 1)


@case(x(2, 3))
def tensor_properties(a):
    return a.shape, a.dtype == torch.float32, a.ndim, a.T, a.device, a.is_cuda, a.requires_grad


@case(x(2, 3))
def factories(a):
    b = torch.zeros(2, 3, dtype=torch.int64)
    c = torch.ones_like(a)
    d = torch.arange(3)
    e = torch.full((2, 2), 3.0)
    f = torch.tensor([1, 2, 3])
    return b, c, d, e, f, a.new_zeros(2), torch.empty(0)


@case(x(2, 3))
def conversions(a):
    return a.to(torch.float64), a.int(), a.long().float(), a.type(torch.int32), a.to("cpu"), a.double()


@case(x(2, 3))
def methods(a):
    b = a.view(3, 2).transpose(0, 1).contiguous()
    return b.sum(dim=1, keepdim=True), b.max(), b.max(dim=0)[0], b.permute(1, 0), b.unsqueeze(0).squeeze(0)


@case(x(2, 3))
def item_values(a):
    v = a[0, 0].item()
    n = int(a[0, 1])
    return float(a[0, 0]) + n, bool(a[0, 0] > 0)


@case(x(2, 3))
def starred(a):
    xs = (a, a + 1)
    first, *rest = (1, 2, 3)
    return torch.cat([*xs]), first, rest


@case(x(2, 3))
def printing(a):
    print("shape", a.size(0))
    return a


@case(x(2, 3))
def chained_assign(a):
    b = c = a + 1
    b, c = c, b * 2
    return b, c


@case(x(2, 3))
def augmented(a):
    b = a.clone()
    b += 1
    b *= 2
    b -= a
    b /= 3
    n = 3
    n += 2
    n *= 2
    return b, n


@case(x(2, 3))
def matmul(a):
    return a @ a.t()


@case(3)
def nested_loops(n: int):
    total = 0
    for i in range(n):
        for j in range(i, n, 2):
            if j == i:
                continue
            total += i * j
    return total


@case(5)
def loop_else_values(n: int):
    found = -1
    for i in range(n):
        if i * i > 5:
            found = i
            break
    return found


@case(torch.tensor([2, 1, 2]))
def functions_of_torch_functional(a):
    values, counts = torch.unique(a, return_counts=True)
    same, inverse = torch.unique_consecutive(a, return_inverse=True)
    b = a.float().unsqueeze(0)
    return (torch.unique(a), values, counts, same, inverse, torch.norm(b), torch.norm(b, dim=1), torch.norm(b, 1, [0], True),
            torch.cdist(b, b), torch.tensordot(b, b, dims=([0], [0])), torch.tensordot(b, b.t(), 1),
            torch.stft(torch.cat([b, b, b], 1), 4, return_complex=False))


@case(x(2, 3))
def results_with_fields(a):
    best = a.max(1)
    return best, best.values, a.sort(0), [a.min(0)[1]]


@case(x(1, 1, 4, 4))
def numbers_for_lists(a):
    return (torch.nn.functional.max_pool2d(a, 2), torch.nn.functional.conv2d(a, torch.ones(1, 1, 1, 1), None, 2),
            torch.nn.functional.interpolate(a, size=(2, 3)), torch.zeros(2), torch.ones((1, 2)), torch.full([1], 2.))
