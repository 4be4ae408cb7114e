"""Records PyTorch's answers to calls that no draw from a schema finds: python3 record_special.py [FILE...]

Written as record.py writes its own.
"""
import os
import random
import sys
import zlib

import torch

import record


def states(name):
    """First states of other numbers of rows than the input has."""
    lstm, packed = "lstm" in name, name.endswith(".data")
    gates = 4 if lstm else 3 if "gru" in name else 1

    def draws(d):
        for layers, both in ((1, False), (2, False), (1, True)):
            params = []
            for part in range(layers * (2 if both else 1)):
                inner = 3 if part == 0 or both else 2
                params += [d.tensor(gates * 2, n, dtype="f32", low=0, high=2) for n in (inner, 2)]
            tail = [params, False, layers, 0.0, False, both]
            rows = layers * (2 if both else 1)
            for given, state, cells in ((1, 3, 3), (1, 3, 1), (1, 1, 2), (2, 3, 3), (2, 1, 1),
                                        (2, 2, 1), (2, 2, 2)):
                h, c = (d.tensor(rows, n, 2, dtype="f32", low=0) for n in (state, cells))
                hx = [h, c] if lstm else h
                if packed:
                    sizes = torch.tensor([given, 1])
                    yield [d.tensor(given + 1, 3, dtype="f32", low=0), sizes, hx] + tail
                else:
                    first = layers == 2
                    shape = (given, 2, 3) if first else (2, given, 3)
                    yield [d.tensor(*shape, dtype="f32", low=0), hx] + tail + [first]
    return draws


def resized(d):
    """Sizes at which the rounding of places between elements shows."""
    for count, size, scale in ((3, 5, None), (4, 7, 1.85), (5, 12, None), (7, 4, None)):
        for corners in (False, True):
            yield [torch.eye(count).reshape(1, 1, count, count), [size, size], corners, scale, None]


def spare_rows(d):
    """More rows than the counts of a packed sequence tell of, as many, and fewer."""
    for rows in (5, 3, 2):
        yield [d.tensor(rows, 2, dtype="f32", low=0), torch.tensor([2, 1]), False, 0.0, -1]


def shared_rows(d):
    """Steps of one row out of as many as a layer before gave to a state of two."""
    params = [d.tensor(2, 2, dtype="f32", low=0, high=2) for _ in range(2)]
    yield [d.tensor(4, 2, dtype="f32", low=0), torch.tensor([1, 1]),
           d.tensor(1, 2, 2, dtype="f32", low=0), params, False, 1, 0.0, False, False]


def drawn(name, count):
    """More calls than record.py keeps, and longer ones."""
    def draws(d):
        for _ in range(count):
            d.name = name
            yield record.FITTING[name](d)
    return draws


def seen(d):
    """Queries, keys and values, grouped and masked in several ways; some queries see nothing."""
    for kind in ("f32", "f64"):
        q = d.tensor(1, 2, 2, 3, dtype=kind, low=0)
        k, v = d.tensor(1, 2, 4, 3, dtype=kind, low=0), d.tensor(1, 2, 4, 2, dtype=kind, low=0)
        some = torch.tensor([[True, False, True, True], [False] * 4])
        for mask in (None, some, torch.where(some, 0.5, -float("inf")).to(q.dtype)):
            yield [q, k, v, mask, 0.0, False, d.one([None, 0.5]), False]
        yield [q, k, v, None, 0.0, True, None, False]
        yield [q, k[:, :1].clone(), v[:, :1].clone(), some, 0.0, False, None, True]
        yield [q, k, v, some, 0.0, True, None, False]
    yield [q[0, 0].clone(), k[0, 0].clone(), v[0, 0].float(), None, 0.0, False, None, False]


def scaled(d):
    for kind, shape, weight, eps in (("f32", [4], True, None), ("f64", [2, 4], False, None), ("f16", [4], False, 0.25),
                                     ("bf16", [4], False, None), ("f32", [3], False, None)):
        x = d.tensor(2, 4, dtype=kind, low=0)
        yield [x, shape, d.tensor(*shape, dtype=kind, low=0) if weight else None, eps]


def tested(d):
    for dim in (None, [], [0], [0, -1], [1, 1]):
        for kind in ("b1", "f32", "u8"):
            yield [d.tensor(2, 3, dtype=kind), dim, d.chance(0.5)]
    yield [d.tensor(dtype="f32"), None, True]


def narrowed(d):
    for dim in ([0], [1], [0, 2], [-1, 0], [], [0, 0], [4]):
        yield [d.tensor(1, 2, 1), dim]


def segmented(d):
    """Segments by lengths and by offsets, of rows and of parts of rows, empty ones among them."""
    for kind in ("max", "min", "sum", "mean", "prod"):
        for initial in (None, 2, 0.5):
            lengths = torch.tensor(d.one([[1, 2], [3, 0], [2, 0, 1]]), dtype=d.one([torch.int64, torch.int32]))
            x = d.tensor(3, 2, dtype=d.one(["f32", "f64", "f16", "bf16"]), low=0)
            yield [x, kind, lengths, None, None, 0, False, initial]
            offsets = torch.tensor(d.one([[0, 0, 3], [1, 2], [0, 2, 2, 3], [0]]))
            yield [x, kind, None, None, offsets, 0, d.chance(0.5), initial]
        columns = torch.tensor([[2, 0], [1, 1]])
        yield [d.tensor(2, 2, dtype="f32"), kind, columns, None, None, 1, False, None]
    x = torch.tensor([1.0, float("nan"), 3.0, 2.0])
    for kind in ("max", "min", "mean"):
        yield [x, kind, torch.tensor([3, 1]), None, None, -1, False, None]
    few, wrong = torch.tensor([1, 1]), torch.tensor([4, -1])
    for unsafe in (False, True):
        yield [x, "sum", few, None, None, 0, unsafe, None]
    yield [x, "sum", few, None, torch.tensor([0, 4]), 0, False, None]
    for bounds in ([None, None, None], [None, few, None], [wrong, None, None], [None, None, torch.tensor([2, 1])],
                   [few.short(), None, None], [None, None, few.float()], [few[:0], None, None], [None, None, few[:0]]):
        yield [x, "sum"] + bounds + [0, False, None]
    for other in ([x.long(), "sum", torch.tensor([4])], [x, "amax", torch.tensor([4])], [x[:0], "sum", few[:0]]):
        yield other + [None, None, 0, False, None]
    yield [x, "sum", torch.tensor([4]), None, None, 1, False, None]


def broadcast_parts(d):
    """Sources of which a part is smaller than one of self, or of fewer dimensions."""
    for dim, source in ((1, (1, 5, 3)), (1, (1, 5, 1)), (0, (5,)), (0, (5, 3)), (0, (5, 1, 3)), (1, (3, 5))):
        yield [d.tensor(2, 4, 3, dtype="f32"), dim, d.indices(5), d.tensor(*source, dtype="f32"), d.one([1, 2])]
    yield [d.tensor(3, 1, dtype="f32"), 0, d.indices(2), d.tensor(2, dtype="f32"), 1]
    yield [d.tensor(1, 3, dtype="f32"), 0, d.indices(2) * 0, d.tensor(2, 1, dtype="f32"), 1]


def parts_that_misfit(d):
    for dim, source in ((1, (2, 5)), (0, (5, 4)), (-1, (5,)), (0, (5, 2, 4, 3)), (1, (1, 4, 3)), (2, (2, 4))):
        yield [d.tensor(2, 4, 3, dtype="f32"), dim, d.indices(5), d.tensor(*source, dtype="f32"), 1]
    yield [d.tensor(3, dtype="f32"), 0, d.indices(2), d.tensor(2, 1, dtype="f32"), 1]
    yield [d.tensor(dtype="f32"), 0, d.indices(1) * 0, d.tensor(1, 3, dtype="f32"), 1]
    yield [d.tensor(2, 3, dtype="f32"), 0, d.indices(1), d.tensor(dtype="f32"), 1]
    yield [d.tensor(3, dtype="f32"), 0, d.indices(1), d.tensor(dtype="f32"), 1]


def weighted(d):
    """Weights of columns that fit, and such that cov refuses."""
    x = d.tensor(2, 3, dtype="f32", low=0)
    counts, shares = torch.tensor([1, 2, 0]), torch.tensor([0.5, 0.25, 2.0])
    for f, a in ((counts, None), (None, shares), (counts, shares), (counts.int(), shares.double()), (counts[:1], None),
                 (None, shares[:2]), (-counts, None), (None, -shares), (None, shares * float("nan")), (shares, None),
                 (None, counts), (counts.bool(), None), (counts[None], None), (None, shares[None]), (counts * 0, None)):
        yield [x, 1, f, a]


def in_place(d):
    for kind in ("i64", "b1", "u8", "f32", "f64"):
        yield [d.tensor(2, dtype=kind, low=1), 1]


def single_class(d):
    """A number instead of a row: one class."""
    for target, weight in ((0, None), (1, None), (0, [2.0])):
        for reduction in (0, 1):
            yield [d.tensor(dtype="f32"), torch.tensor(target), 1, 1, weight and torch.tensor(weight), reduction]


def between(first, second):
    def draws(d):
        for low, high in ((0.0, 1.0), (-2, 2)):
            base = [10.0] if d.name.startswith("aten::log") else []
            yield [torch.tensor(low) if first else low, torch.tensor(high) if second else high, 3, *base, None, None, None, None]
    return draws


# Operators that came after PyTorch 1.13, as its later versions write them into archives.
LATER = ([("aten::scaled_dot_product_attention", seen), ("aten::rms_norm", scaled), ("aten::any.dims", tested),
          ("aten::all.dims", tested), ("aten::squeeze.dims", narrowed), ("aten::squeeze_.dims", narrowed)]
         + [("aten::%s.%s" % (name, kinds), between(kinds.startswith("T"), kinds.endswith("_Tensor")))
            for name in ("linspace", "logspace") for kinds in ("Tensor_Tensor", "Tensor_Scalar", "Scalar_Tensor")])

SPECIAL = {
    "later": LATER,
    "detection_regions": [(name, drawn(name, 10)) for name in record.FITTING if name.startswith("torchvision::")],
    "segments": [("aten::segment_reduce", segmented)],
    # What the CPU takes and CUDA refuses.
    "cpu_only": [("aten::index_add", broadcast_parts), ("aten::index_add_", broadcast_parts)],
    "edges": [("aten::index_add", parts_that_misfit), ("aten::index_add_", parts_that_misfit), ("aten::cov", weighted),
              ("aten::polygamma_", in_place), ("aten::multi_margin_loss", single_class)],
    "recurrent_states": [("aten::%s.%s" % (layer, how), states("aten::%s.%s" % (layer, how)))
                         for layer in ("lstm", "gru", "rnn_tanh", "rnn_relu")
                         for how in ("input", "data")]
                        + [("aten::_pad_packed_sequence", spare_rows),
                           ("aten::rnn_tanh.data", shared_rows)],
    "resampled_places": [("aten::upsample_bilinear2d", resized),
                         ("aten::upsample_bicubic2d", resized)],
}


def record_file(file, known):
    if any(row not in known for row, _ in SPECIAL[file]):
        print(file, "needs a later PyTorch")
        return
    lines = []
    for row, draws in SPECIAL[file]:
        d = record.Draw(random.Random(zlib.crc32(row.encode())), row)
        lines += [record.record(row, known[row], args) for args in draws(d)]
    with open(os.path.join(record.HERE, file + ".txt"), "w") as out:
        out.write("\n".join(lines) + "\n")
    print(file, len(lines))


if __name__ == "__main__":
    torch.set_num_threads(1)
    for name in sys.argv[1:] or SPECIAL:
        record_file(name, record.schemas())
