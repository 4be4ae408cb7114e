"""Where equal values stand after a sort, and which of them is chosen, held to PyTorch: it follows from its
algorithms, and decides what a detector keeps of equal scores."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(sys.argv[1]).resolve()))

from assay import torch  # noqa: E402

try:
    import torch as reference
    if not reference.__version__.startswith("1.13"):
        reference = None
except ImportError:
    reference = None

CALLS = """
x.sort(0)
x.sort(0, descending=True)
x.t().sort(1, descending=True)
x.sort(dim=0, stable=True)
x.sort(dim=0, stable=False)
x.int().sort(0)
x.half().sort(0, True)
(x > 0).sort(0)
torch.where(x == 1, torch.full_like(x, float('nan')), x).sort(0)
torch.where(x == 1, torch.full_like(x, float('nan')), x).sort(0, True)
x.argsort(0)
x.argsort(0, descending=True)
torch.argsort(x, dim=0, stable=True)
x.topk(3, 0)
x.topk(x.shape[0], 0, largest=False)
x.topk(2, 0, sorted=False)
x.kthvalue(2, 0)
x.median(0)
x.nanmedian(0)
x.mode(0)
x.max(0)
x.min(0)
x.argmax(0)
x.cummax(0)
x.unique(return_inverse=True, dim=0)
"""


def names_of(face, rows, values):
    """`values` different ones, none in order."""
    numbers = face.arange(rows * 3, dtype=face.float64)
    return {"torch": face, "x": ((numbers * 7919 + 13) % 1009 % values).reshape(rows, 3).float()}


def numbers_of(result):
    return [part.tolist() for part in result] if isinstance(result, tuple) else result.tolist()


@unittest.skipIf(reference is None, "there is no PyTorch 1.13")
class BesidePyTorch(unittest.TestCase):
    def test_equal_values_come_in_its_order(self):
        for rows in (5, 16, 17, 100, 700):  # Its sort changes its way at 17; topk at 64 times k.
            for values in (1, 3, 40):
                for call in filter(None, CALLS.split("\n")):
                    with self.subTest(call, rows=rows, values=values):
                        own, theirs = (eval(call, names_of(face, rows, values)) for face in (torch, reference))
                        self.assertEqual(str(numbers_of(own)), str(numbers_of(theirs)))  # As texts NaNs are equal.


if __name__ == "__main__":
    program = unittest.main(argv=sys.argv[:1], exit=False)
    if reference is None:
        sys.exit(77)
    sys.exit(not program.result.wasSuccessful())
