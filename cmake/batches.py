"""Which sources of a target can be compiled as one file: batches.py ROOT SOURCES OUT

ROOT is the folder that #include "..." starts from, SOURCES has a line `target;file` for each source. OUT
becomes a CMake script that gives sources that go together the same UNITY_GROUP. Files share one if neither uses a name that the other keeps to itself, in
an unnamed namespace or as a macro: in one translation unit it could mean the other's.
"""

import collections
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
LARGEST = 8  # Files in a batch: one that changes is compiled with so many.

COMMENT_OR_TEXT = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.S)
END = "// namespace"
UNNAMED = re.compile(r"^namespace \{$(.*?)^\}  // namespace$|^static ([^\n]*)$", re.M | re.S)
TYPE = re.compile(r"^(?:template <.*> )?(?:struct|class|union|enum class|enum|concept) (\w+)|^using (\w+) =", re.M)
# What a line at the left margin declares: the last name before its parameters, its value or its end.
OTHER = re.compile(r"^(?!using |namespace )[A-Za-z_][^\n(={;]*?(\w+)(?:\[[^\n]*\])?(?: =|\{|;)", re.M)
FURTHER = re.compile(r", (\w+)(?= =|\{|;|,)")
LINE = re.compile(r"^[A-Za-z_][^\n]*;$", re.M)
FUNCTION = re.compile(r"^[A-Za-z_][^\n(={;]*[ *&](\w+)\(", re.M)
# Names of another namespace that a file takes over for itself.
IMPORT = re.compile(r"^(using (?:\w+::)+(\w+);|namespace (\w+) = .*)$", re.M)
WHOLE_NAMESPACE = re.compile(r"^using namespace ", re.M)
MACRO = re.compile(r"^#define (\w+)", re.M)
INCLUDE = re.compile(r'^#include "([^"]+[.]h)"$', re.M)
# Names without the name of what they belong to; with a parenthesis behind, where they may be called.
USED = re.compile(r"(?<![\w.:])(?<!->)(\w+\b\(?)")


class Batch:
    """Sources, with the headers behind them, the names that they keep to themselves and those they use."""

    def __init__(self, text="", headers=()):
        self.files = []
        self.headers = set(headers)
        text = COMMENT_OR_TEXT.sub(lambda found: found[0] if found[0] == END else " ", text)
        own = [inner or static for inner, static in UNNAMED.findall(text)]
        self.functions = {name for block in own for name in FUNCTION.findall(block)}
        self.others = {name for block in own for name in OTHER.findall(block)}
        self.others.update(FURTHER.findall("\n".join(line for block in own for line in LINE.findall(block))))
        self.others.update(name for block in own for found in TYPE.findall(block) for name in found if name)
        self.others.update(MACRO.findall(text))
        self.imports = {statement: name or alias for statement, name, alias in IMPORT.findall(text)}
        self.used = {name.rstrip("(") for name in USED.findall(text)}
        self.called = {name[:-1] for name in USED.findall(text) if name.endswith("(")}

    def hides_from(self, other):
        """Whether one of its names could be taken for what the other means. A variable may be called
        like a function of another file: it is nearer."""
        imported = {name for statement, name in self.imports.items() if statement not in other.imports}
        return (self.functions & (other.called | other.functions | other.others) or
                (self.others | imported) & other.used)

    def add(self, file, batch):
        self.files.append(file)
        for part in ("headers", "functions", "others", "imports", "used", "called"):
            getattr(self, part).update(getattr(batch, part))


@functools.cache
def header(path):
    """What a header uses, and the headers that it includes, itself among them."""
    text = path.read_text()
    return Batch(text), headers_of(text) | {path}


def headers_of(text):
    paths = [ROOT / name for name in INCLUDE.findall(text)]
    return frozenset().union(*(header(path)[1] for path in paths if path.exists()))


def fits(file, batch):
    """Whether a file can follow those of a batch. Headers are read where the first file includes them."""
    return (len(batch.files) < LARGEST and not file.hides_from(batch) and not batch.hides_from(file) and
            not any(batch.hides_from(header(path)[0]) for path in file.headers - batch.headers))


def batches(files):
    """Each file joins the first batch that it fits into."""
    found = []
    for file in files:
        text = pathlib.Path(file).read_text()
        if WHOLE_NAMESPACE.search(text):
            continue
        single = Batch(text, headers_of(text))
        batch = next((batch for batch in found if fits(single, batch)), None)
        if not batch:
            batch = Batch()
            found.append(batch)
        batch.add(file, single)
    return [batch.files for batch in found if len(batch.files) > 1]


def main():
    _, sources, out = sys.argv[1:]
    targets = collections.defaultdict(list)
    for line in pathlib.Path(sources).read_text().splitlines():
        target, file = line.split(";")
        targets[target].append(file)
    with open(out, "w") as script:
        for target, files in targets.items():
            for number, batch in enumerate(batches(files)):
                quoted = " ".join(f'"{file}"' for file in batch)
                script.write(f"set_source_files_properties({quoted}\n  TARGET_DIRECTORY {target} "
                             f"PROPERTIES UNITY_GROUP {target}_{number})\n")


main()
