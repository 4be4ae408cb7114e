"""Checks every case of the corpus with the assay program and compares its verdict with the label.

Use: gate_corpus.py ASSAY CORPUS REPORTS [FILTER] [--device DEVICE | --live HOST] [--draw N]

The archives and recordings of the corpus are checked; with --live the models themselves, which run in the
named host (`engine`, which needs no PyTorch, or `pytorch`), are exported by it, and exported again at other
inputs. The Python that ASSAY_PYTHON names, or the system's, runs them; where it has no PyTorch and should,
nothing is checked (exit code 77).

With a device, cases whose spec names none are run there, and those about devices have it in place of
the fake one. An archive that pins another one, of which the labels of other faults do not speak, is then
found out, before anything else can be seen of it.
With --draw so many cases are checked, others in each run, and of each class one if there are enough;
ASSAY_SEED=N repeats a draw.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time
import typing

LIMIT_SECONDS = 60
SKIPPED = 77
PYTHON = os.path.abspath(os.environ.get("ASSAY_PYTHON", "/usr/bin/python3"))


def command(assay, case, expected, device):
    """How the case's archive is checked, and in which folder."""
    reference = case / expected["reference"]
    words = [assay, "check", case / expected["subject"], "--spec", case / "spec.json",
             "--against", reference, "--no-times"]
    if reference.suffix != ".rec" and (case / "calls.rec").exists():
        words += ["--reexports", case / "calls.rec"]
    spec = json.loads((case / "spec.json").read_text())
    if device:
        named = spec.get("devices", [device])
        words += ["--devices", ",".join(d if d == "cpu" else device for d in named)]
    return words, None


def live_command(assay, case, host):
    """How the case's model is checked in a host, and in which folder."""
    words = [pathlib.Path(assay).resolve(), "check", "model.py:Net", "--example", "model.py:example",
             "--spec", "spec.json", "--host", host, "--python", PYTHON]
    return words, case


def can_be_live(expected):
    """Whether the label speaks of the model as the host exports it where the spec says no more. Faults of
    devices need a second one in the host."""
    return (expected["subject"] == "trace.pt" and not {"export", "mode"} & set(expected)
            and expected["verdict"] != "undecided" and expected.get("class") != "AS106")


def has_archive(expected):
    """Of a model whose export is refused there is none."""
    return expected["verdict"] != "refused"


class Found(typing.NamedTuple):
    """What a report says of one finding."""
    failure: str
    line: int
    visibility: str
    proof: str
    axis: dict
    about_devices: bool

    def __str__(self):
        return f"{self.failure} {self.visibility} line {self.line} {self.proof} along {self.axis['text']}"


def found_in(report):
    """The findings of a report, and the exit code."""
    document = json.loads(report.with_suffix(".json").read_text())
    findings = [Found(f["class"], f["cause"]["line"], f["visibility"], f["cause"]["proof"], f["axis"],
                      is_about_devices(f))
                for f in document["findings"]]
    return findings, document["gate"]["exit_code"]


def is_about_devices(finding):
    """Tensors that meet on two devices, or a result on another one: "device: cpu instead of fake:0"."""
    headline = finding["comparison"]["headline"]
    return (finding["property"] == "device_portable" or "on the same device" in headline
            or ": device: " in headline)


def contradiction(report):
    """Where a case of the report fails although the table of its finding calls its size right."""
    document = json.loads(report.with_suffix(".json").read_text())
    for finding in document["findings"]:
        for boundary in finding["boundaries"]:
            letter = boundary["axis"].get("letter")
            if not letter or boundary["joint"] or boundary["otherwise_elsewhere"]:
                continue
            right = [r for region in boundary["regions"] if region["verdict"] == "right"
                     for r in region.get("sizes", [])]
            for point in document["points"]:
                size = point["sizes"].get(letter)
                here = point["finding"] == finding["id"] and point["property"] == finding["property"]
                if here and any(a <= size <= b for a, b in right):
                    return f"{finding['id']} says {boundary['text']!r}, but {point['sizes']} fails"
    return ""


def judge(expected, findings, code, way):
    """An empty text if the verdict is the labelled one. `way`: how the case was checked."""
    verdict = expected["verdict"]
    if verdict == "clean":
        return "" if code == 0 else f"a clean model ended with exit code {code}"
    if verdict == "undecided":
        return "" if code == 4 else f"exit code {code} instead of 4 (undecided)"
    if code != 1:
        return f"the fault was missed: exit code {code}"
    labels = [expected, *expected.get("further", [])]
    for label in labels:
        if not any(fits(label, f, way) for f in findings):
            return f"nothing found is {label['class']} as the label has it"
    # Beside the fault itself an effect of it may be told, less certainly.
    if not all(any(is_of(label, f, way) for label in labels) for f in findings):
        return "found more than the label says"
    return ""


def judge_on_device(expected, findings, code):
    """As judge, where an archive may also have been found to pin a device."""
    others = [f for f in findings if not f.about_devices]
    if len(others) == len(findings):
        return judge(expected, findings, code, "device")
    labels = [expected, *expected.get("further", [])]
    if code == 1 and all(any(is_of(label, f, "device") for label in labels) for f in others):
        return ""
    return f"exit code {code}, and found more than the label says"


PROOFS = ["suspected", "supported", "proven"]


def is_of(label, finding, way):
    """Whether a finding has the labelled class, line and visibility."""
    cause = label.get("cause", {})
    lines = {cause["line"], *cause.get("also", [])} if "line" in cause else {finding.line}
    failure = label.get("class")
    if way != "live":
        failure = label.get("class_without_source", failure)
        if cause.get("line_needs_a_host"):
            lines.add(0)
    return (finding.failure == failure and finding.line in lines
            and finding.visibility in label.get("visibility", [finding.visibility]))


def fits(label, finding, way):
    """Whether a finding is the labelled fault, and is told as well as the label has it: proven where it says
    nothing else, and along the axis, unless a recording is all that there is: its few calls do not always tell.
    On a device other things come first (judge_on_device)."""
    if way == "device":
        return is_of(label, finding, way)
    wanted = label.get("proof", {}).get(way, "proven")
    axes = label.get("axis", [finding.axis])
    axes = axes if isinstance(axes, list) else [axes]
    return (is_of(label, finding, way) and PROOFS.index(finding.proof) >= PROOFS.index(wanted)
            and (way != "live" or any(same_axis(axis, finding.axis) for axis in axes)))


def same_axis(label, found):
    """Whether both are of one kind and agree in what both say: values as they are drawn name no input."""
    both = {"path", "dim", "letter"} & set(label) & set(found)
    return label["kind"] == found["kind"] and all(label[word] == found[word] for word in both)


def chosen(corpus, wanted, count, live):
    """The labels of the cases to check."""
    labels = sorted(label for label in corpus.glob("*/*/expected.json")
                    if wanted in f"{label.parent.parent.name}/{label.parent.name}"
                    and (can_be_live if live else has_archive)(json.loads(label.read_text())))
    if count is None:
        return labels
    seed = int(os.environ.get("ASSAY_SEED") or random.randrange(10 ** 9))
    print(f"ASSAY_SEED={seed} repeats this draw")
    return drawn(labels, count, random.Random(seed))


def drawn(labels, count, draw):
    """So many of the labels, one of each class among them as far as that goes; the clean ones count as one."""
    classes = {}
    for label in labels:
        classes.setdefault(json.loads(label.read_text()).get("class"), []).append(label)
    first = [draw.choice(those) for those in classes.values()]
    first = draw.sample(first, min(count, len(first)))
    others = [label for label in labels if label not in first]
    return sorted([*first, *draw.sample(others, min(count - len(first), len(others)))])


def torch_version():
    """The version of PYTHON's PyTorch as numbers, [1, 13]; empty where it has none."""
    if not os.path.exists(PYTHON):
        return []
    told = subprocess.run([PYTHON, "-c", "import torch; print(torch.__version__)"],
                          capture_output=True, text=True)
    return [int(number) for number in re.findall(r"\d+", told.stdout)[:2]]


def label_of(path, torch):
    """What is expected of a case, where a PyTorch of this version exports it."""
    expected = json.loads(path.read_text())
    cured = expected.get("cured_in_pytorch")
    return {**expected, "verdict": "clean", "further": []} if cured and torch >= cured else expected


class Checked:
    """What the program said of one case: the label's lines that it named, and what is wrong about it."""

    def __init__(self, options, label, torch):
        self.case = label.parent
        self.name = f"{self.case.parent.name}/{self.case.name}"
        self.expected = label_of(label, torch)
        self.findings, self.trouble = [], ""
        report = options.reports / self.name.replace("/", "-")
        if options.live:
            words, folder = live_command(options.assay, self.case, options.live)
        else:
            words, folder = command(options.assay, self.case, self.expected, options.device)
        words += ["--json", report.with_suffix(".json").resolve(), "--html",
                  report.with_suffix(".html").resolve(), "--quiet", "--no-database", "--max-examples", "60"]
        try:
            run = subprocess.run([str(w) for w in words], cwd=folder, capture_output=True, text=True,
                                 timeout=LIMIT_SECONDS, env={**os.environ, "OMP_NUM_THREADS": "1"})
        except subprocess.TimeoutExpired:
            self.trouble = f"no verdict within {LIMIT_SECONDS} s"
            return
        if self.expected["verdict"] == "refused":
            right = run.returncode == 2 and self.expected["refusal"] in run.stderr
            self.trouble = "" if right else f"exit code {run.returncode} instead of 2: {run.stderr.strip()[:300]}"
            return
        if run.returncode not in (0, 1, 4, 5):
            self.trouble = f"exit code {run.returncode}: " + (run.stderr.strip() or run.stdout.strip())[:300]
            return
        self.findings, code = found_in(report)
        if options.device:
            self.trouble = judge_on_device(self.expected, self.findings, code)
        else:
            self.trouble = judge(self.expected, self.findings, code, "live" if options.live else "archive")
        self.trouble = self.trouble or contradiction(report)

    def lines(self):
        """How many lines its labels name, and how many of these were found."""
        named = [(label.get("class"), label["cause"]["line"])
                 for label in [self.expected, *self.expected.get("further", [])]
                 if self.expected["verdict"] == "fault" and "line" in label.get("cause", {})]
        return len(named), sum(any((f.failure, f.line) == line for f in self.findings) for line in named)

    def __str__(self):
        verdict = self.expected["verdict"]
        label = self.expected.get("class", "") if verdict == "fault" else verdict
        found = ", ".join(map(str, self.findings))
        return (f"{'WRONG' if self.trouble else 'right'}  {self.name:38} {label:10} {found}"
                + (f"\n       {self.trouble}" if self.trouble else ""))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("assay")
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("reports", type=pathlib.Path)
    parser.add_argument("filter", nargs="?", default="")
    parser.add_argument("--device", default="")
    parser.add_argument("--live", choices=["engine", "pytorch"])
    parser.add_argument("--draw", type=int)
    options = parser.parse_args()
    torch = torch_version() if options.live == "pytorch" else []
    if options.live == "pytorch" and not torch:
        print(f"skipped: {PYTHON} has no PyTorch")
        return SKIPPED
    options.reports.mkdir(parents=True, exist_ok=True)
    start, faults, exact, troubles = time.monotonic(), 0, 0, []
    labels = chosen(options.corpus, options.filter, options.draw, options.live)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for checked in pool.map(lambda label: Checked(options, label, torch), labels):
            print(checked, flush=True)
            named, found = checked.lines()
            faults, exact = faults + named, exact + found
            troubles.append(bool(checked.trouble))
    print(f"\n{len(troubles) - sum(troubles)} of {len(troubles)} corpus cases right in "
          f"{time.monotonic() - start:.0f} s; {exact} of {faults} faults at the very line, the others beside "
          f"it or without one; reports: {options.reports}")
    return 1 if any(troubles) or not troubles else 0


sys.exit(main())
