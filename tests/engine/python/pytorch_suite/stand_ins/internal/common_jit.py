"""torch.testing._internal.common_jit: what tests of compiled functions have in common."""

import io

import torch

from .common_utils import TemporaryFileName, TestCase, freeze_rng_state


class JitCommonTestCase(TestCase):
    def runAndSaveRNG(self, func, inputs, kwargs=None):
        with freeze_rng_state():
            return func(*inputs, **(kwargs or {}))

    def getExportImportCopy(self, m, also_test_file=True, map_location=None):
        buffer = io.BytesIO()
        torch.jit.save(m, buffer)
        buffer.seek(0)
        imported = torch.jit.load(buffer, map_location=map_location)
        if not also_test_file:
            return imported
        with TemporaryFileName() as name:
            torch.jit.save(imported, name)
            return torch.jit.load(name, map_location=map_location)

    def createFunctionFromGraph(self, trace):
        return torch._C._create_function_from_graph("forward", trace)

    def assertExportImport(self, trace, inputs):
        self.assertExportImportModule(self.createFunctionFromGraph(trace), inputs)

    def assertExportImportModule(self, m, inputs):
        imported = self.getExportImportCopy(m)
        self.assertEqual(self.runAndSaveRNG(m, inputs), self.runAndSaveRNG(imported, inputs))


def check_against_reference(self, func, reference_func, output_func, args, kwargs=None, allow_unused=True,
                            check_types=True, no_grad=False, no_gradgrad=False):
    """Outputs alone: assay computes no gradients."""
    kwargs = kwargs or {}

    def copy(value):
        if isinstance(value, torch.Tensor):
            return value.detach().clone()
        if isinstance(value, (list, tuple)):
            return type(value)(copy(item) for item in value)
        return value

    inputs = tuple(copy(value) for value in args)
    expected = self.runAndSaveRNG(reference_func, inputs, kwargs)
    self.assertEqual(self.runAndSaveRNG(func, inputs, kwargs), expected)
