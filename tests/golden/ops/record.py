"""Records what PyTorch 1.13 answers to small calls of every operator: python3 record.py [FAMILY...]

One file per file of engine/ops/catalog, one line per call:

    aten::sub.Tensor f32[2]{1 2} f32[]{0.5} 1 -> f32[2]{0.5 1.5}
    aten::relu_ f32[2]{-1 2} -> f32[2]{0 2}~0 ; 0=f32[2]{0 2}
    aten::view i64[4]{1 2 3 4} [3] !!

Arguments stand in the schema's order, those left out have their defaults. A tensor is its type,
sizes, strides where it is not row-major, and elements in row-major order (`?` where they are not
defined). `->` is followed by the results, `~1` says that a result lies in the storage of argument
1, `; 1=` what argument 1 holds afterwards if that changed. `!!` is an error. The generator is seeded
with 0 before each call.

Calls are drawn from the schemas, with hints where arguments must fit together; each row keeps the
first few that PyTorch accepts and one that it refuses. The same rows give the same calls.
"""
import os
import random
import re
import signal
import sys
import zlib

import torch

import record_detection

HERE = os.path.dirname(os.path.abspath(__file__))
CATALOG = os.path.join(HERE, "..", "..", "..", "engine", "ops", "catalog")
KEPT, REFUSED, DRAWS = 3, 1, 150

DTYPES = {"u8": torch.uint8, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32,
          "i64": torch.int64, "f16": torch.float16, "f32": torch.float32, "f64": torch.float64,
          "c64": torch.complex64, "c128": torch.complex128, "b1": torch.bool,
          "bf16": torch.bfloat16}
SHORT = {dtype: name for name, dtype in DTYPES.items()}
# Their elements are whatever memory held.
UNDEFINED = re.compile(r"empty|resize|aten::new$|_like_undefined")

# What PyTorch answers, but not by rules that a program could rely on; sym_* give addresses.
OUTSIDE = re.compile(
    r"^aten::sym_|^prim::(?!min|max|abs|rangelist|StringIndex|NumToTensor)|_cudnn|_cuda|aten::(Print|warn|set_|manual_seed|seed|initial_seed|set_grad|"
    r"is_grad_enabled|_set_|wait|save|add_\.t$|record_stream|cuda|confirmed_by_owner|backward|"
    r"requires_grad|retain|_version|data|cpu|pin_memory|_pin)")


# Values as text.

def number_text(value, digits):
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, complex):
        return number_text(value.real, digits) + "|" + number_text(value.imag, digits)
    return ("%%.%dg" % digits) % value


def tensor_text(t, defined=True):
    text = SHORT[t.dtype] + "[" + ",".join(map(str, t.shape)) + "]"
    if t.numel() and not t.is_contiguous():
        text += "/[" + ",".join(map(str, t.stride())) + "]"
    digits = 17 if t.dtype in (torch.float64, torch.complex128) else 9
    items = [number_text(x, digits) for x in t.reshape(-1).tolist()] if defined else ["?"]
    return text + "{" + " ".join(items) + "}"


def text(value, defined=True):
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, torch.Tensor):
        return tensor_text(value, defined)
    if isinstance(value, torch.device):
        return "@" + str(value)
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    if isinstance(value, float):
        out = repr(value)
        return out if re.search(r"[.en]", out) else out + ".0"
    if isinstance(value, complex):
        return number_text(value, 17)
    if isinstance(value, list):
        return "[" + " ".join(text(v, defined) for v in value) + "]"
    if isinstance(value, tuple):
        return "(" + " ".join(text(v, defined) for v in value) + ")"
    if isinstance(value, dict):
        return "<" + " ".join(text(k) + " " + text(v, defined) for k, v in value.items()) + ">"
    return str(int(value))


# Drawn arguments.

class Draw:
    def __init__(self, random_, name):
        self.random = random_
        self.name = name
        shapes = [(3,), (2, 3), (2, 2), (), (1,), (2, 1), (0,), (2, 0), (1, 3), (2, 2, 2), (1, 2, 3)]
        self.shape = self.one(shapes)
        self.dtype = self.one(["f32"] * 5 + list(DTYPES))

    def one(self, choices):
        return self.random.choice(choices)

    def chance(self, part):
        return self.random.random() < part

    def tensor(self, *shape, dtype=None, low=-8, high=8):
        dtype = dtype or self.dtype
        count = 1
        for n in shape:
            count *= n
        def element():
            if dtype == "b1":
                return self.chance(0.5)
            if dtype == "u8":
                return self.random.randint(0, 9)
            if dtype[0] == "i":
                return self.random.randint(low // 2, high // 2)
            if self.chance(0.04) and low < 0:
                return self.one([float("nan"), float("inf"), -float("inf"), -0.0])
            value = self.random.randint(low, high) / 4
            return complex(value, self.random.randint(-8, 8) / 4) if dtype[0] == "c" else value
        t = torch.tensor([element() for _ in range(count)], dtype=DTYPES[dtype]).reshape(shape)
        if len(shape) > 1 and low < 0 and self.chance(0.15):
            t = t.transpose(0, 1).contiguous().transpose(0, 1)
        # A tensor of its own: a view cannot be detached in place.
        return t.clone()

    def indices(self, *shape, below=2):
        return self.tensor(*shape, dtype="i64", low=0, high=2 * below - 1)

    def operand(self):
        shape = self.shape
        if self.chance(0.2) and shape:
            shape = shape[self.random.randint(0, len(shape)):]
        if self.chance(0.04):
            shape = (2, 5)
        return self.tensor(*shape, dtype=self.one(list(DTYPES)) if self.chance(0.1) else None)

    def size(self):
        return self.one([[2, 2], [3, 1], [2], [], [0], [1, 2, 3], [-1], list(self.shape)])

    def value(self, type_, name):
        if type_.startswith("Optional["):
            return None if self.chance(0.4) else self.value(type_[9:-1], name)
        if type_.startswith("List["):
            inner = type_[5:-1]
            if inner == "int":
                if re.search("dim", name):
                    return self.random.sample([-1, 0, 1, 2], self.random.randint(0, 2))
                return self.size()
            if inner == "t":
                inner = self.one(["int", "float", "str"])
            return [self.value(inner, name) for _ in range(self.random.randint(0, 3))]
        if type_.startswith("Dict["):
            key, value = type_[5:-1].split(", ")
            value = "int" if value == "t" else value
            return {self.value(key, "key"): self.value(value, name) for _ in range(self.random.randint(0, 3))}
        return self.atom(type_, name)

    def atom(self, type_, name):
        if type_ == "Tensor":
            if re.match(r"ind(ex|ices)$|target|bins|lengths|repeats", name) and self.chance(0.8):
                return self.indices(*(self.shape or (2,)))
            if re.match(r"mask|condition$", name) and self.chance(0.9):
                return self.tensor(*self.shape, dtype="b1")
            return self.operand()
        if type_ == "number":
            # No True: PyTorch's binding hands it over as 1.
            return self.one([2, -1, 0, 3, 0.5, -1.5, 2.5, 1, 1])
        if type_ == "float":
            return self.one([0.5, 1.5, -2.0, 0.25, 3.0, 0.0, 1e20, -7.25])
        if type_ == "complex":
            return self.one([1 + 2j, -0.5 + 1j, 0j])
        if type_ == "bool":
            return self.chance(0.5)
        if type_ == "str":
            return self.one({"rounding_mode": ["floor", "trunc"], "approximate": ["none", "tanh"],
                             "indexing": ["ij", "xy"], "padding": ["valid", "same"],
                             "mode": ["reflect", "constant", "replicate", "linear"],
                             "device": ["cpu"], "side": ["left", "right"],
                             "reduce": ["sum", "mean", "amax", "amin", "prod"],
                             "ord": ["fro", "nuc"], "equation": ["ij,jk->ik", "ij->ji", "ii"],
                             "driver": ["gels"], "UPLO": ["L", "U"]}.get(
                                 name, ["ab b", "b", "", "Aa1", " x\ty ", "abcabc", "a", "12", "{} {}"]))
        if type_ == "Device":
            return torch.device("cpu")
        if type_ == "int":
            return self.integer(name)
        if type_ == "t":
            return self.one([1, 2, 0])
        return None

    def integer(self, name):
        if name == "dtype":
            return self.one([6, 7, 4, 11, 1, 9])
        if name in ("layout", "memory_format"):
            return 0
        if name == "reduction":
            return self.one([0, 1, 2])
        if re.search(r"dim|axis", name):
            return self.random.randint(-3, 2)
        return self.one([1, 2, 0, 3, -1, -2, 5])


def convolution(spatial, transposed=False, padding=None):
    def draw(d):
        shape = (1, 2) + (4,) * spatial
        weight = (2, 3) if transposed else (3, 2)
        args = [d.tensor(*shape), d.tensor(*weight, *(2,) * spatial), d.one([None, d.tensor(3)]),
                [d.one([1, 2])] * spatial, padding or [d.one([0, 1])] * spatial]
        if transposed:
            return args + [[0] * spatial, 1, [1] * spatial]
        return args + [[1] * spatial, 1]
    return draw


def general_convolution(d):
    args = convolution(2)(d)[:5]
    return args + [[1, 1], False, [0, 0], 1] + ([False] * 4 if "aten::_" in d.name else [])


def pooling(spatial, average):
    def draw(d):
        args = [d.tensor(1, 2, *(4,) * spatial), [2] * spatial, d.one([[], [1] * spatial]),
                [d.one([0, 1])] * spatial]
        return args + ([d.chance(0.5), d.chance(0.5)] if average else [[1] * spatial, d.chance(0.5)])
    return draw


def adaptive(spatial):
    return lambda d: [d.tensor(1, 2, *(4,) * spatial), [d.one([1, 2, 3])] * spatial]


def norm(arguments):
    def draw(d):
        x = d.tensor(2, 4, 2)
        v = lambda low=-8: d.tensor(4, low=low)
        return arguments(d, x, v)
    return draw


def upsample(spatial, corners=True):
    def draw(d):
        args = [d.tensor(1, 1, *(3,) * spatial)]
        if d.name.endswith(".vec"):
            args += d.one([[[5] * spatial, None], [None, [1.5] * spatial]])
            return args[:2] + ([d.chance(0.5)] if corners else []) + args[2:]
        return args + [[d.one([2, 5])] * spatial] + ([d.chance(0.5)] if corners else [])
    return draw


def recurrent(gates, lstm=False):
    def draw(d):
        w = lambda *s: d.tensor(*s, low=0, high=2)
        params = [w(gates * 2, 3), w(gates * 2, 2), w(gates * 2), w(gates * 2)]
        if d.name.endswith("_cell"):
            state = d.tensor(2, 2)
            return [d.tensor(2, 3), [state, d.tensor(2, 2)] if lstm else state] + params
        state = d.tensor(1, 2, 2)
        state = [state, d.tensor(1, 2, 2)] if lstm else state
        tail = [params, True, 1, 0.0, False, False]
        if d.name.endswith(".data"):
            return [d.tensor(3, 3), torch.tensor([2, 1]), state] + tail
        return [d.tensor(2, 2, 3), state] + tail + [d.chance(0.5)]
    return draw


def loss(d):
    return [d.tensor(2, 3), d.tensor(2, 3, low=0, high=4), *([None] if "binary" in d.name else []),
            d.one([0, 1, 2])]


SQUARE = lambda d: [d.tensor(3, 3)]


def spectrum(many):
    """A small array to transform: its points, dimension and scale."""
    def draw(d):
        kind = d.one(["f32", "f64", "c64"])
        x = d.tensor(2, 4, dtype=kind, low=0)
        norm = d.one([None, "ortho", "forward"])
        if many:
            return [x, d.one([None, [2, 3]]), d.one([[0, 1], [-1]]), norm]
        return [x, d.one([None, 3, 5]), d.one([0, -1]), norm]
    return draw


def definite(d):
    """A positive definite matrix, and its factor."""
    x = d.tensor(3, 3, dtype=d.one(["f32", "f64"]), low=0)
    a = x @ x.T + 2 * torch.eye(3, dtype=x.dtype)
    return a, torch.linalg.cholesky(a)


def system(more=()):
    return lambda d: [definite(d)[0].float(), d.tensor(3, 2, dtype="f32", low=0), *more]


def triangle(d):
    return definite(d)[1].float()


FITTING = {
    "aten::conv1d": convolution(1), "aten::conv2d": convolution(2), "aten::conv3d": convolution(3),
    "aten::conv1d.padding": convolution(1, padding="same"),
    "aten::conv2d.padding": convolution(2, padding="valid"),
    "aten::conv3d.padding": convolution(3, padding="same"),
    "aten::_convolution_mode": convolution(2, padding="same"),
    "aten::conv_transpose1d": convolution(1, True),
    "aten::conv_transpose2d.input": convolution(2, True),
    "aten::conv_transpose3d.input": convolution(3, True),
    "aten::convolution": general_convolution, "aten::_convolution": general_convolution,
    "aten::linear": lambda d: [d.tensor(2, 3), d.tensor(4, 3), d.one([None, d.tensor(4)])],
    "aten::mm": lambda d: [d.tensor(2, 3), d.tensor(3, 2)],
    "aten::bmm": lambda d: [d.tensor(2, 2, 3), d.tensor(2, 3, 2)],
    "aten::mv": lambda d: [d.tensor(2, 3), d.tensor(3)],
    "aten::addmm": lambda d: [d.tensor(*d.one([(2,), (2, 2), ()])), d.tensor(2, 3), d.tensor(3, 2), d.one([1, 2, 0]), d.one([1, 3])],
    "aten::addmv": lambda d: [d.tensor(2), d.tensor(2, 3), d.tensor(3), d.one([1, 2]), 1],
    "aten::addr": lambda d: [d.tensor(2, 3), d.tensor(2), d.tensor(3), d.one([1, 2]), 1],
    "aten::addbmm": lambda d: [d.tensor(2, 2), d.tensor(2, 2, 3), d.tensor(2, 3, 2), 1, d.one([1, 2])],
    "aten::baddbmm": lambda d: [d.tensor(2, 2, 2), d.tensor(2, 2, 3), d.tensor(2, 3, 2), 1, d.one([1, 2])],
    "aten::bilinear": lambda d: [d.tensor(2, 2), d.tensor(2, 3), d.tensor(4, 2, 3), d.tensor(4)],
    "aten::embedding": lambda d: [d.tensor(4, 3), d.indices(2, 2)],
    "aten::embedding_bag": lambda d: [d.tensor(4, 3), d.indices(4), torch.tensor([0, 2]), False, d.one([0, 1, 2])],
    "aten::batch_norm": norm(lambda d, x, v: [x, v(), v(), v(), v(1), d.chance(0.5), 0.5, 0.25, False]),
    "aten::native_batch_norm": norm(lambda d, x, v: [x, v(), v(), v(), v(1), d.chance(0.5), 0.5, 0.25]),
    "aten::instance_norm": norm(lambda d, x, v: [x, v(), v(), None, None, True, 0.5, 0.25, False]),
    "aten::layer_norm": norm(lambda d, x, v: [x, [4, 2], None, d.tensor(4, 2), 0.25]),
    "aten::native_layer_norm": norm(lambda d, x, v: [x, [2], d.tensor(2), None, 0.25]),
    "aten::group_norm": norm(lambda d, x, v: [x, 2, v(), None, 0.25]),
    "aten::native_group_norm": norm(lambda d, x, v: [x, v(), v(), 2, 4, 2, 2, 0.25]),
    "aten::binary_cross_entropy": lambda d: [d.tensor(2, 3, low=0, high=4), d.tensor(2, 3, low=0, high=4), None, d.one([0, 1, 2])],
    "aten::nll_loss": lambda d: [d.tensor(2, 3), d.indices(2), None, d.one([0, 1, 2])],
    "aten::nll_loss_nd": lambda d: [d.tensor(2, 3), d.indices(2), None, d.one([0, 1, 2])],
    "aten::nll_loss_forward": lambda d: [d.tensor(2, 3), d.indices(2), None, d.one([0, 1, 2]), -100],
    "aten::cross_entropy_loss": lambda d: [d.tensor(2, 3), d.indices(2), None, d.one([0, 1, 2])],
    "aten::max_unpool2d": lambda d: [d.tensor(1, 1, 1, 2), torch.tensor([[[[1, 6]]]]), [2, 4]],
    "aten::pixel_shuffle": lambda d: [d.tensor(1, 4, 2, 2), 2],
    "aten::pixel_unshuffle": lambda d: [d.tensor(1, 1, 2, 4), 2],
    "aten::channel_shuffle": lambda d: [d.tensor(1, 4, 2), 2],
    "aten::native_channel_shuffle": lambda d: [d.tensor(1, 4, 2), 2],
    "aten::grid_sampler": lambda d: [d.tensor(1, 1, 3, 3), d.tensor(1, 2, 2, 2, low=-3, high=3), d.one([0, 1]), d.one([0, 1, 2]), d.chance(0.5)],
    "aten::grid_sampler_2d": lambda d: [d.tensor(1, 1, 3, 3), d.tensor(1, 2, 2, 2, low=-3, high=3), d.one([0, 1]), d.one([0, 1, 2]), d.chance(0.5)],
    "aten::affine_grid_generator": lambda d: [d.tensor(1, 2, 3), [1, 1, 2, 2], d.chance(0.5)],
    "aten::im2col": lambda d: [d.tensor(1, 1, 3, 3), [2, 2], [1, 1], [d.one([0, 1])] * 2, [1, 1]],
    "aten::col2im": lambda d: [d.tensor(1, 4, 4), [3, 3], [2, 2], [1, 1], [0, 0], [1, 1]],
    **record_detection.CALLS,
    "aten::scatter.src": lambda d: [d.tensor(2, 3), d.one([0, 1]), d.indices(2, 2), d.tensor(2, 2)],
    "aten::scatter.value": lambda d: [d.tensor(2, 3), d.one([0, 1]), d.indices(2, 2), 1],
    "aten::scatter_add": lambda d: [d.tensor(2, 3), d.one([0, 1]), d.indices(2, 2), d.tensor(2, 2)],
    "aten::scatter.reduce": lambda d: [d.tensor(2, 3), 1, d.indices(2, 2), d.tensor(2, 2), d.one(["add", "multiply"])],
    "aten::scatter.value_reduce": lambda d: [d.tensor(2, 3), 1, d.indices(2, 2), 2, d.one(["add", "multiply"])],
    "aten::scatter_reduce.two": lambda d: [d.tensor(2, 3), 1, d.indices(2, 2), d.tensor(2, 2), d.one(["sum", "prod", "amax", "mean"]), d.chance(0.5)],
    "aten::gather": lambda d: [d.tensor(2, 3), d.one([0, 1, -1]), d.indices(2, 2), False],
    "aten::index_select": lambda d: [d.tensor(2, 3), d.one([0, 1]), d.indices(3)],
    "aten::index_add": lambda d: [d.tensor(2, 3), 0, d.indices(2), d.tensor(2, 3), d.one([1, 2])],
    "aten::index_copy": lambda d: [d.tensor(2, 3), 0, torch.tensor([1, 0]), d.tensor(2, 3)],
    "aten::index_fill.int_Scalar": lambda d: [d.tensor(2, 3), 1, d.indices(2), d.one([1, 2])],
    "aten::index_fill.int_Tensor": lambda d: [d.tensor(2, 3), 1, d.indices(2), d.tensor()],
    "aten::index.Tensor": lambda d: [d.tensor(2, 3), d.one([[d.indices(2)], [None, d.indices(2)], [d.tensor(2, 3, dtype="b1")], [d.indices(2, 1), d.indices(2)]])],
    "aten::index_put": lambda d: [d.tensor(2, 3), [d.indices(2)], d.tensor(3), d.chance(0.5)],
    "aten::index_put_": lambda d: [d.tensor(2, 3), [d.tensor(2, 3, dtype="b1")], d.tensor(), d.chance(0.5)],
    "aten::take_along_dim": lambda d: [d.tensor(2, 3), d.indices(2, 1), 1],
    "aten::masked_scatter": lambda d: [d.tensor(2, 3), d.tensor(2, 3, dtype="b1"), d.tensor(6)],
    "aten::bucketize.Tensor": lambda d: [d.tensor(2, 2), torch.tensor([-1., 0., 1.])],
    "aten::searchsorted.Tensor": lambda d: [torch.tensor([-1., 0., 1.]), d.tensor(2, dtype="f32")],
    "aten::cat": lambda d: [[d.tensor(2, 3), d.tensor(*d.one([(2, 1), (2, 3)]))], d.one([1, -1])],
    "aten::stack": lambda d: [[d.tensor(2, 3), d.tensor(2, 3)], d.one([0, 1, -1, 2])],
    "aten::cross": lambda d: [d.tensor(2, 3), d.tensor(2, 3)],
    "aten::linalg_cross": lambda d: [d.tensor(2, 3), d.tensor(2, 3)],
    "aten::dot": lambda d: [d.tensor(3), d.tensor(3)], "aten::vdot": lambda d: [d.tensor(3), d.tensor(3)],
    "aten::outer": lambda d: [d.tensor(3), d.tensor(2)],
    "aten::tensordot": lambda d: [d.tensor(2, 3), d.tensor(3, 2), [1], [0]],
    "aten::einsum": lambda d: [d.one(["ij,jk->ik", "ij,jk", "ij,jk->", "...j,jk"]), [d.tensor(2, 3), d.tensor(3, 2)]],
    "aten::chain_matmul": lambda d: [[d.tensor(2, 3), d.tensor(3, 2), d.tensor(2, 1)]],
    "aten::linalg_multi_dot": lambda d: [[d.tensor(2, 3), d.tensor(3, 2), d.tensor(2, 1)]],
    "aten::linalg_matrix_power": lambda d: [d.tensor(2, 2), d.one([0, 1, 2, 3])],
    "aten::prelu": lambda d: [d.tensor(2, 3), d.tensor(d.one([1, 3]))],
    "aten::multinomial": lambda d: [d.tensor(4, low=1), 2, d.chance(0.5)],
    "aten::one_hot": lambda d: [d.indices(2, 2), d.one([-1, 4])],
    "aten::bincount": lambda d: [d.indices(4), None, d.one([0, 5])],
    "aten::repeat": lambda d: [d.tensor(2, 3), d.one([[2, 1], [2, 1, 2], [0, 1]])],
    "aten::expand": lambda d: [d.tensor(2, 1), d.one([[2, 3], [-1, 3], [2, 2, 3], [3, 3]])],
    "aten::unfold": lambda d: [d.tensor(5), 0, d.one([1, 2, 3]), d.one([1, 2])],
    "aten::as_strided": lambda d: [d.tensor(2, 3), [2, 2], d.one([[1, 2], [3, 1], [0, 1]]), d.one([None, 1])],
    "aten::pad": lambda d: [d.tensor(1, 2, 3), [1, 2], d.one(["constant", "reflect", "replicate", "circular"]), None],
    "aten::_transform_bias_rescale_qkv": lambda d: [d.tensor(1, 2, 12), d.tensor(12), 2],
    "aten::_masked_softmax": lambda d: [d.tensor(1, 1, 2, 2), d.tensor(1, 1, 2, 2, dtype="b1"), 3, 2],
    "aten::glu": lambda d: [d.tensor(2, 4), d.one([-1, 0])],
    "aten::lstm_cell": recurrent(4, True), "aten::gru_cell": recurrent(3),
    "aten::rnn_tanh_cell": recurrent(1), "aten::rnn_relu_cell": recurrent(1),
    "aten::lstm.input": recurrent(4, True), "aten::lstm.data": recurrent(4, True),
    "aten::_pack_padded_sequence": lambda d: [d.tensor(2, 2, 3), torch.tensor([2, 1]), d.chance(0.5)],
    "aten::_pad_packed_sequence": lambda d: [d.tensor(3, 2), torch.tensor([2, 1]), d.chance(0.5), 0.5, d.one([2, 4])],
    "aten::tril": lambda d: [d.tensor(2, 3), d.one([-1, 0, 1])], "aten::triu": lambda d: [d.tensor(2, 3), d.one([-1, 0, 1])],
    "aten::diag_embed": lambda d: [d.tensor(2, 2), d.one([-1, 0, 1])],
    "aten::diagonal": lambda d: [d.tensor(2, 3), d.one([-1, 0, 1])],
    "aten::matrix_exp": SQUARE, "aten::trace": SQUARE,
}
for name in ("det", "slogdet", "inv", "lu_factor", "lu", "lu_factor_ex", "inv_ex", "eigvalsh", "matrix_exp", "svdvals", "cholesky_ex",
             "ldl_factor", "ldl_factor_ex"):
    FITTING["aten::linalg_" + name] = FITTING["aten::" + name] = lambda d: [definite(d)[0]]
for name in ("logdet", "inverse", "cholesky", "pinverse", "linalg_pinv.atol_rtol_float", "linalg_matrix_rank.atol_rtol_float", "linalg_cond"):
    FITTING["aten::" + name] = lambda d: [definite(d)[0]]
FITTING["aten::linalg_solve"] = FITTING["aten::linalg_solve_ex"] = system()
FITTING["aten::cholesky_solve"] = lambda d: [d.tensor(3, 2, dtype="f32", low=0), triangle(d)]
FITTING["aten::cholesky_inverse"] = lambda d: [triangle(d)]
FITTING["aten::linalg_solve_triangular"] = lambda d: [triangle(d), d.tensor(3, 2, dtype="f32", low=0), False, True, d.chance(0.5)]
FITTING["aten::triangular_solve"] = lambda d: [d.tensor(3, 2, dtype="f32", low=0), triangle(d), False, d.chance(0.5)]
FITTING["aten::linalg_lstsq"] = lambda d: [d.tensor(3, 2, low=0), d.tensor(3, 2, low=0), d.one([None, 0.25])]
FITTING["aten::linalg_qr"] = FITTING["aten::geqrf"] = lambda d: [d.tensor(3, 2, dtype="f32", low=1)]
FITTING["aten::qr"] = lambda d: [d.tensor(3, 2, dtype="f32", low=1), d.chance(0.5)]
FITTING["aten::_fft_c2c"] = lambda d: [d.tensor(2, 3, dtype="c64", low=0), [1], d.one([0, 1, 2]), d.chance(0.5)]
FITTING["aten::_fft_r2c"] = lambda d: [d.tensor(2, 4, dtype="f32", low=0), [1], d.one([0, 1, 2]), d.chance(0.5)]
FITTING["aten::_fft_c2r"] = lambda d: [d.tensor(2, 3, dtype="c64", low=0), [1], d.one([0, 1, 2]), d.one([4, 5])]
for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    FITTING["aten::fft_" + name] = spectrum(False)
    FITTING["aten::fft_" + name + "2"] = FITTING["aten::fft_" + name + "n"] = spectrum(True)
FITTING["aten::stft"] = lambda d: [d.tensor(2, 9, dtype="f32", low=0), 4, d.one([None, 2]), None, d.one([None, d.tensor(4, dtype="f32", low=1)]), d.chance(0.5), d.one([None, True, False]), True]
FITTING["aten::istft"] = lambda d: [d.tensor(3, 5, dtype="c64", low=0), 4, 1, None, None, d.chance(0.5), d.chance(0.5)]
for n, name in [(1, "1d"), (2, "2d"), (3, "3d")]:
    FITTING["aten::max_pool" + name] = FITTING["aten::max_pool%s_with_indices" % name] = pooling(n, False)
    FITTING["aten::avg_pool" + name] = pooling(n, True)
    for kind in ("avg", "max"):
        FITTING["aten::adaptive_%s_pool%s" % (kind, name)] = adaptive(n)
    for side in ("reflection", "replication"):
        FITTING["aten::%s_pad%s" % (side, name)] = (
            lambda n: lambda d: [d.tensor(1, 1, *(3,) * n), [d.one([0, 1, 2]) for _ in range(2 * n)]])(n)
    for mode in ("upsample_nearest", "_upsample_nearest_exact"):
        FITTING["aten::%s%s" % (mode, name)] = FITTING["aten::%s%s.vec" % (mode, name)] = upsample(n, False)
for name, n in [("linear1d", 1), ("bilinear2d", 2), ("trilinear3d", 3), ("bicubic2d", 2)]:
    FITTING["aten::upsample_" + name] = FITTING["aten::upsample_%s.vec" % name] = upsample(n)
for name in ("bilinear2d", "bicubic2d"):
    FITTING["aten::_upsample_%s_aa" % name] = FITTING["aten::_upsample_%s_aa.vec" % name] = upsample(2)
for name, gates in [("gru", 3), ("rnn_tanh", 1), ("rnn_relu", 1)]:
    for end in (".input", ".data"):
        FITTING["aten::" + name + end] = recurrent(gates)


# Rows, calls and their records.

def rows_of(path):
    with open(path) as file:
        for line in file:
            row = re.match(r'(OP|VARIANT)\("([^(]+)\((.*?)"(?:, "([^"]+)"\))?', line)
            if row:
                yield row.group(2), row.group(4) or row.group(2)


def schemas():
    return {s.name + ("." + s.overload_name if s.overload_name else ""): s
            for s in torch._C._jit_get_all_schemas()}


def type_text(value, declared):
    if isinstance(value, dict):
        key, item = declared[5:-1].split(", ")
        return "Dict(%s, %s)" % (key, "int" if item == "t" else item)
    names = {bool: "bool", int: "int", float: "float", str: "str", torch.Tensor: "Tensor"}
    if isinstance(value, list):
        inner = re.fullmatch(r"List\[(.*)\]", declared)
        inner = inner.group(1) if inner else "t"
        if inner == "t":
            inner = names[type(value[0])] if value else "Tensor"
        return inner.replace("Optional[Tensor]", "Tensor?") + "[]"
    return names.get(type(value), declared) if declared in ("t", "t1", "t2") else declared


def caller(schema, args):
    """Calls the very overload; those with type variables through a graph."""
    declared = [str(a.type) for a in schema.arguments]
    if not any(re.search(r"\bt\b", d) for d in declared):
        call = torch._C._get_operation_overload(schema.name, schema.overload_name)[0]
        named = [i for i, a in enumerate(schema.arguments) if a.kwarg_only]
        first = named[0] if named else len(args)
        return lambda *given: call(*given[:first], **{schema.arguments[i].name: given[i] for i in named})
    types = [type_text(v, d) for v, d in zip(args, declared)]
    names = ["%%a%d" % i for i in range(len(args))]
    returned = {"t": types[0][:-2] if types[0].endswith("[]") else "int", "List[t]": types[0]}
    result = str(schema.returns[0].type) if schema.returns else ""
    result = returned.get(result, result).replace("Dict[str, t]", types[0])
    result = re.sub(r"List\[(.*)\]", r"\1[]", result)
    graph = "graph(%s):\n  %s%s(%s)\n  return (%s)" % (
        ", ".join("%s : %s" % p for p in zip(names, types)),
        "%%r : %s = " % result if result else " = ", schema.name, ", ".join(names),
        "%r" if result else "")
    parsed = torch._C.parse_ir(graph)
    found = str(parsed.findNode(schema.name).schema())
    if found != str(schema):
        raise LookupError(found)
    return torch._C._create_function_from_graph("f", parsed)


def results_of(schema, result):
    if not schema.returns:
        return []
    return [result] if len(schema.returns) == 1 else list(result)


def storage_of(value):
    return value.storage().data_ptr() if isinstance(value, torch.Tensor) and value.numel() else None


def record(name, schema, args):
    defined = not UNDEFINED.search(name)
    before = [text(a) for a in args]
    storages = [storage_of(a) for a in args]
    line = " ".join([name] + before)
    try:
        call = caller(schema, args)
    except (LookupError, RuntimeError, KeyError):
        return None
    torch.manual_seed(0)
    try:
        results = results_of(schema, call(*args))
    except Exception as error:
        unfit = re.search(r"Expected a value of type|positional argument|internal assert|not a valid|only supports.*CUDA", str(error), re.I)
        return None if unfit else line + " !!"
    shown = []
    for r in results:
        at = storage_of(r)
        alias = "~%d" % storages.index(at) if at and at in storages else ""
        shown.append(text(r, defined) + alias)
    line += " -> " + " ".join(shown)
    for i, (a, b) in enumerate(zip(args, before)):
        if isinstance(a, torch.Tensor) and text(a) != b:
            line += " ; %d=%s" % (i, text(a, defined))
    return line


def fitting_of(name, functional):
    return FITTING.get(name) or FITTING.get(functional)


def draw_args(d, name, functional, schema):
    declared = schema.arguments
    made = None
    fit = fitting_of(name, functional)
    if fit and not d.chance(0.05):
        d.name = functional
        made = fit(d)
        made = [v for v in made]
    args = []
    for i, argument in enumerate(declared):
        type_ = str(argument.type)
        if made is not None and i < len(made) and argument.name not in ("out", "indices" if ".out" in name else "out"):
            args.append(made[i])
        elif argument.is_out:
            args.append(torch.empty(0, dtype=DTYPES[d.dtype] if d.chance(0.8) else torch.float32))
        elif argument.has_default_value() and not argument.kwarg_only and made is not None:
            args.append(argument.default_value)
        elif type_ == "Optional[int]" and argument.name == "dtype" and d.chance(0.6):
            args.append(None)
        else:
            args.append(d.value(type_, argument.name))
    return args


def record_row(name, functional, schema):
    random_ = random.Random(zlib.crc32(name.encode()))
    kept, refused, seen = 0, 0, set()
    for _ in range(DRAWS):
        if kept >= KEPT:
            break
        d = Draw(random_, name)
        try:
            args = draw_args(d, name, functional, schema)
        except Exception:
            continue
        line = record(name, schema, args)
        if line is None or line in seen or "\n" in line or len(line) > 700:
            continue
        seen.add(line)
        if not line.endswith("!!"):
            kept += 1
            yield line
        elif refused < REFUSED:
            refused += 1
            yield line


def in_child(lines):
    """A call may end the process, or never end: each row has its own, and some seconds."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        signal.alarm(3)
        for line in lines:
            os.write(writer, (line + "\n").encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as file:
        recorded = file.read().split("\n")
    os.waitpid(child, 0)
    return [line for line in recorded if line]


def main(families):
    torch.set_num_threads(1)
    known = schemas()
    missing = []
    for name in sorted(os.listdir(CATALOG)):
        if families and name[:-4] not in families:
            continue
        lines = []
        for row, functional in rows_of(os.path.join(CATALOG, name)):
            if row not in known or OUTSIDE.search(row):
                missing.append(row)
                continue
            recorded = in_child(record_row(row, functional, known[row]))
            if not any("->" in line for line in recorded):
                missing.append(row)
            lines += recorded
        with open(os.path.join(HERE, name[:-4] + ".txt"), "w") as file:
            file.write("\n".join(lines) + "\n")
        print(name, len(lines))
    print(len(missing), "rows without a call that works:", " ".join(missing), file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
