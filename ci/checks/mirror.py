"""Every unit test mirrors a source: tests/x/y_test.cpp tests x/y.cpp x/y.cu or x/y.h (or the folder x/y),
or tests/x/y.cpp, which other tests stand on."""

import pathlib
import subprocess
import sys

# Programs and texts that test the whole rather than one source.
EXEMPT = ("tests/conformance/", "tests/corpus/", "tests/bench/", "tests/support/", "tests/golden/")


def main():
    files = subprocess.run(["git", "ls-files", "tests/*_test.cpp"], capture_output=True, text=True,
                           check=True).stdout.split()
    wrong = []
    for name in files:
        # The texts of tests/golden, or the rows of the catalog, through a whole folder.
        if name.startswith(EXEMPT) or name.endswith(("/golden_test.cpp", "/rows_test.cpp")):
            continue
        stem = pathlib.Path(name[len("tests/"):-len("_test.cpp")])
        beside = pathlib.Path(name.replace("_test.cpp", ".cpp"))
        sources = [stem.with_name(stem.name + end) for end in (".cpp", ".cu", ".h", ".def", "", ".py")]
        if not any(source.exists() for source in [beside, *sources]):
            wrong.append(f"{name} tests no source: there is no {stem}.cpp, .h or folder")
    for line in wrong:
        print("mirror:", line)
    return 1 if wrong else 0


sys.exit(main())
