"""No source file has more than 600 lines; tables (.def) are exempt. Prints the longest on request."""

import pathlib
import subprocess
import sys

LIMIT = 600


def main():
    files = subprocess.run(
        ["git", "ls-files", "*.h", "*.cpp", "*.cu", "*.cuh", "*.py", "*.js"],
        capture_output=True, text=True, check=True).stdout.split()
    lengths = sorted(((len(pathlib.Path(f).read_text().splitlines()), f) for f in files), reverse=True)
    if "-v" in sys.argv[1:]:
        for length, name in lengths[:10]:
            print(f"sizes: {length:5} {name}")
    wrong = [f"{name} has {length} lines; the limit is {LIMIT}" for length, name in lengths if length > LIMIT]
    for line in wrong:
        print("sizes:", line)
    return 1 if wrong else 0


sys.exit(main())
