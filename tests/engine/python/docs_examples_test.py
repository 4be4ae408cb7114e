"""The code examples of PyTorch 1.13's documents on TorchScript and torch.fx and of its docstrings, run
verbatim: the same printed text, the same kind of error at the same statement.

ASSAY_PYTORCH_SOURCE names the source release, whose text is not kept here: its folder, its archive, or a
folder to which it is fetched. Without it the test is skipped. Where PyTorch fails at its own example, assay
may as well. ASSAY_EXAMPLES="docs/source/jit.rst torch/jit/_trace.py:706" runs those alone.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PACKAGE = pathlib.Path(sys.argv.pop(1)).resolve()  # The folder that holds the package.
FOLDER = pathlib.Path(__file__).resolve().parent
PYTORCH = os.environ.get("ASSAY_PYTHON", "/usr/bin/python3")
HAS_MODULES = pathlib.Path(__file__).resolve().parents[2] / "has_modules.py"
SOURCE = os.environ.get("ASSAY_PYTORCH_SOURCE")
SKIPPED = 77
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[+-]?\d+)?")
# Why assay does not do what an example does: by its own message, or by the example's text.
BY_MESSAGE = {
    "gradients are not computed": r"computes no gradients|no 'optim'",
    "no named dimensions": r"names=|named dimensions",
    "archives as flatbuffers": r"flatbuffer",
    "processes that exchange tensors": r"distributed",
}
BY_TEXT = {
    "prints memory that nobody set": r"skip_init",
    "a fork is not a node of a trace": r"torch\.jit\.fork\(foo",
    "value numbers: PyTorch tries zeros with named dimensions first": r"torch\.zeros\(3, 4\)[\s\S]*print\(foo\.graph\)",
}


def answers(launcher, release, folder, output):
    command = [PYTORCH, *launcher, FOLDER / "docs_examples.py", release, folder, output,
               *os.environ.get("ASSAY_EXAMPLES", "").split()]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(PACKAGE)})
    with open(output) as lines:
        return [json.loads(line) for line in lines]


def near(ours, theirs):
    """The same text but for rounding, addresses, and names of gradients' functions."""
    ours, theirs = (re.sub(r",\s+grad_fn=<\w+>|0x[0-9a-f]+|\s+", "", text)
                    for text in (ours, theirs))
    if NUMBER.sub("#", ours) != NUMBER.sub("#", theirs):
        return False
    return all(abs(float(one) - float(other)) <= 1e-3 * (1 + abs(float(other)))
               for one, other in zip(NUMBER.findall(ours), NUMBER.findall(theirs)))


def difference(ours, theirs):
    """Why an example did something else, or nothing."""
    expected = {failure["line"]: failure for failure in theirs["failed"]}
    for failure in ours["failed"]:
        if failure["line"] not in expected:
            return f"{failure['error']}: {failure['message']}\n{failure['source']}"
    if theirs["failed"]:
        return None
    return None if near(ours["printed"], theirs["printed"]) else (
        f"printed\n{ours['printed']}\ninstead of\n{theirs['printed']}")


def reason(found, text):
    for name, pattern in BY_MESSAGE.items():
        if re.search(pattern, found):
            return name
    return next((name for name, pattern in BY_TEXT.items() if re.search(pattern, text)), None)


class Examples(unittest.TestCase):
    def test_documents(self):
        with tempfile.TemporaryDirectory() as folder:
            run = os.path.join(folder, "run")
            theirs = answers([], RELEASE, run, os.path.join(folder, "theirs"))
            ours = answers(["-m", "assay"], RELEASE, run, os.path.join(folder, "ours"))
        self.assertEqual([one["name"] for one in ours], [one["name"] for one in theirs])
        texts = {example.name: example.text for example in docs_blocks.examples(RELEASE)}
        outcomes = collections.Counter()
        for one, other in zip(ours, theirs):
            found = difference(one, other)
            why = found and reason(found, texts[one["name"]])
            outcomes[why or ("differs" if found else "fails in PyTorch" if other["failed"] else "the same")] += 1
            if found:
                print(f"{one['name']}: {why or 'DIFFERS'}")
            with self.subTest(example=one["name"]):
                self.assertTrue(found is None or why, found)
        print(*(f"{count:4} {name}" for name, count in outcomes.most_common()), sep="\n")


if __name__ == "__main__":
    if not SOURCE or subprocess.run([PYTORCH, HAS_MODULES, "torch"], capture_output=True, check=False).returncode:
        sys.exit(SKIPPED)
    sys.path.insert(0, str(FOLDER))
    import docs_blocks
    from pytorch_suite import source
    RELEASE = source.release(SOURCE)
    unittest.main()
