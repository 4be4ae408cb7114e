"""Runs tests of PyTorch's source release under assay's torch and counts what passes.

    run.py PACKAGE SOURCE [--file test_jit.py ...] [--filter TEXT] [--json OUT] [-v]

PACKAGE is the folder that holds assay (build/release/python), SOURCE the release: its folder, its archive, or a
folder to fetch it into. Every file runs in a process of its own, so that a test that crashes or hangs fails
alone."""

import argparse
import collections
import concurrent.futures
import glob
import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from pytorch_suite import reasons, source  # noqa: E402

CHILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "child.py")


def default_files(release):
    jit = sorted(glob.glob(os.path.join(release, "test", "jit", "test_*.py")))
    return ["test_jit.py"] + ["jit/" + os.path.basename(path) for path in jit] + ["test_fx.py"]


class _Child:
    """A process with one file of tests. `ask` gives the next line that it writes, "crashed" or "hangs"."""

    def __init__(self, package, release, file):
        self.read, write = os.pipe()
        self.log = tempfile.TemporaryFile()
        command = [sys.executable, CHILD, package, release, file, str(write)]
        self.process = subprocess.Popen(command, pass_fds=[write], stdin=subprocess.PIPE, stdout=self.log,
                                        stderr=self.log, start_new_session=True, cwd=tempfile.gettempdir(),
                                        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        os.close(write)
        self.waiting = b""

    def tell(self, tests):
        self.process.stdin.write("".join(test + "\n" for test in tests).encode())
        self.process.stdin.close()

    def ask(self, seconds):
        while b"\n" not in self.waiting:
            if not select.select([self.read], [], [], seconds)[0]:
                return "hangs"
            data = os.read(self.read, 1 << 16)
            if not data:
                return "crashed"
            self.waiting += data
        line, self.waiting = self.waiting.split(b"\n", 1)
        return json.loads(line)

    def end(self):
        """How the process ended; it is gone behind this."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL) if self.process.poll() is None else None
        except ProcessLookupError:
            pass
        code = self.process.wait()
        os.close(self.read)
        self.log.seek(0)
        tail = self.log.read()[-1500:].decode(errors="replace")
        self.log.close()
        how = signal.Signals(-code).name if code < 0 else f"exit status {code}"
        return f"{how}: {tail}"


def run_file(package, release, file, wanted, seconds):
    """What became of each test of a file: name -> record."""
    records = {}
    left = None
    while left is None or left:
        child = _Child(package, release, file)
        first = child.ask(max(seconds, 120))
        if not isinstance(first, dict) or "failed" in first:
            ended = child.end()
            told = first["failed"] if isinstance(first, dict) else f"{first} while it is imported: {ended}"
            return {"(the whole file)": {"outcome": "error", "message": told, "lines": [],
                                         "trace": isinstance(first, dict) and first["trace"]}}
        if left is None:
            left = [test for test in first["tests"] if not wanted or re.search(wanted, test)]
        try:
            child.tell(left)
        except BrokenPipeError:
            pass
        current = None
        while left:
            line = child.ask(seconds)
            if isinstance(line, dict) and "start" in line:
                current = line["start"]
            elif isinstance(line, dict):
                records[line["end"]] = line
                left.remove(line["end"])
                current = None
            else:
                ended = child.end()
                test = current or left[0]
                records[test] = {"outcome": "error", "lines": [], "message": f"{line}: {ended}"}
                left.remove(test)
                child = None
                break
        if child:
            child.end()
    return records


def judge(results):
    """Adds to each record the reason for which it lies outside the interface, if it does."""
    for records in results.values():
        for record in records.values():
            record["reason"] = None if record["outcome"] == "skipped" else reasons.reason_of(record)


def kind_of(message):
    """Messages that differ by names, numbers and values alone count as one."""
    if message.startswith("OtherWords:"):
        return "raises or warns as PyTorch does, in other words"
    first = message.strip().split("\n")[0]
    first = re.sub(r"'[^']*'|\"[^\"]*\"|0x[0-9a-f]+|\d+(\.\d+)?", "*", first)
    return first[:110]


def report(results, verbose):
    """Prints the rates by file, then what fails and what lies outside, by reason; gives the rate of all."""
    outside, failures = collections.defaultdict(list), collections.defaultdict(list)
    all_passed = all_inside = 0
    for file, records in results.items():
        inside = {test: r for test, r in records.items() if r["outcome"] != "skipped" and not r["reason"]}
        passed = sum(r["outcome"] == "passed" for r in inside.values())
        skipped = sum(r["outcome"] == "skipped" for r in records.values())
        all_passed, all_inside = all_passed + passed, all_inside + len(inside)
        print(f"{file}: {passed} of {len(inside)} pass; {len(records) - len(inside) - skipped} outside, {skipped} skipped")
        for test, r in records.items():
            if r["reason"]:
                outside[r["reason"]].append((f"{file}::{test}", r))
            elif r["outcome"] in ("failed", "error"):
                failures[kind_of(r["message"])].append((f"{file}::{test}", r))
    for title, groups in (("outside the documented interface", outside), ("failing", failures)):
        print(f"\n{title}: {sum(map(len, groups.values()))}")
        for reason, tests in sorted(groups.items(), key=lambda item: -len(item[1])):
            print(f"  {len(tests):4} {reason}")
            for name, r in tests if verbose else tests[:0]:
                print(f"         {name} ({r['outcome']})")
    worded = sum(r["message"].startswith("OtherWords:") for tests in failures.values() for _, r in tests)
    rate = all_passed / all_inside if all_inside else 0.0
    held = (all_passed + worded) / all_inside if all_inside else 0.0
    print(f"\n{all_passed} of {all_inside} tests of the documented interface pass: {100 * rate:.1f} % "
          f"({100 * held:.1f} % where errors may have words of their own)")
    return rate


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("package")
    parser.add_argument("source")
    parser.add_argument("--file", nargs="+", help="files below the release's folder `test`; otherwise all")
    parser.add_argument("--filter", help="a regular expression that the names of tests (Class.test) contain")
    parser.add_argument("--json", help="where to write all records")
    parser.add_argument("--seconds", type=int, default=60, help="how long one test may take")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="how many files run at once")
    parser.add_argument("-v", "--verbose", action="store_true", help="name the tests of each reason")
    options = parser.parse_args()
    release = source.release(options.source)
    files = options.file or default_files(release)
    package = os.path.abspath(options.package)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(run_file, package, release, file, options.filter, options.seconds) for file in files]
        results = {file: run.result() for file, run in zip(files, runs)}
    judge(results)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=1)
    report(results, options.verbose)


if __name__ == "__main__":
    main()
