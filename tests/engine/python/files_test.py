"""What torch.save writes under assay, PyTorch loads, and the other way round; no file runs code."""

import collections
import io
import os
import pathlib
import pickle
import struct
import subprocess
import sys
import tempfile
import unittest

PACKAGE = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(PACKAGE))
PYTORCH = os.environ.get("ASSAY_PYTHON", "/usr/bin/python3")
HAS_MODULES = pathlib.Path(__file__).resolve().parents[2] / "has_modules.py"

from assay import torch  # noqa: E402

# What either side makes, and how the other one shows it.
MAKE = """
import collections, sys, torch
flat = torch.arange(6.0)
state = collections.OrderedDict()
state["weight"] = torch.nn.Parameter(torch.ones(2, 2, dtype=torch.float64))
state["view"] = flat.view(2, 3)[:, 1:]
state["flat"] = flat
for name in "uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128 bool".split():
    state[name] = torch.arange(3).to(getattr(torch, name))
state["empty"] = torch.empty(0, 3)
state["scalar"] = torch.tensor(1.5)
state["plain"] = {"n": 3, "f": 2.5, "s": "text", "l": [1, (2, None)], "b": b"raw", "set": {1}, "big": 2 ** 70}
state["torch"] = [torch.float32, torch.device("cpu"), torch.Size([1, 2]), 1 + 2j]
torch.save(state, sys.argv[1], _use_new_zipfile_serialization=len(sys.argv) < 3)
"""
SHOW = """
import sys, torch
state = torch.load(sys.argv[1])
for name, value in state.items():
    print(name, type(value).__name__, value, getattr(value, "stride", tuple)(), getattr(value, "requires_grad", None))
state["flat"][1] = 77
print(state["view"])
"""


def run(python, text, *args, ours=False):
    command = [python, "-m", "assay", "-c", text] if ours else [python, "-c", text]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)} if ours else os.environ
    done = subprocess.run(command + list(args), capture_output=True, text=True, env=environment, cwd="/")
    if done.returncode:
        raise AssertionError(done.stderr)
    return done.stdout


class Saved:
    """A storage, or a tensor of one, as the pickles of before PyTorch 1.6 say it."""

    def __init__(self, *arguments):
        self.arguments = arguments

    def __reduce__(self):
        return NamedInPickle("torch._utils", "_rebuild_tensor_v2"), self.arguments


class NamedInPickle:
    def __init__(self, module, name):
        self.module, self.name = module, name

    def __call__(self):
        pass


class OldPickler(pickle._Pickler):
    def persistent_id(self, obj):
        kind = NamedInPickle("torch", "FloatStorage")
        return ("storage", kind, "140", "cpu", 4, None) if obj is STORAGE else None

    def save(self, obj, save_persistent_id=True):
        if isinstance(obj, NamedInPickle):
            return self.write(f"c{obj.module}\n{obj.name}\n".encode())
        return super().save(obj, save_persistent_id)


def old_file():
    """Four numbers, a matrix and a part of them, in the form that torch.save had before PyTorch 1.6."""
    file = io.BytesIO()
    pieces = [0x1950A86A20F9469CFC6C, 1001, {"protocol_version": 1001, "little_endian": True, "type_sizes": {}},
              {"weight": Saved(STORAGE, 0, (2, 2), (2, 1), False, collections.OrderedDict()),
               "part": Saved(STORAGE, 1, (2,), (1,), False, collections.OrderedDict())}, ["140"]]
    for piece in pieces:
        OldPickler(file, 2).dump(piece)
    file.write(struct.pack("<q4f", 4, 0, 1, 2, 3))
    return file.getvalue()


STORAGE = object()
OLD = old_file()


def has_pytorch():
    return subprocess.run([PYTORCH, HAS_MODULES, "torch"], capture_output=True).returncode == 0


class BesidePyTorch(unittest.TestCase):
    def setUp(self):
        if not has_pytorch():
            self.skipTest("there is no PyTorch to compare with")
        self.folder = tempfile.TemporaryDirectory()
        self.file = str(pathlib.Path(self.folder.name) / "state.pt")

    def tearDown(self):
        self.folder.cleanup()

    def test_pytorch_loads_what_assay_saves(self):
        run(PYTORCH, MAKE, self.file, ours=True)
        theirs = run(PYTORCH, SHOW, self.file)
        self.assertEqual(run(PYTORCH, SHOW, self.file, ours=True), theirs)
        self.assertIn("77", theirs.splitlines()[-2] + theirs.splitlines()[-1])  # Views share bytes.

    def test_assay_loads_what_pytorch_saves(self):
        run(PYTORCH, MAKE, self.file)
        self.assertEqual(run(PYTORCH, SHOW, self.file, ours=True), run(PYTORCH, SHOW, self.file))

    def test_assay_loads_what_pytorch_saves_as_before_zip_archives(self):
        run(PYTORCH, MAKE, self.file, "as before")
        self.assertEqual(run(PYTORCH, SHOW, self.file, ours=True), run(PYTORCH, SHOW, self.file))

    def test_a_module_s_state_goes_both_ways(self):
        make = ("import sys, torch; torch.manual_seed(1); m = torch.nn.Sequential(torch.nn.Linear(2, 3), "
                "torch.nn.BatchNorm1d(3)); torch.save(m.state_dict(), sys.argv[1])")
        show = ("import sys, torch; m = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3)).eval(); "
                "print(m.load_state_dict(torch.load(sys.argv[1]))); "
                "print([round(v, 5) for v in m(torch.ones(1, 2)).flatten().tolist()])")
        texts = set()
        for made_by in (False, True):
            run(PYTORCH, make, self.file, ours=made_by)
            texts |= {run(PYTORCH, show, self.file), run(PYTORCH, show, self.file, ours=True)}
        self.assertEqual(len(texts), 1, texts)


class Alone(unittest.TestCase):
    def path(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return str(pathlib.Path(folder.name) / "x.pt")

    def test_storages_stay_shared(self):
        path, flat = self.path(), torch.arange(4)
        torch.save([flat, flat[1:]], path)
        first, second = torch.load(path)
        first[1] = 9
        self.assertEqual(second.tolist(), [9, 2, 3])

    def test_files_and_paths(self):
        import io
        buffer = io.BytesIO()
        torch.save({"x": torch.ones(2)}, buffer)
        buffer.seek(0)
        self.assertEqual(torch.load(buffer)["x"].tolist(), [1, 1])
        path = pathlib.Path(self.path())
        torch.save(torch.ones(2), path)
        self.assertEqual(torch.load(path, map_location="cpu").tolist(), [1, 1])
        with open(path, "rb") as file:
            self.assertEqual(torch.load(file).tolist(), [1, 1])

    def test_no_code_of_a_file_runs(self):
        import zipfile

        class Evil:
            def __reduce__(self):
                return os.system, ("echo ran > ran.txt",)

        path = self.path()
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("archive/data.pkl", pickle.dumps(Evil(), 2))
            archive.writestr("archive/version", "3\n")
        with self.assertRaisesRegex(pickle.UnpicklingError, "posix.system"):
            torch.load(path)
        self.assertFalse(os.path.exists("ran.txt"))

    def test_refuses_what_is_no_archive(self):
        path = self.path()
        pathlib.Path(path).write_bytes(pickle.dumps([1]))
        with self.assertRaisesRegex(RuntimeError, "neither a zip archive"):
            torch.load(path)

    def test_refuses_a_file_from_before_zip_archives_that_is_cut_short(self):
        for cut in (5, 40, 200, 250, len(OLD) - 3):
            with self.subTest(cut), self.assertRaises((RuntimeError, pickle.UnpicklingError)):
                torch.load(io.BytesIO(OLD[:cut]))

    def test_a_file_from_before_zip_archives(self):
        loaded = torch.load(io.BytesIO(OLD))
        self.assertEqual(loaded["weight"].tolist(), [[0, 1], [2, 3]])
        loaded["weight"][0, 1] = 7  # Both are of one storage.
        self.assertEqual(loaded["part"].tolist(), [7, 2])

    def test_a_storage_shorter_than_said_is_refused(self):
        import zipfile
        path, cut = self.path(), self.path()
        torch.save(torch.arange(100.0), path)
        with zipfile.ZipFile(path) as whole, zipfile.ZipFile(cut, "w") as short:
            for name in whole.namelist():
                data = whole.read(name)
                short.writestr(name, data[:8] if "/data/" in name else data)
        with self.assertRaisesRegex(RuntimeError, "shorter"):
            torch.load(cut)

    def test_ordinary_pickles(self):
        x = torch.arange(6).view(2, 3)
        again = pickle.loads(pickle.dumps(x))
        self.assertTrue(torch.equal(again, x))
        self.assertIs(pickle.loads(pickle.dumps(torch.float32)), torch.float32)
        self.assertEqual(pickle.loads(pickle.dumps(torch.device("cuda:1"))), torch.device("cuda", 1))
        self.assertEqual(pickle.loads(pickle.dumps(torch.Size([1, 2]))), torch.Size([1, 2]))
        self.assertIs(pickle.loads(pickle.dumps(torch.relu)).__class__, torch.relu.__class__)
        state = pickle.loads(pickle.dumps(collections.OrderedDict(a=torch.ones(1))))
        self.assertEqual(state["a"].item(), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
