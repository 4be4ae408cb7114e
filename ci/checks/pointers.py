"""The engine's own code takes device_data<T>(): data<T>() is a caller's pointer, which counts as a write
that nobody sees the end of, so that a kernel that took it would make everyone pack weights anew."""

import re
import subprocess
import sys

CALLERS = re.compile(r"(?:\.|->)(?:template )?data<")


def main():
    files = subprocess.run(["git", "ls-files", "engine/*.h", "engine/*.cpp", "engine/*.cu", "verify/*.h", "verify/*.cpp"],
                           capture_output=True, text=True, check=True).stdout.split()
    wrong = 0
    for name in files:
        with open(name, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if CALLERS.search(line):
                    print(f"pointers: {name}:{number}: data<T>() is for callers; take device_data<T>()")
                    wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
