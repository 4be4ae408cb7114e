"""Every path that a README links or names in `code` exists."""

import pathlib
import re
import subprocess
import sys

KNOWN_ROOTS = ("engine/", "verify/", "fuzz/", "reports/", "corpus/", "tests/", "ci/", "cmake/")


def paths_in(text):
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        if "://" not in target:
            yield target, True
    for code in re.findall(r"`([^`\n]+)`", text):
        if code.startswith(KNOWN_ROOTS) and re.fullmatch(r"[\w./-]+", code):
            yield code, False


def main():
    files = subprocess.run(["git", "ls-files", "*.md"], capture_output=True, text=True,
                           check=True).stdout.split()
    wrong = []
    for name in files:
        page = pathlib.Path(name)
        for target, relative in paths_in(page.read_text()):
            where = page.parent / target if relative else pathlib.Path(target)
            if not where.exists():
                wrong.append(f"{name}: {target} does not exist")
    for line in wrong:
        print("links:", line)
    return 1 if wrong else 0


sys.exit(main())
