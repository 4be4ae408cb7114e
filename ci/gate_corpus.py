"""Checks every case of the corpus with the assay program and compares its verdict with the label.

Use: gate_corpus.py ASSAY CORPUS REPORTS [--device DEVICE] [--draw N] [FILTER]

With a device, cases whose spec names none are run there. An archive that pins another one, of which
the labels of other faults do not speak, is then found out, before anything else can be seen of it.
With --draw so many cases are checked, others in each run; ASSAY_SEED=N repeats a draw.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import time

LIMIT_SECONDS = 60


def command(assay, case, expected, report, device):
    reference = case / expected["reference"]
    words = [assay, "check", case / expected["subject"], "--spec", case / "spec.json",
             "--against", reference, "--json", report.with_suffix(".json"),
             "--html", report.with_suffix(".html"), "--no-times", "--quiet", "--no-database",
             "--max-examples", "60"]
    if reference.suffix != ".rec" and (case / "calls.rec").exists():
        words += ["--reexports", case / "calls.rec"]
    spec = json.loads((case / "spec.json").read_text())
    if device and "devices" not in spec:
        words += ["--devices", device]
    return [str(w) for w in words]


def found_in(report):
    """Class, line, visibility, proof, and whether it is about devices, of each finding of a report,
    and the exit code."""
    document = json.loads(report.with_suffix(".json").read_text())
    findings = [(f["class"], f["cause"]["line"], f["visibility"], f["cause"]["proof"],
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


def judge(expected, findings, code):
    """An empty text if the verdict is the labelled one."""
    verdict = expected["verdict"]
    if verdict == "clean":
        return "" if code == 0 else f"a clean model ended with exit code {code}: {findings}"
    if verdict == "undecided":
        return "" if code == 4 else f"exit code {code} instead of 4 (undecided)"
    if code != 1:
        return f"the fault was missed: exit code {code}"
    labels = [expected, *expected.get("further", [])]
    found = ", ".join(f"{f[0]} at line {f[1]}" for f in findings)
    for label in labels:
        if not any(fits(label, f) for f in findings):
            return f"found {found} without {label['class']} at {label.get('cause', {}).get('line', 'any line')}"
    if not all(any(fits(label, f) for label in labels) for f in findings):
        return f"found {found}, more than the label says"
    return ""


def judge_on_device(expected, findings, code):
    """As judge, where an archive may also have been found to pin a device."""
    others = [f for f in findings if not f[4]]
    if len(others) == len(findings):
        return judge(expected, findings, code)
    labels = [expected, *expected.get("further", [])]
    if code == 1 and all(any(fits(label, f) for label in labels) for f in others):
        return ""
    return f"exit code {code}, and found more than the label says: {others}"


def fits(label, finding):
    """Whether a finding is the labelled fault; one that names no line is right about the line."""
    cause = label.get("cause", {})
    lines = {cause["line"], *cause.get("also", []), 0} if "line" in cause else {finding[1]}
    return finding[0] == label.get("class") and finding[1] in lines


def chosen(corpus, wanted, count):
    """The labels of the cases to check."""
    labels = sorted(label for label in corpus.glob("*/*/expected.json")
                    if wanted in f"{label.parent.parent.name}/{label.parent.name}")
    if count is None:
        return labels
    seed = int(os.environ.get("ASSAY_SEED") or random.randrange(10 ** 9))
    print(f"ASSAY_SEED={seed} repeats this draw")
    return sorted(random.Random(seed).sample(labels, min(count, len(labels))))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("assay")
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("reports", type=pathlib.Path)
    parser.add_argument("filter", nargs="?", default="")
    parser.add_argument("--device", default="")
    parser.add_argument("--draw", type=int)
    options = parser.parse_args()
    assay, corpus, reports, wanted = options.assay, options.corpus, options.reports, options.filter
    reports.mkdir(parents=True, exist_ok=True)
    start, wrong, total, faults, exact = time.monotonic(), 0, 0, 0, 0
    for label in chosen(corpus, wanted, options.draw):
        case = label.parent
        name = f"{case.parent.name}/{case.name}"
        total += 1
        expected = json.loads(label.read_text())
        report = reports / name.replace("/", "-")
        try:
            run = subprocess.run(command(assay, case, expected, report, options.device),
                                 capture_output=True, text=True, timeout=LIMIT_SECONDS)
            if run.returncode not in (0, 1, 4, 5):
                trouble = f"exit code {run.returncode}: " + (run.stderr.strip() or run.stdout.strip())[:300]
                text = ""
            else:
                findings, code = found_in(report)
                judged = judge_on_device if options.device else judge
                trouble = judged(expected, findings, code) or contradiction(report)
                for label in [expected, *expected.get("further", [])]:
                    line = label.get("cause", {}).get("line")
                    faults += line is not None
                    exact += any(f[:2] == (label.get("class"), line) for f in findings)
                text = ", ".join(f"{f[0]} {f[2]} line {f[1]} {f[3]}" for f in findings)
        except subprocess.TimeoutExpired:
            trouble, text = f"no verdict within {LIMIT_SECONDS} s", ""
        wrong += bool(trouble)
        label_text = expected.get("class", "") if expected["verdict"] == "fault" else expected["verdict"]
        print(f"{'WRONG' if trouble else 'right'}  {name:38} {label_text:10} {text}"
              + (f"\n       {trouble}" if trouble else ""))
    print(f"\n{total - wrong} of {total} corpus cases right in {time.monotonic() - start:.0f} s; "
          f"{exact} of {faults} faults at the very line, the others beside it or without one; reports: {reports}")
    return 1 if wrong or not total else 0


sys.exit(main())
