"""Objects of tensors: identity, life time, bytes shared with numpy and others, copies, subclasses."""

import array
import copy
import gc
import pathlib
import sys
import unittest
import weakref

sys.path.insert(0, str(pathlib.Path(sys.argv[1]).resolve()))

from assay import torch  # noqa: E402

try:
    import numpy
except ImportError:
    numpy = None


class Identity(unittest.TestCase):
    def test_one_object_per_tensor(self):
        x = torch.ones(2)
        self.assertIs(x.add_(1), x)
        self.assertIs(x.contiguous(), x)
        self.assertIs(torch.ops.aten.relu_(x), x)
        y = x
        y += 1
        self.assertIs(y, x)
        self.assertIs(torch.add(x, 1, out=x), x)

    def test_objects_end(self):
        x = torch.ones(2)
        seen = weakref.ref(x)
        del x
        self.assertIsNone(seen())

    def test_cycles_end(self):
        x = torch.ones(2)
        x.me = x
        seen = weakref.ref(x)
        del x
        gc.collect()
        self.assertIsNone(seen())

    def test_a_view_keeps_the_bytes(self):
        x = torch.arange(4)
        view = x[2:]
        del x
        gc.collect()
        self.assertEqual(view.tolist(), [2, 3])

    def test_attributes(self):
        x = torch.ones(1)
        x.note = "mine"
        self.assertEqual(x.__dict__, {"note": "mine"})
        with self.assertRaisesRegex(AttributeError, "nothing"):
            x.nothing


class Copies(unittest.TestCase):
    def test_deepcopy_keeps_sharing_and_strides(self):
        x = torch.arange(6).view(2, 3)
        first, second = copy.deepcopy([x, x.t()])
        first[0, 0] = 9
        self.assertEqual(second[0, 0].item(), 9)
        self.assertEqual(second.stride(), (1, 3))
        self.assertEqual(x[0, 0].item(), 0)

    def test_a_parameter_stays_one(self):
        weight = torch.nn.Parameter(torch.ones(2))
        again = copy.deepcopy(weight)
        self.assertIsInstance(again, torch.nn.Parameter)
        self.assertTrue(again.requires_grad)
        self.assertIsNot(again, weight)
        self.assertTrue((weight + 1).requires_grad)
        self.assertIs(type(weight + 1), torch.Tensor)

    def test_copy_shares_bytes(self):
        x = torch.ones(2)
        y = copy.copy(x)
        y[0] = 5
        self.assertEqual(x[0].item(), 5)

    def test_operators_copy_as_themselves(self):
        self.assertIs(copy.deepcopy(torch.relu), torch.relu)
        self.assertIs(copy.deepcopy(torch.float32), torch.float32)


class Bytes(unittest.TestCase):
    def test_equal_looks_at_every_element(self):
        for dtype in (torch.float32, torch.float64, torch.float16, torch.int64, torch.bool, torch.complex64):
            x = torch.zeros(9001, dtype=dtype)
            y = x.clone()
            self.assertTrue(torch.equal(x, y) and torch.equal(x[::2], y[::2]))
            y[9000] = 1
            self.assertFalse(torch.equal(x, y) or torch.equal(x[::2], y[::2]))
        x[3] = float("nan")
        self.assertFalse(torch.equal(x, x.clone()))
        self.assertTrue(torch.equal(torch.tensor([0.0]), torch.tensor([-0.0])))
        torch.testing.assert_close(x, x.clone(), equal_nan=True)

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_numpy_arrays_are_divided_by_tensors(self):
        three, halves = torch.tensor([1.0, 2.0, 4.0]), numpy.array([2.0, 1.0, 0.5])
        self.assertEqual((halves / three).tolist(), [2.0, 0.5, 0.125])
        self.assertEqual((three / halves).tolist(), [0.5, 2.0, 8.0])
        self.assertIsInstance(halves / three, torch.Tensor)
        with self.assertRaises(TypeError):  # As in PyTorch.
            halves * three

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_numpy_shares_both_ways(self):
        x = torch.zeros(2, 3)
        seen = x.t().numpy()
        seen[2, 1] = 7
        self.assertEqual(x[1, 2].item(), 7)
        self.assertEqual(seen.strides, (4, 12))
        made = numpy.zeros(3)
        y = torch.from_numpy(made)
        y[1] = 4
        self.assertEqual(made[1], 4)
        self.assertEqual(torch.as_tensor(made).data_ptr(), y.data_ptr())

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_each_side_keeps_the_other_alive(self):
        seen = torch.arange(1000).numpy()
        made = torch.from_numpy(numpy.arange(1000))
        gc.collect()
        self.assertEqual(int(seen.sum()), 499500)
        self.assertEqual(made.sum().item(), 499500)

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_writes_through_numpy_are_seen_by_fast_kernels(self):
        weight, x = torch.eye(64), torch.ones(64, 64)
        seen = weight.numpy()
        self.assertEqual(torch.mm(x, weight)[0, 0].item(), 1)
        seen[:] = 2
        self.assertEqual(torch.mm(x, weight)[0, 0].item(), 128)

    def test_buffers(self):
        numbers = array.array("i", [1, 2, 3])
        x = torch.frombuffer(numbers, dtype=torch.int32)
        x[0] = 9
        self.assertEqual(numbers[0], 9)

    def test_dlpack(self):
        x = torch.arange(6).view(2, 3).t()
        y = torch.from_dlpack(x)
        self.assertEqual(y.stride(), (1, 3))
        y[0, 0] = 9
        self.assertEqual(x[0, 0].item(), 9)
        capsule = torch.to_dlpack(x)
        torch.from_dlpack(capsule)
        with self.assertRaisesRegex(RuntimeError, "only once"):
            torch.from_dlpack(capsule)
        torch.to_dlpack(torch.ones(2))  # One that nobody takes ends, too.

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_dlpack_with_numpy(self):
        x = torch.arange(3)
        self.assertEqual(numpy.from_dlpack(x).tolist(), [0, 1, 2])
        self.assertEqual(torch.from_dlpack(numpy.arange(3.0)).tolist(), [0, 1, 2])


class Subclasses(unittest.TestCase):
    def test_results_are_of_the_class(self):
        class Mine(torch.Tensor):
            pass

        x = torch.ones(2).as_subclass(Mine)
        self.assertIs(type(x + 1), Mine)
        self.assertIs(type(torch.add(x, 1)), Mine)
        self.assertIs(type(x.chunk(2)[0]), Mine)
        self.assertTrue(repr(x).startswith("Mine(["))

    def test_torch_function(self):
        calls = []

        class Seen(torch.Tensor):
            @classmethod
            def __torch_function__(cls, function, types, args=(), kwargs=None):
                calls.append((function.__name__, types))
                return super().__torch_function__(function, types, args, kwargs or {})

        x = torch.ones(2).as_subclass(Seen)
        torch.cat([x, torch.ones(1)])
        x.relu()
        2 * x
        self.assertEqual([name for name, _ in calls], ["cat", "relu", "mul"])
        self.assertEqual(calls[0][1], (Seen,))

    def test_other_objects_take_part(self):
        class Proxy:
            @classmethod
            def __torch_function__(cls, function, types, args=(), kwargs=None):
                return function.__name__, len(args), kwargs

        self.assertEqual(torch.add(Proxy(), 1, alpha=2), ("add", 2, {"alpha": 2}))
        self.assertEqual(torch.stack([torch.ones(1), Proxy()], dim=0), ("stack", 1, {"dim": 0}))
        self.assertEqual(torch.ones(1) + Proxy(), ("add", 2, {}))


class Helpers(unittest.TestCase):
    def test_return_types(self):
        found = torch.max(torch.arange(4.0).view(2, 2), 1)
        self.assertIsInstance(found, torch.return_types.max)
        self.assertIsInstance(found, tuple)
        values, indices = found
        self.assertEqual(values.tolist(), [1, 3])
        self.assertIs(found.indices, indices)
        with self.assertRaises(AttributeError):
            torch.return_types.relu

    def test_assert_close(self):
        close = torch.testing.assert_close
        x = torch.tensor([1.0, 2.0])
        close(x, x + 1e-7)
        close({"a": [x, 1]}, {"a": [x, 1]})
        close(torch.tensor([float("nan")]), torch.tensor([float("nan")]), equal_nan=True)
        for wrong in (x + 1e-3, x.double(), x[:1], torch.tensor([1.0, float("nan")])):
            with self.assertRaises(AssertionError):
                close(x, wrong)
        with self.assertRaisesRegex(AssertionError, "1 of 2 elements"):
            close(x, torch.tensor([1.0, 5.0]))
        with self.assertRaises(ValueError):
            close(x, x, rtol=1)

    def test_a_function_of_its_own_runs_forward(self):
        class Double(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * 2

        self.assertEqual(Double.apply(torch.ones(2)).tolist(), [2, 2])
        with torch.autograd.profiler.record_function("part"):
            pass


class Switches(unittest.TestCase):
    def test_gradient_modes(self):
        with torch.no_grad():
            self.assertFalse(torch.is_grad_enabled())
            with torch.enable_grad():
                self.assertTrue(torch.is_grad_enabled())
        self.assertTrue(torch.is_grad_enabled())

        @torch.no_grad()
        def inside():
            return torch.is_grad_enabled()

        self.assertFalse(inside())
        with torch.set_grad_enabled(False):
            self.assertFalse(torch.is_grad_enabled())
        with self.assertRaisesRegex(NotImplementedError, "computes no gradients"):
            torch.ones(1, requires_grad=True).sum().backward()

    def test_default_dtype(self):
        torch.set_default_dtype(torch.float64)
        try:
            self.assertIs(torch.tensor([1.5]).dtype, torch.float64)
            self.assertIs(torch.ones(2).dtype, torch.float64)
            self.assertEqual(repr(torch.ones(1)), "tensor([1.])")
        finally:
            torch.set_default_dtype(torch.float32)
        with self.assertRaises(TypeError):
            torch.set_default_dtype(torch.int32)

    def test_autocast(self):
        x = torch.ones(2, 2)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.assertIs(torch.mm(x, x).dtype, torch.bfloat16)
            self.assertTrue(torch.is_autocast_cpu_enabled())
        self.assertIs(torch.mm(x, x).dtype, torch.float32)

    def test_generators(self):
        state = torch.get_rng_state()
        first = torch.rand(3)
        torch.set_rng_state(state)
        self.assertEqual(torch.rand(3).tolist(), first.tolist())
        own = torch.Generator().manual_seed(5)
        self.assertEqual(own.initial_seed(), 5)
        with torch.random.fork_rng():
            torch.rand(1)

    def test_what_is_missing_says_so(self):
        with self.assertRaisesRegex(AttributeError, "assay's torch has no 'no_such_thing' yet"):
            torch.no_such_thing
        with self.assertRaisesRegex(AttributeError, "assay has no operator 'aten::no_such_thing' yet"):
            torch.ops.aten.no_such_thing


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
