"""Programs that trace again and again: what a trace made goes with it, unless something else uses it."""

import builtins
import copy
import gc
import os
import random
import re
import resource
import sys
import tempfile
import time
import unittest
import warnings
from datetime import date, datetime
from random import uniform as drawn
from time import perf_counter as ticks
from unittest import mock
from uuid import uuid4

sys.path.insert(0, sys.argv.pop(1))
from assay import torch  # noqa: E402
from assay import _engine as _C  # noqa: E402

warnings.filterwarnings("ignore")


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.linear(x).relu()


class Net(torch.nn.Module):
    def __init__(self, inner=None):
        super().__init__()
        self.inner = inner or Layer()

    def forward(self, x):
        return self.inner(x) + 1


X = torch.arange(8.0).reshape(2, 4)


def traced(module):
    return torch.jit.trace(module, X, check_trace=False)


def class_of(module):
    return re.search(r"%self\S* : (\S+?)[,)]", str(module.graph) + ")").group(1)


class Lifetimes(unittest.TestCase):
    def test_a_trace_that_is_gone_leaves_its_names(self):
        class Own(Net):  # Whose name no other test's modules have.
            pass

        module = Own()
        first = traced(module)
        name = class_of(first)
        second = traced(module)
        self.assertNotEqual(class_of(second), name)  # Both are there.
        del first
        self.assertEqual(class_of(traced(module)), name)

    def test_memory_does_not_grow(self):
        module = Net()
        for _ in range(200):
            traced(module)(X)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(1500):
            traced(module)(X)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        self.assertLess(grown, 8000)  # In KB; it was 30 and more for each.

    def test_nothing_waits_for_the_collector(self):
        module = Net()
        traced(module)(X)
        gc.collect()
        gc.disable()
        try:
            traced(module)(X)
            self.assertEqual(gc.collect(), 0)
        finally:
            gc.enable()

    def test_a_submodule_outlives_the_whole(self):
        module = Net()
        inner = traced(module).inner
        others = [traced(Net()) for _ in range(3)]
        self.assertTrue(torch.equal(inner(X), module.inner(X)))
        self.assertTrue(torch.equal(inner.linear(X), module.inner.linear(X)))
        self.assertEqual(len(others), 3)

    def test_a_copy_outlives_the_original(self):
        module = Net()
        for made in (copy.deepcopy(traced(module)), copy.copy(traced(module)), torch.jit.freeze(traced(module.eval()))):
            traced(Net())
            self.assertTrue(torch.equal(made(X), module(X)))

    def test_a_part_of_a_scripted_module_stays(self):
        inner = Layer()
        whole = torch.jit.script(Net(traced(inner)))
        for _ in range(3):
            traced(inner)
        self.assertTrue(torch.equal(whole(X), inner(X) + 1))
        with tempfile.NamedTemporaryFile(suffix=".pt") as file:
            whole.save(file.name)
            self.assertTrue(torch.equal(torch.jit.load(file.name)(X), inner(X) + 1))

    def test_a_part_of_a_traced_module_stays(self):
        inner = Layer()
        whole = traced(Net(traced(inner)))
        for _ in range(3):
            traced(inner)
        self.assertTrue(torch.equal(whole(X), inner(X) + 1))
        self.assertIn("aten::relu", str(whole.inlined_graph))

    def test_a_trace_that_fails_leaves_nothing(self):
        class Broken(Net):
            def forward(self, x):
                raise ValueError(str(super().forward(x).shape))

        for _ in range(3):
            self.assertRaises(ValueError, traced, Broken())
        self.assertIsNone(_C._get_tracing_state())
        self.assertTrue(torch.equal(traced(Net(inner := Layer()))(X), inner(X) + 1))


class Listening(unittest.TestCase):
    """What stands in the place of others while a trace is recorded."""

    class Dice(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.seen = []
            self.kept = {"count": 0}
            self.label = "a"

        def forward(self, x):
            self.seen.append(1)
            self.kept["count"] += 1
            vars(self)["label"] = "b"
            self.turn = 3
            return x * random.random() * time.time() + random.randint(1, 6)

    def escapes(self):
        module = traced(self.Dice())
        return [(escape["kind"], escape["what"]) for escape in eval(module._origins)["escapes"]]

    def test_is_over_with_the_trace(self):
        before = [random.random, random.randint, time.time, builtins.len, builtins.min, torch.Tensor.numpy]
        self.escapes()
        self.assertEqual(before, [random.random, random.randint, time.time, builtins.len, builtins.min,
                                  torch.Tensor.numpy])

    def test_hears_the_second_trace_as_the_first(self):
        wanted = {("random", "random.random()"), ("random", "random.randint(1, 6)"), ("time", "time.time()"),
                  ("attribute", "self.turn"), ("attribute", "self.seen"), ("attribute", "self.kept"),
                  ("attribute", "self.label")}
        self.assertEqual(set(self.escapes()), wanted)
        self.assertEqual(set(self.escapes()), wanted)

    def test_hears_functions_and_dates_by_the_names_that_the_program_gave_them(self):
        class Named(torch.nn.Module):
            def forward(self, x):
                assert isinstance(datetime(2020, 1, 2), datetime) and type(datetime.now()) is own
                y = x * drawn(1, 2) * ticks() + uuid4().int % 5
                return y + os.urandom(1)[0] + datetime.now().microsecond + date.today().day

        own, before = datetime, (drawn, ticks, uuid4, datetime, date, os.urandom)
        escapes = eval(traced(Named())._origins)["escapes"]
        self.assertEqual(before, (drawn, ticks, uuid4, datetime, date, os.urandom))
        what = [escape["what"] for escape in escapes]
        self.assertEqual(what, ["datetime.datetime.now()", "random.uniform(1, 2)", "time.perf_counter()",
                                "uuid.uuid4()", "os.urandom(1)", "datetime.datetime.now()",
                                "datetime.date.today()"])
        lines = [int(escape["place"].rsplit(":")[-1]) - Named.forward.__code__.co_firstlineno
                 for escape in escapes]
        self.assertEqual(lines, [1, 2, 2, 2, 3, 3, 3])

    def test_hears_names_that_the_program_gave_meanwhile(self):
        class Taking(torch.nn.Module):
            def forward(self, x):
                given = globals().setdefault("given_meanwhile", ticks)
                return x * drawn(1, 2) * given()

        def heard():
            return [escape["what"] for escape in eval(traced(Taking())._origins)["escapes"]]

        before = drawn, ticks
        self.assertEqual(heard(), ["random.uniform(1, 2)", "time.perf_counter()"])
        globals()["given_meanwhile"] = own = random.gauss  # Between two traces,
        self.addCleanup(globals().pop, "given_meanwhile")
        self.assertEqual(heard(), ["random.uniform(1, 2)", "random.gauss()"])
        self.assertIs(given_meanwhile, own)  # noqa: F821

        class Changing(Taking):
            def forward(self, x):
                globals()["given_meanwhile"] = before[1]  # and while one is made.
                return x * drawn(1, 2)

        for _ in range(3):
            traced(Changing())
            self.assertIs(given_meanwhile, before[1])  # noqa: F821
            self.assertEqual(heard(), ["random.uniform(1, 2)", "time.perf_counter()"])
        self.assertEqual(before, (drawn, ticks))

    def test_hears_functions_that_the_program_put_there(self):
        own = random.random
        random.random = lambda: 0.25
        try:
            self.assertIn(("random", "random.random()"), self.escapes())
            self.assertEqual(random.random(), 0.25)
        finally:
            random.random = own
        self.assertIn(("random", "random.random()"), self.escapes())
        self.assertIs(random.random, own)

    def test_looks_for_nothing_anew_where_nothing_changed(self):
        sys.modules["a_second_name"] = sys.modules[__name__]
        self.addCleanup(sys.modules.pop, "a_second_name")
        heard = self.escapes()
        with mock.patch.object(torch.jit._escapes._stand_ins, "_exchanged_at") as look:
            self.assertEqual(heard, self.escapes())
        look.assert_not_called()

    def test_hears_memory_that_is_handed_out(self):
        def through_numpy(x):
            return x + float(x.numpy().sum())

        made = torch.jit.trace(through_numpy, X, check_trace=False)
        self.assertIn(("numpy", "x.numpy()"), [(e["kind"], e["what"]) for e in eval(made._origins)["escapes"]])


if __name__ == "__main__":
    unittest.main()
