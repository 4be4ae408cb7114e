"""Every include obeys the layer order: a folder includes only itself and folders above it."""

import pathlib
import re
import subprocess
import sys

# Lower number: lower layer. Folders on one line do not know each other (engine/README.md).
LAYERS = {
    "cmake": 0,
    "engine/base": 0,
    "engine/core": 1,
    "engine/ops": 2,
    "engine/kernels/common": 3,
    "engine/kernels/reference": 4,
    "engine/kernels/cpu": 4,
    "engine/kernels/cuda": 4,
    "engine/ir": 4,
    "engine/optimize": 5,
    "engine/script": 5,
    "engine/trace": 5,
    "engine/interp": 5,
    "engine/archive": 6,
    "engine/api": 7,
    "engine/python": 8,
    # Parts of one library (verify/README.md): its whole is `verify` to those above.
    "verify/spec": 9,
    "verify/cases": 10,
    "verify/observation": 9,
    "verify/host": 10,
    "verify/graph": 10,
    "verify/guards": 11,
    "verify/run": 11,
    "verify/compare": 12,
    "verify/properties": 13,
    "verify/findings": 14,
    "verify/diagnosis": 15,
    "verify/lint": 15,
    "fuzz": 16,
    "reports": 16,
    "ci": 17,
    "tests": 18,
}
# Pairs that the order alone would allow, and the architecture does not.
FORBIDDEN = [
    ("engine/ir", "engine/kernels"),
    ("engine/optimize", "engine/kernels"),
    ("engine/script", "engine/kernels"),
    ("engine/interp", "engine/kernels"),
    ("engine/archive", "engine/kernels"),
    ("engine/archive", "engine/interp"),
    ("engine/archive", "engine/optimize"),
    ("engine/archive", "engine/trace"),
    ("verify", "engine/python"),
    ("fuzz", "engine/python"),
    ("reports", "engine/python"),
    ("ci", "engine/python"),
]


def folder_of(path):
    matches = [f for f in LAYERS if path == f or path.startswith(f + "/")]
    return max(matches, key=len, default=None)


def allowed(user, used):
    if user == used:
        return True
    if any(user.startswith(a) and used.startswith(b) for a, b in FORBIDDEN):
        return False
    return LAYERS[used] < LAYERS[user]


def main():
    files = subprocess.run(
        ["git", "ls-files", "*.h", "*.cpp", "*.def", "*.cu", "*.cuh"],
        capture_output=True, text=True, check=True).stdout.split()
    wrong = []
    for name in files:
        user = folder_of(name)
        if user is None:
            wrong.append(f"{name}: its folder has no layer in ci/checks/layers.py")
            continue
        text = pathlib.Path(name).read_text()
        for number, line in enumerate(text.splitlines(), 1):
            found = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            used = found and folder_of(found.group(1))
            if used and not allowed(user, used):
                wrong.append(f"{name}:{number}: {user} may not include {found.group(1)}")
            elif found and not used:
                wrong.append(f"{name}:{number}: include from the repository's root: {found.group(1)}")
    for line in wrong:
        print("layers:", line)
    return 1 if wrong else 0


sys.exit(main())
