"""Times the loading of torchvision's archives in assay and in PyTorch, each in fresh processes.

    python3 tests/bench/load.py [--rounds N] [--loads N] [--cold] [MODEL...]

Needs what forward.py needs, and build/release/bin/load. One JSON line per model and export: the
median milliseconds of the first load in a process and of the later ones, for both sides, and the
ratios assay/PyTorch of these (wanted: at most 0.5); what one process holds after loading and after
one forward (`optimized`, and `plain` without optimization) beside what it held before, relative to
the bytes of the weights (wanted: at most 1.2 after loading, and after a forward of a model as large
as resnet50 at most 1.6: the packed weights, and some 30 MB for libraries, graphs and images). With --cold the file is dropped from the system's cache before each process.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

import peer

PROGRAM = os.path.join(peer.BIN, "load")

THEIRS = """
import sys, time, torch
for _ in range(int(sys.argv[2])):
    module = None
    start = time.perf_counter()
    module = torch.jit.load(sys.argv[1])
    print((time.perf_counter() - start) * 1e3, end=" ")
"""


def forget(archive):
    """Drops the file from the page cache; its pages are clean after fsync."""
    file = os.open(archive, os.O_RDONLY)
    os.fsync(file)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(file)


def lines(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command[0]} ended with {done.returncode}: {done.stderr}")
    return [line.split() for line in done.stdout.splitlines()]


def weight_bytes(archive):
    import torch

    module = torch.jit.load(archive)
    tensors = list(module.parameters()) + list(module.buffers())
    return sum(t.numel() * t.element_size() for t in tensors)


def compare(name, form, options):
    peer.make_archives(name)
    archive = peer.archive(name, form)
    commands = {"assay": [PROGRAM, archive, str(options.loads)],
                "pytorch": [sys.executable, "-c", THEIRS, archive, str(options.loads)]}
    first = {side: [] for side in commands}
    later = {side: [] for side in commands}
    for _ in range(options.rounds):
        for side, command in commands.items():
            forget(archive) if options.cold else open(archive, "rb").read()
            times = [float(word) for word in lines(command)[0]]
            first[side].append(times[0])
            later[side] += times[1:]
    record = {"model": name, "export": form, "cold": options.cold, "rounds": options.rounds}
    for kind, samples in (("first", first), ("later", later)):
        middle = {side: statistics.median(samples[side]) for side in commands}
        for side in commands:
            record[f"{side}_{kind}_ms"] = round(middle[side], 2)
        record[f"{kind}_ratio"] = round(middle["assay"] / middle["pytorch"], 3)
    size = weight_bytes(archive)
    for mode, flags in (("optimized", []), ("plain", ["--plain"])):
        before, loaded, ran = map(int, lines([PROGRAM, archive, "1", *peer.SIZES, *flags])[1][1:])
        record["memory_loaded"] = round((loaded - before) * 1024 / size, 3)
        record[f"memory_ran_{mode}"] = round((ran - before) * 1024 / size, 3)
    print(json.dumps(record), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--loads", type=int, default=5)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("models", nargs="*", default=["resnet50"])
    options = parser.parse_args()
    peer.settle(1)
    for model in options.models:
        for form in peer.FORMS:
            compare(model, form, options)


if __name__ == "__main__":
    main()
