"""Finds the code examples in a release of PyTorch's sources: in its documents and in docstrings.

An example is told by where it stands, `docs/source/jit.rst:113`. Blocks that are no Python (grammars,
messages, texts) are left out.
"""
import ast
import doctest
import pathlib
import re
import textwrap

DOCUMENTS = ("jit", "jit_language_reference", "jit_language_reference_v2", "jit_python_reference",
             "jit_builtin_functions", "jit_unsupported", "jit_utils", "fx")
SOURCES = ("torch/_jit_internal.py", "torch/jit/*.py", "torch/nn/modules/*.py", "torch/nn/functional.py",
           "torch/nn/init.py", "torch/nn/parameter.py", "torch/nn/utils/*.py", "torch/fx/*.py")
# Training and exchange between processes: not what is documented for inference.
OUTSIDE = re.compile(r"prune|_per_sample_grad|convert_parameters|clip_grad|_expanded|/sync_?batch")
CODE = re.compile(r"^(\s*)\.\.\s+(?:testcode|code-block::\s*python|code::\s*python|doctest)\b.*$")
LITERAL = re.compile(r"^(\s*)(?!\.\.\s).*::\s*$")
OPTION = re.compile(r"^\s*:\w+:")
PROMPT = re.compile(r"^(\s*)>>> ")


class Example:
    """One block: the document it is in, its line, what kind of block it is, its text."""

    def __init__(self, document, line, text, prompts):
        self.document, self.line, self.text, self.prompts = document, line, text, prompts
        self.name = f"{document}:{line}"

    def parts(self):
        """Each statement with the line before it; a block without prompts is one part."""
        if not self.prompts:
            return [(0, self.text)]
        parser = doctest.DocTestParser()
        return [(example.lineno, example.source) for example in parser.get_examples(self.text)]


def indent_of(line):
    return len(line) - len(line.lstrip())


def block_after(lines, at, margin):
    """The lines below one that are indented further than it, without options; where they begin."""
    begin = at + 1
    while begin < len(lines) and (not lines[begin].strip() or OPTION.match(lines[begin])):
        begin += 1
    end = begin
    while end < len(lines) and (not lines[end].strip() or indent_of(lines[end]) > margin):
        end += 1
    return begin, lines[begin:end]


def is_python(text):
    try:
        return bool(ast.parse(text).body)
    except SyntaxError:
        return False


def in_text(document, text, first):
    """The examples of a document or a docstring that begins at a line."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        marked = CODE.match(lines[at]) or LITERAL.match(lines[at])
        if marked:
            begin, block = block_after(lines, at, len(marked[1]))
        elif PROMPT.match(lines[at]):
            begin, margin = at, indent_of(lines[at])
            end = at
            while end < len(lines) and lines[end].strip() and indent_of(lines[end]) >= margin:
                end += 1
            # Examples that only an empty line parts go on with each other's names.
            while end + 1 < len(lines) and PROMPT.match(lines[end + 1]):
                end += 1
                while end < len(lines) and lines[end].strip():
                    end += 1
            block = lines[begin:end]
        else:
            at += 1
            continue
        code = textwrap.dedent("\n".join(block)).rstrip() + "\n"
        prompts = bool(re.search(r"^\s*>>> ", code, re.M))
        if prompts or is_python(code):
            yield Example(document, first + begin, code, prompts)
            at = begin + len(block)
        else:
            at += 1


def in_source(document, text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r">>> |::", node.value):
            yield from in_text(document, node.value, node.lineno)


def examples(release):
    """All of a release, by document, in the order in which they stand there."""
    root = pathlib.Path(release)
    paths = [root / "docs" / "source" / f"{name}.rst" for name in DOCUMENTS]
    paths += sorted(path for pattern in SOURCES for path in root.glob(pattern))
    for path in paths:
        document = path.relative_to(root).as_posix()
        if not path.exists() or OUTSIDE.search(document):
            continue
        found = in_source if path.suffix == ".py" else (lambda name, text: in_text(name, text, 1))
        yield from sorted(found(document, path.read_text()), key=lambda example: example.line)
