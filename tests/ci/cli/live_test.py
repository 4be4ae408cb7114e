"""Checks that need PyTorch beside them: what neither the corpus nor its recordings can show.

Use: live_test.py ASSAY    (from the repository's root; skipped where the Python that ASSAY_PYTHON names, or
the system's, has no PyTorch)
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

assay = str(pathlib.Path(sys.argv[1]).resolve())
python = os.path.abspath(os.environ.get("ASSAY_PYTHON", "/usr/bin/python3"))
HAS_MODULES = pathlib.Path(__file__).resolve().parents[2] / "has_modules.py"
SKIPPED = 77
CORPUS = pathlib.Path("corpus").resolve()

# Operators that the engine does not have: the host runs these archives, and those repaired for a proof. A
# memo that outlives its call: seen only where the calls of a sequence have inputs of their own. A type that
# the engine's kernel takes and PyTorch's refuses. A view of the input that the engine copies, which differs
# at every case and would hide the captured size. A parameter that was read as a number. Gradients that
# the trace does not switch off. An error that the model catches, in which PyTorch 1.13 dies as it traces: the
# engine makes the second export. A number that a condition on values picks: only the source tells it from one
# that left the graph.
FURTHER_MODELS = """
import torch

class Quantized(torch.nn.Module):
    def forward(self, x):
        return torch.quantize_per_tensor(x, 0.5, 0, torch.qint8).dequantize() * int(x.shape[0])

class Sparse(torch.nn.Module):
    def forward(self, x):
        sums = torch.sparse.sum(x.to_sparse(), dim=1)
        return sums.to_dense() * x.shape[0]

class Memo(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = None

    def forward(self, x):
        if self.kept is None:
            self.kept = x * 2
        return x + self.kept

class Middle(torch.nn.Module):
    def forward(self, x):
        if x.dtype == torch.bool:
            x = x.to(torch.uint8)
        return torch.median(x) > 0

class Conjugate(torch.nn.Module):
    def forward(self, z):
        return z.conj(), torch.real(z) * len(z)

class Temperature(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.log = torch.nn.Parameter(torch.tensor(0.5))

    def forward(self, x):
        return x * float(self.log)

class Teacher(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.target = torch.nn.Linear(4, 4)

    def forward(self, x):
        with torch.no_grad():
            y = self.target(x)
        return y * 2

class Fallback(torch.nn.Module):
    def forward(self, x):
        try:
            y = x.reshape(-1, 2, 4)
        except RuntimeError:
            y = torch.cat([x, x[:1]]).reshape(-1, 2, 4)
        return y.sum(1)

def one():
    return (torch.ones(1, dtype=torch.complex64),)

def two():
    return (torch.ones(2, 4),)

class Picked(torch.nn.Module):
    def forward(self, x):
        gain = 0.25 if x.abs().mean().item() > 0.5 else 0.75
        return x * gain
"""
SIZES = ["--input", "x: f32[n, 4]", "--dim", "n=2..9"]
BY_HOST = "which assay's engine lacks"
HANDED_OVER = "assay's engine runs the archive otherwise than PyTorch at "
FURTHER = [  # Model, flags, findings, what the report says of what was not tested.
    ("Quantized", [*SIZES, "-j", "2"], [("AS102", 6, "proven")], BY_HOST),
    ("Sparse", SIZES, [], BY_HOST),
    ("Middle", ["--input", "x: f32[n]", "--dim", "n=1..9", "--dtypes", "x:f32,bool", "-j", "2"],
     [("AS103", 25, "proven")], HANDED_OVER),
    ("Conjugate", ["--input", "z: c64[n]", "--dim", "n=1..9", "--example", "further.py:one"],
     [("AS102", 31, "proven"), ("AS118", 0, "none")], HANDED_OVER),
    ("Temperature", ["--input", "x: f32[n]", "--dim", "n=1..9", "--state", "kept,changed"],
     [("AS102", 39, "proven")], ""),
    ("Memo", ["--input", "x: f32[3]", "--calls", "1..3"], [("AS109", 20, "proven")], ""),
    ("Teacher", [*SIZES, "--grad", "off,on"], [("AS119", 47, "proven")], ""),
    ("Fallback", [*SIZES, "--example", "further.py:two"], [("AS103", 54, "proven")], ""),
    ("Picked", SIZES, [("AS103", 67, "proven")], ""),
]


ENGINE_ALONE = ["Teacher", "Picked"]  # Of those above, checked under assay's own engine, too.


def trouble_further(folder):
    (pathlib.Path(folder) / "further.py").write_text(FURTHER_MODELS)
    told = []
    alone = [(name, [*flags, "--host", "engine"], wanted, says)
             for name, flags, wanted, says in FURTHER if name in ENGINE_ALONE]
    for name, flags, wanted, says in FURTHER + alone:
        report = pathlib.Path(folder) / f"{name}.json"
        subprocess.run([assay, "check", f"further.py:{name}", *flags, "--python", python,
                        "--json", str(report), "--no-database", "-q"],
                       cwd=folder, capture_output=True, timeout=120)
        document = json.loads(report.read_text())
        found = [(f["class"], f["cause"]["line"], f["cause"]["proof"])
                 for f in document["findings"]]
        said = any(says in note for note in document["not_tested"])
        if found != wanted or not said or document["totals"]["valid"] < 50:
            told.append(f"{name}: {found} {document['gate']} {document['not_tested']}")
    return "; ".join(told)


def trouble_recorded(folder):
    """A recording without exports knows the weights by their hashes: stale ones are told by name, and
    the weights that it was made with are not blamed."""
    recording, report = (pathlib.Path(folder) / name for name in ("calls.rec", "recorded.json"))
    told = []
    for name, subject, wanted in (("state/stale_weights", "subject.pt", ["AS120"]),
                                  ("loops/module_list", "trace.pt", [])):
        for words in (["record", "model.py:Net", "--python", python, "--no-exports", "-o", recording],
                      ["check", subject, "--against", recording, "--json", report, "--no-database", "-q"]):
            subprocess.run([assay, *words, "--spec", "spec.json"], cwd=CORPUS / name,
                           capture_output=True, timeout=120)
        findings = json.loads(report.read_text())["findings"]
        named = all("differ: " in f["cause"]["proof_text"] for f in findings)
        if [f["class"] for f in findings] != wanted or not named:
            told.append(f"{subject}: {[(f['class'], f['cause']) for f in findings]}")
    return "; ".join(told)


def main():
    if not pathlib.Path(python).exists() or subprocess.run(
            [python, HAS_MODULES, "torch"], capture_output=True).returncode:
        print(f"skipped: {python} has no PyTorch")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        further, recorded = trouble_further(folder), trouble_recorded(folder)
    print(f"{'WRONG' if further else 'right'}  {', '.join(row[0] for row in FURTHER)}  {further}")
    print(f"{'WRONG' if recorded else 'right'}  weights of a recording  {recorded}")
    return 1 if further or recorded else 0


sys.exit(main())
