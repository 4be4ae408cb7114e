"""The README's example, run as a reader would: its model, its command, what it prints, its repair.

Use: readme_test.py ASSAY [--host engine]    (from the repository's root; skipped where no Python has
PyTorch, unless the model shall run in assay's own engine)
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
HAS_MODULES = pathlib.Path(__file__).resolve().parents[2] / "has_modules.py"
ENGINE = sys.argv[2:] == ["--host", "engine"]


def python_with_torch():
    python = os.environ.get("ASSAY_PYTHON", "/usr/bin/python3")
    found = subprocess.run([python, HAS_MODULES, "torch"], capture_output=True)
    return python if found.returncode == 0 else None


def example():
    """The model's source, and the command with the output that the README shows."""
    text = pathlib.Path("README.md").read_text()
    model = re.search(r"```python\n(.*?)```", text, re.S).group(1)
    shown = re.search(r"```\n\$ (assay check [^\n]*)\n(.*?)\$ echo \$\?\n(\d+)\n```", text, re.S)
    command, output = shown.group(1), shown.group(2)
    if not ENGINE:  # The same findings, and the word of another program for them.
        confirmation = " ".join(re.search(r"`(confirmation: [^`]*)`", text).group(1).split())
        command, output = (said.replace("--host engine", "--python /usr/bin/python3")
                           for said in (command, output))
        output = output.replace("assay's engine", "PyTorch 1.13.0a0")
        # Only the engine's traces tell what a number is.
        output = output.replace("what it was in the trace", "the size itself")
        output = output.replace("x.size(0), by len at line 10", "n over 5 exports")
        output = output.replace("\n  smallest case: ", f"\n  {confirmation}\n  smallest case: ")
    return model, command, output, int(shown.group(3))


def pattern_of(shown):
    """What the README shortens with `...` may be anything."""
    return r"\s*" + ".*?".join(re.escape(part) for part in shown.strip().split("..."))


def run(command, assay, python, folder):
    command = command.replace("assay ", f"'{assay}' ", 1).replace("/usr/bin/python3", python)
    return subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True,
                          timeout=300)


def main():
    assay = pathlib.Path(sys.argv[1]).resolve()
    python = "/usr/bin/python3" if ENGINE else python_with_torch()
    if not python:
        print("skipped: no Python with PyTorch (ASSAY_PYTHON, else /usr/bin/python3)")
        return SKIPPED
    model, command, shown, code = example()
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "model.py")
        file.write_text("import torch\n\n\n" + model)
        faulty = run(command, assay, python, folder)
        if faulty.returncode != code:
            wrong.append(f"exit code {faulty.returncode} instead of {code}")
        if python == "/usr/bin/python3" and not re.search(pattern_of(shown), faulty.stdout, re.S):
            wrong.append(f"README.md shows\n{shown}\nbut it printed\n{faulty.stdout}")
        if not pathlib.Path(folder, "report.html").exists():
            wrong.append("no report.html was written")
        if "len(x)" not in model:
            wrong.append("the model has no len(x) to repair")
        file.write_text("import torch\n\n\n" + model.replace("len(x)", "x.shape[0]"))
        repaired = run(command, assay, python, folder)
        if repaired.returncode != 0:
            wrong.append(f"the repaired model gave {repaired.returncode}:\n{repaired.stdout}")
    for line in wrong:
        print("readme:", line)
    return 1 if wrong else 0


sys.exit(main())
