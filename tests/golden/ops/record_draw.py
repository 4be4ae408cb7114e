"""Arguments drawn at random, for record.py: the generator of what a schema asks for."""
import re

import torch

DTYPES = {"u8": torch.uint8, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32,
          "i64": torch.int64, "f16": torch.float16, "f32": torch.float32, "f64": torch.float64,
          "c64": torch.complex64, "c128": torch.complex128, "b1": torch.bool,
          "bf16": torch.bfloat16}
SHORT = {dtype: name for name, dtype in DTYPES.items()}


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

    def floating(self):
        return self.one(["f32", "f32", "f64", "f16", "bf16"])

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
