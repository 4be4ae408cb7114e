"""Labelled models beside a live PyTorch: for each failure class one fault, and the clean neighbours.

Use: live_test.py ASSAY [--faults N] [--clean N] [--host engine [--every-fault]]    (from the repository's
root; skipped where the Python that ASSAY_PYTHON names, or the system's, has no PyTorch; with a number so
many models are drawn, and ASSAY_SEED=N repeats a draw, else all are checked)

The corpus is otherwise checked from recordings; here the model itself runs, is exported again at other
inputs, and every difference is confirmed by PyTorch's own run of the archive. With --host engine the
models run in assay's own torch, to the same verdicts, classes and lines, without PyTorch.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("assay", type=pathlib.Path)
parser.add_argument("--faults", type=int)
parser.add_argument("--clean", type=int)
parser.add_argument("--host", choices=["pytorch", "engine"], default="pytorch")
parser.add_argument("--every-fault", action="store_true", help="not only the first of each class")
options = parser.parse_args()
assay = str(options.assay.resolve())
python = os.path.abspath(os.environ.get("ASSAY_PYTHON", "/usr/bin/python3"))
SKIPPED = 77
CORPUS = pathlib.Path("corpus").resolve()
# Device faults need a second device in the host.
WITHOUT_HOST = {"AS106"}


def chosen():
    """The first fault of each class that a plain export has, and every clean model."""
    seen = set()
    for label in sorted(CORPUS.glob("*/*/expected.json")):
        expected = json.loads(label.read_text())
        plain = expected["subject"] == "trace.pt" and not {"export", "mode", "strict"} & set(expected)
        if not plain or expected["verdict"] == "undecided" or expected.get("class") in WITHOUT_HOST:
            continue
        more = expected.get("class") in seen and not options.every_fault
        if expected["verdict"] == "fault" and (more or "further" in expected):
            continue
        seen.add(expected.get("class"))
        yield label.parent, expected["verdict"]


def drawn():
    """So many of the chosen faults and clean models as the options say."""
    seed = int(os.environ.get("ASSAY_SEED") or random.randrange(10 ** 9))
    print(f"ASSAY_SEED={seed} repeats this draw")
    random.seed(seed)
    cases = {verdict: [] for verdict in ("fault", "clean")}
    for case, verdict in chosen():
        cases[verdict].append(case)
    for verdict, count in (("fault", options.faults), ("clean", options.clean)):
        of = cases[verdict]
        yield from of if count is None else random.sample(of, min(count, len(of)))


def findings_of(case, folder):
    report = pathlib.Path(folder) / "-".join(case.parts[-2:])
    words = [assay, "check", "model.py:Net", "--example", "model.py:example", "--spec", "spec.json",
             "--host", options.host, "--python", python, "--json", str(report), "--no-database", "--quiet",
             "--max-examples", "60"]
    done = subprocess.run(words, cwd=case, capture_output=True, text=True, timeout=120,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})
    if not report.exists():
        return done.returncode, [], done.stderr
    document = json.loads(report.read_text())
    found = [(f["class"], f["cause"]["line"]) for f in document["findings"]]
    return done.returncode, found, str(document["gate"]["rules"])


def trouble(case, folder):
    expected = json.loads((case / "expected.json").read_text())
    code, found, said = findings_of(case, folder)
    if expected["verdict"] == "clean":
        return "" if code == 0 else f"clean, but exit code {code}: {found} {said}"
    cause = expected.get("cause", {})
    lines = {cause.get("line"), *cause.get("also", [])} if "line" in cause else None
    right = any(f[0] == expected["class"] and (lines is None or f[1] in lines) for f in found)
    return "" if code == 1 and right else f"{expected['class']} at {lines}, but exit code {code}: {found} {said}"


# What the corpus' recordings cannot show. Operators that the engine does not have: the host runs these
# archives, and those repaired for a proof. A memo that outlives its call: seen only where the calls of
# a sequence have inputs of their own.
FURTHER_MODELS = """
import torch

class Spectrum(torch.nn.Module):
    def forward(self, x):
        return torch.fft.rfft(x).abs() * int(x.shape[0])

class Singular(torch.nn.Module):
    def forward(self, x):
        left, values, right = torch.linalg.svd(x, full_matrices=False)
        return values * x.shape[0]

class Memo(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = None

    def forward(self, x):
        if self.kept is None:
            self.kept = x * 2
        return x + self.kept
"""
SIZES = ["--input", "x: f32[n, 4]", "--dim", "n=2..9"]
BY_HOST = "which assay's engine lacks"
FURTHER = [  # Model, flags, findings, what the report says of what was not tested.
    ("Spectrum", [*SIZES, "-j", "2"], [("AS102", 6, "proven")], BY_HOST),
    ("Singular", SIZES, [], BY_HOST),
    ("Memo", ["--input", "x: f32[3]", "--calls", "1..3"], [("AS109", 20, "proven")], ""),
]


def trouble_further(folder):
    (pathlib.Path(folder) / "further.py").write_text(FURTHER_MODELS)
    told = []
    for name, flags, wanted, says in FURTHER:
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
    has_torch = pathlib.Path(python).exists() and subprocess.run(
        [python, "-c", "import torch"], capture_output=True).returncode == 0
    if not has_torch and options.host == "pytorch":
        print(f"skipped: {python} has no PyTorch")
        return SKIPPED
    cases = list(drawn())
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        troubles = list(pool.map(lambda case: trouble(case, folder), cases))
        further = trouble_further(folder) if options.host == "pytorch" else ""
        recorded = trouble_recorded(folder) if options.host == "pytorch" else ""
    for case, what in zip(cases, troubles):
        print(f"{'WRONG' if what else 'right'}  {'/'.join(case.parts[-2:])}  {what}")
    if options.host == "engine":
        print(f"{sum(not what for what in troubles)} of {len(troubles)} right")
        return 1 if any(troubles) else 0
    print(f"{'WRONG' if further else 'right'}  {', '.join(row[0] for row in FURTHER)}  {further}")
    print(f"{'WRONG' if recorded else 'right'}  weights of a recording  {recorded}")
    return 1 if further or recorded or any(troubles) else 0


sys.exit(main())
