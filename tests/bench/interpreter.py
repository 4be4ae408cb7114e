"""What a step costs when its arithmetic is nothing: assay's interpreter and TorchScript's, turn about.

    python3 tests/bench/interpreter.py [ROUNDS]

Each row: nanoseconds of processor time for an iteration (int, float, branch) or an operator (add,
tensor), the least of all rounds.
"""
import json
import os
import subprocess
import sys
import time

import peer

LOOPS = """
def int_loop(n: int) -> int:
    s = 0
    for i in range(n):
        s = s + i
    return s

def float_loop(n: int) -> float:
    s = 0.0
    for i in range(n):
        s = s * 0.5 + 1.0
    return s

def branch_loop(n: int) -> int:
    s = 0
    for i in range(n):
        if i % 3 == 0:
            s = s + i
        else:
            s = s - 1
    return s

def add_loop(x: Tensor, y: Tensor, z: Tensor, n: int) -> Tensor:
    for i in range(n):
        x = x + y
    return x

def tensor_loop(x: Tensor, y: Tensor, z: Tensor, n: int) -> Tensor:
    for i in range(n):
        x = x + y
        x = x * z
    return x
"""
SCALAR_TURNS, TENSOR_TURNS = 100000, 2000
OPERATORS = {"add_loop": 1, "tensor_loop": 2}


def ours():
    program = os.path.join(peer.BIN, "interpreter_bench")
    names = "^(int|float|branch|add|tensor)_loop$"
    out = subprocess.run([program, "--benchmark_format=json", "--benchmark_min_time=0.3",
                          "--benchmark_filter=" + names], capture_output=True, text=True, check=True)
    return {row["name"]: 1e9 / row["items_per_second"]
            for row in json.loads(out.stdout)["benchmarks"]}


def theirs(torch, unit):
    times = {}
    tensors = (torch.ones(1), torch.full((1,), 1e-3), torch.full((1,), 0.999))
    for name in ("int_loop", "float_loop", "branch_loop", "add_loop", "tensor_loop"):
        args = (SCALAR_TURNS,) if name not in OPERATORS else (*tensors, TENSOR_TURNS)
        steps = args[-1] * OPERATORS.get(name, 1)
        function = getattr(unit, name)
        for _ in range(4):
            function(*args)
        best = float("inf")
        for _ in range(10):
            start = time.process_time_ns()
            function(*args)
            best = min(best, (time.process_time_ns() - start) / steps)
        times[name] = best
    return times


def main():
    import torch

    torch.set_num_threads(1)
    unit = torch.jit.CompilationUnit(LOOPS)
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    least = {}
    with torch.inference_mode():
        for _ in range(rounds):
            for who, times in (("assay", ours()), ("torch", theirs(torch, unit))):
                for name, value in times.items():
                    key = (name, who)
                    least[key] = min(value, least.get(key, value))
    print(f"{'':12} {'assay':>9} {'PyTorch':>9}   ns")
    for name in ("int_loop", "float_loop", "branch_loop", "add_loop", "tensor_loop"):
        print(f"{name:12} {least[name, 'assay']:9.2f} {least[name, 'torch']:9.2f}")


if __name__ == "__main__":
    peer.settle(1)
    main()
