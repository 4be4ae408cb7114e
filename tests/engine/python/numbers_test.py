"""Numbers that left a trace: Python computes with them as with its own, and each remembers an expression that
gives it again. Needs no PyTorch."""
import ast
import json
import math
import os
import pathlib
import subprocess
import sys
import unittest

PACKAGE = pathlib.Path(sys.argv.pop(1)).resolve()  # The folder that holds the package.

# n is 7 and f is 3.0: int and float of the sizes of an input of 7 by 3.
COMPUTED = """n + 1; 1 + n; n - 2; 20 - n; n * 3; 3 * n; n / 2; 2 / n; n // 2; 22 // n; n % 4; 30 % n; n ** 2; 2 ** n
n << 1; 1 << n; n >> 1; n & 3; n | 8; n ^ 1; -n; +n; ~n; abs(-n); round(n / 3); round(f / 7, 2); int(f); int(n / 2)
float(n); int(n); int(float(n)); 0.5 * n; n * 0.5; 1.0 / n; n - 0.5; 0.5 - n; 2.0 ** n; n ** 0.5; n ** -0.5; 7.5 // n
7.5 % n; n + f; f + n; f * f; f / n; f // 2; divmod(n, 3)[0]; divmod(n, 3)[1]; divmod(23, n)[1]; divmod(9.5, n)[0]
pow(n, 2); pow(n, 2, 5); max(n, 2); min(3, n, 9); sum([n, n, 1]); max([n, f, 9]); sorted([9, n])[0]; math.sqrt(n)
sqrt(n); math.ceil(n / 2); math.floor(n / 2); math.trunc(n / 2); math.log(n); math.log(n, 2); math.log2(n); math.exp(f)
math.pow(n, 2); math.gcd(n, 14); math.hypot(n, f); math.fabs(-n); math.isqrt(n); (n - 1).bit_length(); len(x) + n
list(range(n, 0, -2))[1]; list(range(0, 9, n))[1]; range(n, 12)[2]; [n, f][0]; (lambda k=n: k)(); int(x.size(1)) * n
x.shape[0].item() - 1; math.prod(map(int, x.shape)); int(x.sum()) + n; x[1].tolist()[2] * n; (n if n > 3 else 0) + n
x.shape.numel() - n; x.size()[1:].numel() * n; math.ceil(x.size(0) / 2); math.floor(x.size(1) * 1.5)
math.pow(x.size(1), n); math.gcd(int(x.size(0)), 14)"""

ASKED = {"n > 3": "x.size(0) > 3", "n == 7": "x.size(0) == 7", "3 < n": "x.size(0) > 3", "0.5 < n": "x.size(0) > 0.5",
         "f >= 2": "x.size(1) >= 2", "n != f": "x.size(0) != x.size(1)", "bool(n)": "bool(x.size(0))",
         "n in (7, 8)": "x.size(0) == 7", "{7: 1}[n] == 1": "x.size(0) == 7", "x.shape == (7, 3)": "x.size(1) == 3",
         "math.isfinite(n)": "math.isfinite(x.size(0))", "x.numel() > 20": "x.numel() > 20"}

PROGRAM = """
import json, math, random, time, warnings
from math import sqrt
import torch
warnings.simplefilter("ignore")

def traced(look):
    def model(x):
        n, f = int(x.shape[0]), float(x.shape[1])
        return x + torch.full((1,), 0.0) + look(x, n, f)
    trace = torch.jit.trace(model, torch.arange(21.0).reshape(7, 3), check_trace=False)
    return json.loads(trace._origins)

def plain(text):
    x = torch.arange(21.0).reshape(7, 3)
    n, f = int(x.shape[0]), float(x.shape[1])
    value = eval(text.replace(".item()", ""), globals(), {"x": x, "n": n, "f": f})
    return type(value).__name__, repr(value)

def computed(text):
    kept = []
    def look(x, n, f):
        value = eval(text, globals(), {"x": x, "n": n, "f": f})
        kept.append((isinstance(value, int), value))
        return value
    baked = traced(look)["baked"]
    whole, value = kept[0]
    return plain(text), ("int" if whole else "float", repr(int(value) if whole else float(value))), baked[-1:]

def asked(text):
    def look(x, n, f):
        return 1 if eval(text, globals(), {"x": x, "n": n, "f": f}) else 0
    return [[guard["condition"], guard["value"]] for guard in traced(look)["guards"]]

class Inner(torch.nn.Module):
    count = 0
    def __init__(self):
        super().__init__()
        self.seen = []
    def forward(self, x):
        self.count += 1
        self.seen.append(1)
        return x * self.count

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
    def forward(self, x):
        x = self.inner(x) + random.gauss(0, 1) + time.time()
        if x.dtype == torch.float32 and x.dim() == 2:
            x = x + len(f"{len(x)}")
        for _ in range(int(x.shape[0])):
            x = x + 1
        return x.data.sum() + x.sum()

def escapes():
    return json.loads(torch.jit.trace(Net(), torch.ones(2, 2), check_trace=False)._origins)

assert type(int(3.5)) is int and type(0.5 * 3) is float and range(3) == range(0, 3)
def outside():  # Nothing is left of the listening.
    traced(lambda x, n, f: n)
    return [type(int(3.5)).__name__, type(0.5 * 3).__name__, type(range(3)).__name__, type(math.sqrt(4)).__name__]
print(json.dumps([[computed(t) for t in COMPUTED], [asked(t) for t in ASKED], escapes(), outside()]))
"""


class Size:
    """An input of 7 by 3 for the expressions, counted up from 0."""

    def size(self, dim):
        return (7, 3)[dim]

    def numel(self):
        return 21

    def __getitem__(self, index):
        return [[float(3 * row + column) for column in range(3)] for row in range(7)][index]


def evaluated(expression):
    known = {"x": Size(), "math": math, "sum": lambda x: 210.0 if isinstance(x, Size) else sum(x),
             "select": lambda x, dim, index: x[index]}
    return eval(compile(ast.parse(expression, mode="eval"), "expression", "eval"), known)


class Numbers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        texts = [text.strip() for text in COMPUTED.replace("\n", ";").split(";")]
        program = f"COMPUTED = {texts!r}\nASKED = {list(ASKED)!r}\n" + PROGRAM
        done = subprocess.run([sys.executable, "-m", "assay", "-c", program], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(PACKAGE)})
        assert done.returncode == 0, done.stderr[-2000:]
        computed, asked, cls.escapes, cls.outside = json.loads(done.stdout)
        cls.computed, cls.asked = dict(zip(texts, computed)), dict(zip(ASKED, asked))

    def test_they_are_what_python_computes(self):
        for text, (plain, traced, _) in self.computed.items():
            with self.subTest(text):
                self.assertEqual(traced, plain)

    def test_their_expressions_give_them_again(self):
        for text, (plain, _, baked) in self.computed.items():
            with self.subTest(text):
                self.assertEqual(len(baked), 1, "it was forgotten")
                self.assertAlmostEqual(evaluated(baked[0]["expression"]), ast.literal_eval(plain[1]),
                                       msg=baked[0]["expression"])
                self.assertTrue(baked[0]["from"])

    def test_what_was_asked_of_them_is_a_guard(self):
        for text, condition in ASKED.items():
            with self.subTest(text):
                self.assertIn([condition, True], self.asked[text])

    def test_other_things_that_a_trace_depends_on_are_escapes(self):
        kinds = {escape["kind"]: escape for escape in self.escapes["escapes"]}
        whats = [escape["what"] for escape in self.escapes["escapes"]]
        self.assertLessEqual({"attribute", "random", "time", "dtype", "dim", "text", "data"}, set(kinds))
        self.assertIn("self.inner.count", whats)
        self.assertIn("self.inner.seen", whats)
        self.assertEqual(kinds["dtype"]["value"], "torch.float32")
        self.assertEqual(whats.count("random.gauss(0, 1)"), 1)
        self.assertNotIn("random.random()", whats)  # What gauss draws by is its own affair.

    def test_how_often_a_loop_turned_is_an_origin(self):
        rounds = [(o["expression"], o["value"]) for o in self.escapes["origins"] if o["how"] == "range"]
        self.assertEqual(len(rounds), 1)
        self.assertEqual(rounds[0][1], 2)

    def test_nothing_is_left_of_the_listening(self):
        self.assertEqual(self.outside, ["int", "float", "range", "float"])


if __name__ == "__main__":
    unittest.main()
