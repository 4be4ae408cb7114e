"""torch.testing._internal.jit_utils: the class of tests of torch.jit and what its files share."""

import contextlib
import functools
import importlib.util
import inspect
import io
import os
import sys
import tempfile
import textwrap

import torch
import torch.jit
from torch.testing import FileCheck

from .common_jit import JitCommonTestCase
from .common_utils import freeze_rng_state, ProfilingMode, enable_profiling_mode  # noqa: F401

RUN_CUDA = RUN_CUDA_HALF = RUN_CUDA_MULTI_GPU = False
FUSION_GROUP = "prim::TensorExprGroup"


def execWrapper(code, glob, loc):
    exec(code, glob, loc)


def do_input_map(fn, input):
    """The structure with `fn` of each tensor in it."""
    if isinstance(input, torch.Tensor):
        return fn(input)
    if isinstance(input, tuple) and hasattr(input, "_fields"):
        return type(input)(*(do_input_map(fn, item) for item in input))
    if isinstance(input, (list, tuple)):
        return type(input)(do_input_map(fn, item) for item in input)
    if isinstance(input, dict):
        return {key: do_input_map(fn, item) for key, item in input.items()}
    return input


def clear_class_registry():
    """Tests name their classes alike; assay gives each its own name."""


class _Highlighted:
    """Expects an error whose message marks a piece of source."""

    def __init__(self, test, exception, regex, highlight):
        self.test, self.exception, self.regex, self.highlight = test, exception, regex, highlight

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        with self.test.assertRaisesRegex(self.exception, self.regex):
            if kind:
                raise value
        if self.highlight:
            FileCheck().check_source_highlighted(self.highlight).run(str(value))
        return True


class _Captured(list):
    """While it is entered, a stream of `sys` writes into it."""

    stream = ""

    def __enter__(self):
        self.before = getattr(sys, self.stream)
        setattr(sys, self.stream, io.StringIO())
        return self

    def __exit__(self, *_):
        self.append(getattr(sys, self.stream).getvalue())
        setattr(sys, self.stream, self.before)


class JitTestCase(JitCommonTestCase):
    class capture_stdout(_Captured):
        stream = "stdout"

    class capture_stderr(_Captured):
        stream = "stderr"

    def setHooks(self):
        pass

    clearHooks = setHooks

    def assertRaisesRegexWithHighlight(self, exception, regex, highlight):
        return _Highlighted(self, exception, regex, highlight)

    def get_frame_vars(self, frames_up):
        frame = sys._getframe(frames_up + 1)
        return {**frame.f_locals, **frame.f_globals}

    def _python_function(self, script, name, frames_up):
        """What Python makes of a text that defines `name`."""
        names = self.get_frame_vars(frames_up + 1)
        made = {}
        exec(script, names, made)
        names.update(made)
        return names[name]

    def checkScriptRaisesRegex(self, script, inputs, exception, regex, name=None, outputs=None,
                               capture_output=False, frames_up=1, profiling=None):
        """Python, the compiled text, and the compiled function raise alike."""
        is_text = isinstance(script, str)
        with self.assertRaisesRegex(exception, regex):
            fn = self._python_function(script, name, frames_up) if is_text else script
            fn(*inputs)
        with self.assertRaisesRegex(exception, regex):
            source = script if is_text else textwrap.dedent(inspect.getsource(script))
            unit = torch.jit.CompilationUnit(source, _frames_up=frames_up)
            getattr(unit, name if is_text else script.__name__)(*inputs)
        if not is_text:
            with self.assertRaisesRegex(exception, regex):
                torch.jit.script(script)(*inputs)

    def checkScript(self, script, inputs, name="func", optimize=True, inputs_requires_grad=False,
                    capture_output=False, frames_up=1, profiling=None, atol=None, rtol=None):
        """Python and the compiled text (for a function: it, too, compiled) give the same outputs."""
        if isinstance(script, str):
            scripted = getattr(torch.jit.CompilationUnit(script, _frames_up=frames_up), name)
            fn = self._python_function(script, name, frames_up)
        else:
            self.checkScript(textwrap.dedent(inspect.getsource(script)), inputs, script.__name__, optimize,
                             inputs_requires_grad, capture_output, 2, profiling)
            scripted, fn = torch.jit.script(script, _frames_up=1), script
        if inputs_requires_grad:
            inputs = do_input_map(lambda tensor: tensor.detach().requires_grad_(), inputs)
        if capture_output:
            with self.capture_stdout() as printed:
                outputs = scripted(*inputs)
            with self.capture_stdout():
                again = scripted(*inputs)
                expected = fn(*inputs)
            self.assertExpected(printed[0], subname="stdout")
        else:
            outputs, again = scripted(*inputs), scripted(*inputs)
            expected = fn(*inputs)
        self.assertEqual(expected, outputs, atol=atol, rtol=rtol)
        self.assertEqual(outputs, again, atol=atol, rtol=rtol)
        return scripted

    def checkTrace(self, func, reference_tensors, input_tensors=None, drop=None, allow_unused=False, verbose=False,
                   inputs_require_grads=True, check_tolerance=1e-5, export_import=True, _force_outplace=False):
        """The trace gives the function's outputs; gradients are not compared, as assay has none."""
        inputs = reference_tensors if input_tensors is None else input_tensors
        traced = torch.jit.trace(func, inputs, check_tolerance=check_tolerance, check_trace=False)
        if export_import:
            traced = self.getExportImportCopy(traced)
        if inputs_require_grads:
            reference_tensors = do_input_map(lambda t: t.detach().clone().requires_grad_(), reference_tensors)
        self.assertEqual(func(*reference_tensors), traced(*reference_tensors))
        return traced

    def checkModule(self, nn_module, args):
        """The compiled module gives the module's outputs, also when it is saved and loaded."""
        scripted = torch.jit.script(nn_module)
        with freeze_rng_state():
            expected = nn_module(*args)
        with freeze_rng_state():
            found = scripted(*args)
        self.assertEqual(expected, found)
        self.assertExportImportModule(scripted, args)
        return scripted

    def getExportImportCopyWithPacking(self, m, also_test_file=True, map_location=None):
        def each(module, method):
            module.apply(lambda part: getattr(part, method)() if hasattr(part, method) else None)

        each(m, "_pack")
        imported = self.getExportImportCopy(m, also_test_file, map_location)
        each(m, "_unpack")
        each(imported, "_unpack")
        return imported

    def assertGraphContains(self, graph, kind, consider_subgraphs=False):
        self.assertTrue(_count(graph, kind, consider_subgraphs) > 0, f"there is no {kind} in {graph}")

    def assertGraphContainsExactly(self, graph, kind, num_kind_nodes, consider_subgraphs=False):
        self.assertEqual(_count(graph, kind, consider_subgraphs), num_kind_nodes)

    def assertExpectedGraph(self, trace, *args, **kwargs):
        self.assertExpected(str(torch._C._jit_pass_canonicalize(trace)), *args, **kwargs)

    def run_pass(self, name, trace):
        made = getattr(torch._C, "_jit_pass_" + name)(trace)
        return trace if made is None or isinstance(made, bool) else made


def _count(graph, kind, consider_subgraphs):
    if consider_subgraphs:
        text = str(graph)
        return text.count(kind) - text.count(f"with {kind}")
    return sum((node.kind() == kind) + sum(_count(block, kind, False) for block in node.blocks())
               for node in graph.nodes())


def _same(fn):
    return fn


# They choose how PyTorch's executor works, which changes no result.
enable_cpu_fuser = _same


def enable_cpu_fuser_if(condition):
    return _same


@contextlib.contextmanager
def disable_autodiff_subgraph_inlining(enabled=True):
    yield


@contextlib.contextmanager
def inline_everything_mode(should_inline):
    before = torch._C._jit_get_inline_everything_mode()
    torch._C._jit_set_inline_everything_mode(should_inline)
    try:
        yield
    finally:
        torch._C._jit_set_inline_everything_mode(before)


def _in_mode(should_inline):
    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            with inline_everything_mode(should_inline):
                fn(*args, **kwargs)

        return wrapper

    return decorate


_inline_everything = _in_mode(True)
_tmp_donotuse_dont_inline_everything = _in_mode(False)


class NoTracerWarnContextManager:
    def __enter__(self):
        self.before = torch._C._jit_get_tracer_state_warn()
        torch._C._jit_set_tracer_state_warn(False)

    def __exit__(self, *_):
        torch._C._jit_set_tracer_state_warn(self.before)


def _trace(*args, **kwargs):
    return lambda fn: torch.jit.trace(fn, args, **kwargs)


def get_forward(c):
    return c._get_method("forward")


def get_forward_graph(c):
    return get_forward(c).graph


def get_module_method(m, module, method):
    return m._c.getattr(module)._get_method(method)


def attrs_with_prefix(module, prefix):
    return [name for name, _ in module._modules._c.items() if name.startswith(prefix)]


def make_global(*objects):
    """Puts what a test defines among the names of its module, where the compiler looks for types."""
    for each in objects:
        setattr(sys.modules[each.__module__], each.__name__, each)


def _get_py3_code(code, fn_name):
    """A function of a text, which stands in a file while it is imported."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "script.py")
        with open(path, "w") as file:
            file.write(code)
        spec = importlib.util.spec_from_file_location(fn_name, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return getattr(module, fn_name)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    from pytorch_suite.stand_ins.outside import Outside
    return Outside(f"torch.testing._internal.jit_utils.{name}")
