"""Plants faults at random places of real networks and counts how many of them assay names.

Use: mutate.py ASSAY [--rounds N] [--seed S] [--networks lstm,encoder] [--faults captured_size,...]
                     [--draw N] [--jobs N] [--json OUT] [--keep DIR]

(skipped where the Python that ASSAY_PYTHON names, or the system's, has no PyTorch)

In each round every fault of `faults.py` is planted behind a random submodule of every network of
`networks.py`, so that the line that assay has to name is known. PyTorch alone says that a planted
line is a fault: the export agrees with the model at the example and not elsewhere; what does not show
is drawn again. The networks themselves are checked, too, and must pass. A miss is printed with the
command that repeats it. Exit code 0: all were found, named and located, and nothing else was.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

PYTHON = os.path.abspath(os.environ.get("ASSAY_PYTHON", "/usr/bin/python3"))
HAS_MODULES = pathlib.Path(__file__).resolve().parents[1] / "has_modules.py"
SKIPPED = 77
COLUMNS = ("planted", "found", "named", "located", "proven", "more")


def start_with_torch():
    """This script again in the interpreter that has PyTorch."""
    has_torch = os.path.exists(PYTHON) and subprocess.run(
        [PYTHON, HAS_MODULES, "torch"], capture_output=True).returncode == 0
    if not has_torch:
        print(f"skipped: {PYTHON} has no PyTorch")
        sys.exit(SKIPPED)
    environment = {**os.environ, "ASSAY_MUTATE": "1", "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    os.execve(PYTHON, [PYTHON, "-W", "ignore", *sys.argv], environment)


if "ASSAY_MUTATE" not in os.environ:
    start_with_torch()

from faults import FAULTS  # noqa: E402
from networks import NETWORKS  # noqa: E402
from planting import NoFault, Planting  # noqa: E402

CLEAN = "none"  # The network itself.


def check(planting, assay):
    """What assay says of a planting: {column: number}, and what was missed."""
    words = planting.command(assay, PYTHON)
    done = subprocess.run([*words, "--json", "report.json", "--no-database", "--quiet", "--max-examples", "60"],
                          cwd=planting.folder, capture_output=True, text=True, timeout=600)
    report = planting.folder / "report.json"
    (planting.folder / "console.txt").write_text(done.stdout + done.stderr)
    findings = json.loads(report.read_text())["findings"] if report.exists() else []
    failing = [f for f in findings if f["class"] not in ("AS116", "AS117", "AS118", "AS904")]
    said = f"exit code {done.returncode}: " + (", ".join(map(text_of, findings)) or done.stderr.strip()[-200:])
    if planting.fault is None:
        alarms = int(done.returncode != 0)
        return {"planted": 0, "more": alarms}, said if alarms else ""
    named = [f for f in failing if f["class"] == planting.fault.class_id]
    located = [f for f in named if is_at(f, planting)]
    others = [f for f in failing if f not in located]
    counts = {"planted": 1, "found": int(done.returncode == 1), "named": int(bool(named)),
              "located": int(bool(located)), "more": len(others),
              "proven": int(any(f["cause"]["proof"] == "proven" for f in located))}
    return counts, "" if counts["located"] and not others else said


def is_at(finding, planting):
    """Whether a finding names the planted line, or what stands for it where no line is at fault."""
    cause = finding["cause"]
    if planting.parameter:
        return planting.parameter in cause["proof_text"]
    if planting.order:
        return all(f"output[{i}]" in cause["role"] for i, j in enumerate(planting.order) if i != j)
    in_model = pathlib.Path(cause["file"]).name == "model.py"
    return in_model and cause["line"] in planting.causes | planting.also


def text_of(finding):
    cause = finding["cause"]
    return f"{finding['class']} at {pathlib.Path(cause['file']).name}:{cause['line']} ({cause['proof']})"


class Tally:
    def __init__(self):
        self.rows = {}  # (fault, network): {column: number}
        self.misses = []

    def add(self, fault, network, counts):
        row = self.rows.setdefault((fault, network), dict.fromkeys(COLUMNS, 0))
        for column, number in counts.items():
            row[column] += number

    def show(self):
        print(f"\n{'fault':22}{'network':10}" + "".join(f"{c:>9}" for c in COLUMNS))
        for (fault, network), row in sorted(self.rows.items()):
            print(f"{fault:22}{network:10}" + "".join(f"{row[c]:9}" for c in COLUMNS))
        total = {c: sum(row[c] for row in self.rows.values()) for c in COLUMNS}
        print(f"{'all':32}" + "".join(f"{total[c]:9}" for c in COLUMNS))


def plantings(options, folder):
    """(fault's name, network's name, seed, planting) of all rounds, each with a seed of its own. Of a draw
    only plantings that show count: what does not is said, and others follow in its place."""
    pairs = [(fault, network) for network in options.networks for fault in options.faults]
    for seed in range(options.seed, options.seed + options.rounds):
        found = made(random.Random(seed).sample(pairs, len(pairs)) if options.draw else pairs, seed, folder)
        yield from itertools.islice(found, options.draw)


def made(pairs, seed, folder):
    for fault, network in pairs:
        own = random.Random(f"{seed} {fault} {network}")
        planting = Planting(network, FAULTS.get(fault), own, folder / f"{network}-{fault}-{seed}")
        try:
            planting.make()
        except NoFault as why:
            print(f"none    {fault} in {network}: {why}", flush=True)
        else:
            yield fault, network, seed, planting


def listed(known):
    def parse(text):
        names = text.split(",")
        unknown = [name for name in names if name not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"there is no {unknown[0]}; known: {', '.join(known)}")
        return names
    return parse


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("assay", type=lambda text: str(pathlib.Path(text).resolve()))
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=random.randrange(10 ** 9))
    parser.add_argument("--networks", type=listed(NETWORKS), default=list(NETWORKS))
    parser.add_argument("--faults", type=listed([CLEAN, *FAULTS]), default=[CLEAN, *FAULTS])
    parser.add_argument("--draw", type=int, help="so many of a round's plantings in place of all")
    parser.add_argument("--jobs", type=int, default=1, help="checks at a time")
    parser.add_argument("--json", type=pathlib.Path, help="the table and the misses as JSON")
    parser.add_argument("--keep", type=pathlib.Path, help="where model files and reports stay")
    return parser.parse_args()


def main():
    options = arguments()
    print(f"--seed {options.seed} repeats this draw", flush=True)
    tally = Tally()

    def settle(fault, network, seed, planting):
        try:
            counts, missed = check(planting, options.assay)
        except subprocess.TimeoutExpired:
            counts, missed = {"planted": 1}, "no verdict within 10 min"
        lines = f" lines {sorted(planting.causes)}" if planting.causes else ""
        print(f"{'MISSED' if missed else 'right'}  {fault} in {network} {planting.place}{lines}", flush=True)
        tally.add(fault, network, counts)
        if missed:
            repeat = f"mutate.py {options.assay} --seed {seed} --networks {network} --faults {fault} --keep DIR"
            print(f"        {missed}\n        {repeat}", flush=True)
            tally.misses.append({"fault": fault, "network": network, "place": planting.place,
                                 "said": missed, "repeat": repeat})

    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = []
        for fault, network, seed, planting in plantings(options, options.keep or pathlib.Path(scratch)):
            waiting.append(pool.submit(settle, fault, network, seed, planting))
        for one in waiting:
            one.result()
    tally.show()
    if options.json:
        rows = [{"fault": fault, "network": network, **row} for (fault, network), row in tally.rows.items()]
        options.json.write_text(json.dumps({"seed": options.seed, "rows": rows, "misses": tally.misses}, indent=1))
    return 1 if tally.misses or not tally.rows else 0


if __name__ == "__main__":
    sys.exit(main())
