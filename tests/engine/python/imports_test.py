"""Names that packages import: those that are here only as names exist in PyTorch, and using them says what to do."""
import importlib
import json
import os
import pathlib
import subprocess
import sys
import unittest

PACKAGE = pathlib.Path(sys.argv.pop(1)).resolve()  # The folder that holds the package.
sys.path.insert(0, str(PACKAGE))
PYTORCH = os.environ.get("ASSAY_PYTHON", "/usr/bin/python3")
HAS_MODULES = pathlib.Path(__file__).resolve().parents[2] / "has_modules.py"
SKIPPED = 77
MODULES = ("distributed optim.lr_scheduler optim.swa_utils profiler package sparse "
           "nested ao.quantization ao.quantization.quantize_fx nn.parallel nn.qat nn.quantized "
           "nn.quantized.dynamic cuda cuda.comm utils.cpp_extension utils.data autograd.functional autograd.forward_ad "
           "utils.mobile_optimizer utils.bundled_inputs utils.benchmark monitor masked nn.grad optim._functional "
           "cuda.profiler cuda.sparse autograd.profiler multiprocessing.spawn "
           "utils._python_dispatch").split()
# distributed.launch parses a command line when it is imported, the fsdp family cannot be imported on Python 3.11.
NOT_ASKED = ("distributed.fsdp", "distributed.launch")
MODULES += [f"distributed.{part}" for part in importlib.import_module("assay.torch.distributed._parts").PARTS
            if not f"distributed.{part}".startswith(NOT_ASKED)]
# Names that PyTorch has only where it was built for them.
BUILDS = {"distributed.ProcessGroupNCCL", "distributed.ProcessGroupMPI"}
IN_PYTORCH = """
import importlib, json, sys, torch
found = {}
for module, names in json.load(sys.stdin).items():
    there = importlib.import_module('torch.' + module)
    found[module] = [name for name in names if not hasattr(there, name)]
parameter = torch.nn.Parameter(torch.zeros(2))
kinds = {}
for name in dir(torch.optim):
    kind = getattr(torch.optim, name)
    if isinstance(kind, type) and kind is not torch.optim.Optimizer:
        made = kind([parameter], lr=0.5)
        kinds[name] = [kind.__module__, {k: v for k, v in made.param_groups[0].items() if k != 'params'}, repr(made)]
print(json.dumps([found, kinds]))
"""


def listed():
    return {name: sorted(importlib.import_module(f"assay.torch.{name}").__getattr__.listed) for name in MODULES}


class Imports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        run = subprocess.run([PYTORCH, "-W", "ignore", "-c", IN_PYTORCH], input=json.dumps(listed()), text=True,
                             stdout=subprocess.PIPE, check=True, env={**os.environ, "PYTHONPATH": ""})
        cls.absent, cls.optimizers = json.loads(run.stdout.splitlines()[-1])

    def test_names_are_pytorchs(self):
        for module, names in self.absent.items():
            unknown = [name for name in names if f"{module}.{name}" not in BUILDS]
            self.assertEqual(unknown, [], module)

    def test_use_says_what_is_missing(self):
        for module, names in listed().items():
            for name in names:
                stand_in = getattr(importlib.import_module(f"assay.torch.{module}"), name)
                with self.assertRaisesRegex(NotImplementedError, f"has no torch.{module}.{name}: .{{10}}"):
                    stand_in(1)

    def test_stand_ins_serve_imports(self):
        from assay.torch.nn.parallel import DistributedDataParallel
        from assay.torch.distributed import ReduceOp

        class Mine(DistributedDataParallel):
            pass

        self.assertFalse(isinstance(3, DistributedDataParallel))
        self.assertEqual(ReduceOp.SUM.__name__, "SUM")
        with self.assertRaisesRegex(NotImplementedError, "nn.parallel.DistributedDataParallel"):
            Mine(None)

    def test_a_name_of_no_release_is_an_import_error(self):
        for module in MODULES:
            with self.assertRaises(AttributeError):
                getattr(importlib.import_module(f"assay.torch.{module}"), "not_a_name_of_pytorch")

    def test_switches_are_kept(self):
        torch = importlib.import_module("assay.torch")
        self.assertIs(torch._C._jit_set_profiling_executor(False), True)
        self.assertIs(torch._C._jit_set_profiling_executor(True), False)
        enabled = torch.backends.cudnn.enabled
        with torch.backends.cudnn.flags(enabled=not enabled):
            self.assertIs(torch.backends.cudnn.enabled, not enabled)
        self.assertIs(torch.backends.cudnn.enabled, enabled)
        with torch.backends.cuda.sdp_kernel(enable_flash=False):
            self.assertFalse(torch.backends.cuda.flash_sdp_enabled())
        self.assertTrue(torch.backends.cuda.flash_sdp_enabled())

    def test_what_pytorch_took_away_names_its_successor(self):
        torch = importlib.import_module("assay.torch")
        for name in ("solve", "lstsq", "eig"):
            with self.assertRaisesRegex(RuntimeError, f"use torch.linalg.{name} instead"):
                getattr(torch, name)(torch.eye(2))

    def test_parts_of_packages_that_others_take(self):
        from assay import torch
        from assay.torch._utils import _flatten_dense_tensors, _get_device_index, _take_tensors, _unflatten_dense_tensors
        tensors = [torch.ones(2, 3), torch.zeros(2), torch.arange(4.)]
        flat = _flatten_dense_tensors(tensors)
        self.assertEqual(flat.tolist(), [1.] * 6 + [0.] * 2 + [0., 1., 2., 3.])
        for part, whole in zip(_unflatten_dense_tensors(flat, tensors), tensors):
            self.assertTrue(torch.equal(part, whole))
        self.assertEqual([len(taken) for taken in _take_tensors(tensors, 24)], [1, 2])
        self.assertEqual(_get_device_index("cuda:1"), 1)
        from assay.torch.onnx import symbolic_opset12  # noqa: F401
        self.assertFalse(torch.distributed.rpc.is_available())
        self.assertIs(importlib.import_module("assay.torch._C").Graph, torch.Graph)

    def test_graph_of_one_run(self):
        from assay import torch
        network = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2)).eval()
        graph, result = torch.jit._get_trace_graph(network, torch.ones(4, 3))
        self.assertEqual(result.shape, (4, 2))
        kinds = [node.kind() for node in graph.nodes() if node.kind().startswith("aten")]
        self.assertEqual(kinds, ["aten::linear", "aten::batch_norm"])
        self.assertEqual(len(list(graph.inputs())), 1 + 7)  # weight, bias, weight, bias, mean, variance, batches

    def test_loaders_are_gone_through_by_their_iterators(self):
        from assay.torch.utils.data.dataloader import DataLoader, _BaseDataLoaderIter, _MultiProcessingDataLoaderIter
        through = iter(DataLoader(list(range(5)), batch_size=2))
        self.assertIsInstance(through, _BaseDataLoaderIter)
        self.assertNotIsInstance(through, _MultiProcessingDataLoaderIter)
        self.assertEqual(len(through), 3)
        self.assertEqual([batch.tolist() for batch in through], [[0, 1], [2, 3], [4]])

    def test_optimizers(self):
        torch = importlib.import_module("assay.torch")
        for name, (_, settings, text) in self.optimizers.items():
            made = getattr(torch.optim, name)([torch.nn.Parameter(torch.zeros(2))], lr=0.5)
            ours = {key: value for key, value in made.param_groups[0].items() if key != "params"}
            self.assertEqual(json.loads(json.dumps(ours)), settings, name)
            self.assertEqual(repr(made), text)
            with self.assertRaisesRegex(NotImplementedError, f"{name}.step.*does not train"):
                made.step()
        with self.assertRaisesRegex(ValueError, "learning rate"):
            torch.optim.SGD([torch.nn.Parameter(torch.zeros(2))])


if __name__ == "__main__":
    if subprocess.run([PYTORCH, HAS_MODULES, "torch"], capture_output=True, check=False).returncode != 0:
        sys.exit(SKIPPED)
    unittest.main()
