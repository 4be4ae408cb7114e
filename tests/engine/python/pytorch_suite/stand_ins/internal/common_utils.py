"""torch.testing._internal.common_utils: the class of tests, decorators that skip, and what is known of the machine."""

import contextlib
import enum
import functools
import os
import pathlib
import random
import re
import sys
import tempfile
import unittest
import warnings
from collections.abc import Iterable

import torch
from torch.testing import make_tensor  # noqa: F401

from .comparison import difference

SEED = 1234
GRADCHECK_NONDET_TOL = 0.0


class ProfilingMode(enum.Enum):
    LEGACY = 1
    SIMPLE = 2
    PROFILING = 3


# assay runs every program one way, as it is written: what PyTorch calls the simple executor.
GRAPH_EXECUTOR = ProfilingMode.SIMPLE

TEST_NUMPY = True
torch_to_numpy_dtype_dict = {}


def __getattr__(name):
    # What this machine is not, and PyTorch was not built with.
    if name.startswith(("IS_", "TEST_", "BUILD_")):
        return False
    if name.startswith("skip"):
        return _no_skip
    if name.startswith("__"):
        raise AttributeError(name)
    from pytorch_suite.stand_ins.outside import Outside
    return Outside(f"torch.testing._internal.common_utils.{name}")


def _no_skip(*args, **kwargs):
    """Decorates by leaving as it is; also with arguments."""
    if len(args) == 1 and callable(args[0]) and not kwargs:
        return args[0]
    return lambda fn: fn


def _skips(reason):
    return unittest.skip(reason)


skipIfNoXNNPACK = _skips("needs XNNPACK")
skipIfNoCaffe2 = _skips("needs Caffe2")
skipIfNoQNNPACK = _skips("needs QNNPACK")
slowTest = _no_skip


def suppress_warnings(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return fn(*args, **kwargs)

    return wrapper


@contextlib.contextmanager
def freeze_rng_state():
    state = torch.get_rng_state()
    try:
        yield
    finally:
        torch.set_rng_state(state)


@contextlib.contextmanager
def set_default_dtype(dtype):
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


@contextlib.contextmanager
def TemporaryFileName(*args, **kwargs):
    handle, name = tempfile.mkstemp(*args, **kwargs)
    os.close(handle)
    try:
        yield name
    finally:
        os.unlink(name)


@contextlib.contextmanager
def TemporaryDirectoryName():
    with tempfile.TemporaryDirectory() as name:
        yield name


@contextlib.contextmanager
def _one_executor(*args, **kwargs):
    yield


enable_profiling_mode = enable_profiling_mode_for_profiling_tests = num_profiled_runs = _one_executor


def is_iterable(value):
    return isinstance(value, Iterable)


def is_iterable_of_tensors(iterable, include_empty=False):
    if isinstance(iterable, torch.Tensor) or not is_iterable(iterable):
        return False
    items = list(iterable)
    return include_empty if not items else all(isinstance(item, torch.Tensor) for item in items)


def to_gpu(value, type_map=None):
    raise unittest.SkipTest("needs CUDA")


def set_rng_seed(seed):
    torch.manual_seed(seed)
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy:
        numpy.random.seed(seed)


def first_sample(test, samples):
    return next(iter(samples), None)


class parametrize:
    """One test per value of the arguments that are named ("a,b"), or per subtest."""

    def __init__(self, names, values, name_fn=None):
        self.names = [name.strip() for name in names.split(",")] if names else []
        self.values = list(values)
        self.name_fn = name_fn

    def __call__(self, fn):
        fn.parametrized = getattr(fn, "parametrized", []) + [self]
        return fn

    def cases(self):
        for index, value in enumerate(self.values):
            values = value if len(self.names) > 1 else (value,)
            label = self.name_fn(*values) if self.name_fn else "_".join(
                f"{name}_{_label(each, index)}" for name, each in zip(self.names, values))
            yield label, dict(zip(self.names, values))


def _label(value, index):
    return str(value) if isinstance(value, (bool, int, float, str)) else f"{type(value).__name__}{index}"


def instantiate_parametrized_tests(cls):
    for name, fn in list(vars(cls).items()):
        if not getattr(fn, "parametrized", None):
            continue
        delattr(cls, name)
        cases = [(name, {})]
        for each in fn.parametrized:
            cases = [(f"{at}_{label}", {**given, **more}) for at, given in cases for label, more in each.cases()]
        for label, given in cases:
            setattr(cls, label, _with_arguments(fn, given))
    return cls


def _with_arguments(fn, given):
    @functools.wraps(fn)
    def test(self):
        return fn(self, **given)

    test.parametrized = None
    return test


class OtherWords(AssertionError):
    """The error or warning came that a test waits for; its message says the same in other words."""


class _Worded:
    """What assertRaisesRegex and assertWarnsRegex wait for. `raised` waits for the kind alone."""

    def __init__(self, raised, pattern):
        self.raised, self.pattern = raised, re.compile(pattern) if isinstance(pattern, str) else pattern

    def __enter__(self):
        self.raised.__enter__()
        return self.raised

    def __exit__(self, *told):
        done = self.raised.__exit__(*told)
        caught = getattr(self.raised, "exception", None) or getattr(self.raised, "warning", None)
        messages = [str(each.message) for each in getattr(self.raised, "warnings", None) or ()] or [str(caught)]
        if done is not False and caught is not None and not any(map(self.pattern.search, messages)):
            raise OtherWords(f"{self.pattern.pattern!r} is not in {messages[0]!r}")
        return done


class TestCase(unittest.TestCase):
    """unittest's, comparing tensors as PyTorch's does."""

    maxDiff = None
    _precision = _rel_tol = 0
    exact_dtype = True

    def setUp(self):
        super().setUp()
        set_rng_seed(SEED)

    def assertRaisesRegex(self, kind, pattern, *args, **kwargs):
        return self._worded(self.assertRaises(kind), pattern, args, kwargs)

    def assertWarnsRegex(self, kind, pattern, *args, **kwargs):
        return self._worded(self.assertWarns(kind), pattern, args, kwargs)

    @staticmethod
    def _worded(raised, pattern, args, kwargs):
        waits = _Worded(raised, pattern)
        if not args:
            return waits
        with waits:
            args[0](*args[1:], **kwargs)

    def assertEqual(self, x, y, msg=None, *, atol=None, rtol=None, equal_nan=True, exact_dtype=True,
                    exact_device=False, exact_layout=False, exact_stride=False, exact_is_coalesced=False):
        found = difference(x, y, rtol, atol, exact_dtype and self.exact_dtype)
        if found:
            told = msg(found) if callable(msg) else msg
            raise self.failureException(f"{found}: {told}" if told else found)

    assertEquals = assertEqual

    def assertNotEqual(self, x, y, msg=None, *, atol=None, rtol=None, **kwargs):
        if difference(x, y, rtol, atol) is None:
            raise self.failureException(msg or f"{x!r} is {y!r}")

    def assertEqualIgnoreType(self, *args, **kwargs):
        return self.assertEqual(*args, exact_dtype=False, **kwargs)

    def assertNotWarn(self, fn, msg=""):
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always")
            fn()
        self.assertTrue(not raised, msg or f"it warns: {[str(each.message) for each in raised]}")

    def assertLeaksNoCudaTensors(self, name=None):
        return contextlib.nullcontext()

    def assertExpectedInline(self, actual, expect, skip=0):
        self.assertEqual(actual, expect)

    def assertExpectedInlineMunged(self, *args, **kwargs):
        raise self.skipTest("compares with texts of PyTorch's own messages")

    def assertExpected(self, text, subname=None):
        """Compares with the file of this test's expectations that comes with the source release."""
        module = self.__class__.__module__
        name = self.id().removeprefix(module + ".") + (f"-{subname}" if subname else "")
        folder = os.path.dirname(os.path.realpath(sys.modules[module].__file__))
        with open(os.path.join(folder, "expect", name + ".expect")) as file:
            self.assertMultiLineEqual(file.read(), text)

    def assertExpectedStripMangled(self, text, subname=None):
        self.assertExpected(re.sub(r"__torch__[^ ]+", "", text), subname)

    def assertExpectedRaises(self, error, fn, *args, **kwargs):
        with self.assertRaises(error) as raised:
            fn(*args, **kwargs)
        self.assertExpected(str(raised.exception), kwargs.get("subname"))


def find_library_location(lib_name):
    """A file that is there: assay loads no library, and tests of what one has lie outside."""
    return pathlib.Path(__file__)


def run_tests(argv=None):
    """The runner runs them."""
