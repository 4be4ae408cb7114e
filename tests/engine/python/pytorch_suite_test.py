"""A few files of PyTorch's own tests pass as often as they did; skipped where its source release is not at hand.

The release is the folder that ASSAY_PYTORCH_SOURCE names, or build/pytorch-source:
pytorch_suite/source.py build/pytorch-source fetches it."""

import os
import sys

from pytorch_suite import run, source

# Files that take a second or two, of several parts of the language, and the part of their tests that has to pass.
FILES = ["jit/test_list_dict.py", "jit/test_enum.py", "jit/test_string_formatting.py", "jit/test_tensor_creation_ops.py",
         "jit/test_complex.py", "jit/test_slice.py", "jit/test_isinstance.py"]
FLOOR = 0.75


def main(package):
    place = os.environ.get("ASSAY_PYTORCH_SOURCE", os.path.join("build", "pytorch-source"))
    found = [os.path.join(place, name) for name in ["", *(os.listdir(place) if os.path.isdir(place) else [])]]
    found = [folder for folder in found if source.is_release(folder)]
    if not found:
        print(f"PyTorch's source release is not at {place}")
        return 77
    results = {file: run.run_file(os.path.abspath(package), os.path.abspath(found[0]), file, None, 10) for file in FILES}
    run.judge(results)
    tests = sum(len(records) for records in results.values())
    if tests < 200:
        print(f"only {tests} tests ran")
        return 1
    return 0 if run.report(results, True) >= FLOOR else 1


sys.exit(main(sys.argv[1]))
