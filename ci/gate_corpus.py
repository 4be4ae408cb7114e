"""Checks every case of the corpus with the assay program and compares its verdict with the label.

Use: gate_corpus.py ASSAY CORPUS REPORTS [FILTER]
"""

import json
import pathlib
import subprocess
import sys
import time

LIMIT_SECONDS = 60


def command(assay, case, expected, report):
    reference = case / expected["reference"]
    words = [assay, "check", case / expected["subject"], "--spec", case / "spec.json",
             "--against", reference, "--json", report.with_suffix(".json"),
             "--html", report.with_suffix(".html"), "--no-times", "--quiet", "--no-database",
             "--max-examples", "60"]
    if reference.suffix != ".rec" and (case / "calls.rec").exists():
        words += ["--reexports", case / "calls.rec"]
    return [str(w) for w in words]


def found_in(report):
    """Class, line and visibility of each finding, and the exit code, of a report."""
    document = json.loads(report.with_suffix(".json").read_text())
    findings = [(f["class"], f["cause"]["line"], f["visibility"], f["cause"]["proof"])
                for f in document["findings"]]
    return findings, document["gate"]["exit_code"]


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


def fits(label, finding):
    """Whether a finding is the labelled fault; one that names no line is right about the line."""
    cause = label.get("cause", {})
    lines = {cause["line"], *cause.get("also", []), 0} if "line" in cause else {finding[1]}
    return finding[0] == label["class"] and finding[1] in lines


def main():
    assay, corpus, reports = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    wanted = sys.argv[4] if len(sys.argv) > 4 else ""
    reports.mkdir(parents=True, exist_ok=True)
    start, wrong, total, faults, exact = time.monotonic(), 0, 0, 0, 0
    for label in sorted(corpus.glob("*/*/expected.json")):
        case = label.parent
        name = f"{case.parent.name}/{case.name}"
        if wanted not in name:
            continue
        total += 1
        expected = json.loads(label.read_text())
        report = reports / name.replace("/", "-")
        try:
            run = subprocess.run(command(assay, case, expected, report), capture_output=True,
                                 text=True, timeout=LIMIT_SECONDS)
            if run.returncode not in (0, 1, 4, 5):
                trouble = f"exit code {run.returncode}: " + (run.stderr.strip() or run.stdout.strip())[:300]
                text = ""
            else:
                findings, code = found_in(report)
                trouble = judge(expected, findings, code)
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
