"""Which sources of a target can be compiled as one file: batches.py ROOT SOURCES OUT

ROOT is the folder that #include "..." starts from, SOURCES has a line `target;file` for each source. OUT
becomes a CMake script that gives sources that go together the same UNITY_GROUP, in order. Files share one if
neither uses a name that the other keeps to itself, in an unnamed namespace or as a macro: in one
translation unit it could mean the other's.
"""

import collections
import functools
import pathlib
import random
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
LARGEST = 16 # Files in a batch: one that changes is compiled with so many.
ORDERS = 25  # In which the files of a target are tried: which come first decides how many batches it takes.

COMMENT_OR_TEXT = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.S)
END = "// namespace"
UNNAMED = re.compile(r"^namespace \{$(.*?)^\}  // namespace$|^static ([^\n]*)$", re.M | re.S)
TYPE = re.compile(r"^(?:template <.*> )?(?:struct|class|union|enum class|enum|concept) (?:alignas\(.*\) )?(\w+)\b(?!::)|"
                  r"^using (\w+) =", re.M)
# What a line at the left margin declares: the last name before its parameters, its value or its end.
OTHER = re.compile(r"^(?!using |namespace )[A-Za-z_][^\n(={;]*?(\w+)(?:\[[^\n]*\])?(?: =|\{|;)", re.M)
FURTHER = re.compile(r", ([A-Za-z_]\w*)(?= =|\{|;|,)")
LINE = re.compile(r"^(?!using )[A-Za-z_][^\n]*;$", re.M)
FUNCTION = re.compile(r"^[A-Za-z_][^\n(={;]*[ *&](\w+)\(", re.M)
# Names of another namespace that a file takes over for itself.
IMPORT = re.compile(r"^(?:using |namespace )((?:\w+::)+(\w+)|(\w+) = .*);", re.M)
NAMESPACE = re.compile(r"^namespace ([\w:]*) ?\{$|^(\}  // namespace)", re.M)
WHOLE_NAMESPACE = re.compile(r"^using namespace ([\w:]+);", re.M)
MACRO = re.compile(r"^#define (\w+)", re.M)
INCLUDE = re.compile(r'^#include "([^"]+[.]h)"$', re.M)
# Names without the name of what they belong to; with a parenthesis behind, where they may be called.
USED = re.compile(r"(?<![\w.:])(?<!->)(\w+\b\(?)")


class Batch:
    """Sources, with the headers behind them, the names that they keep to themselves and those they use."""

    def __init__(self, text="", headers=()):
        self.files = []
        self.headers = set(headers)
        # By name: the namespaces that have something called so; those that take it over, and from where.
        self.declared = collections.defaultdict(set)
        self.imports = collections.defaultdict(set)
        for place, part in by_namespace(text):
            for name in declarations(part):
                self.declared[name].add((place, f"{place}::{name}"))
            for target, name, alias in IMPORT.findall(part):
                self.imports[name or alias].add((place, target))
        for path in headers:
            unite(self.declared, header(path)[0].declared)
        text = COMMENT_OR_TEXT.sub(lambda found: found[0] if found[0] == END else " ", text)
        own = "\n".join(inner or static for inner, static in UNNAMED.findall(text))
        self.functions = set(FUNCTION.findall(own))
        self.others = variables(own) | types(own) | set(MACRO.findall(text))
        self.namespaces = set(WHOLE_NAMESPACE.findall(text))
        self.used = {name.rstrip("(") for name in USED.findall(text)}
        self.called = {name[:-1] for name in USED.findall(text) if name.endswith("(")}

    def hides_from(self, other):
        """Whether one of its names could be taken for what the other means. A variable may be called
        like a function of another file: it is nearer. What a file takes over from another namespace is
        the same for both, unless the other has something else of that name in reach."""
        return (self.functions & (other.called | other.functions | other.others) or self.others & other.used or
                self.takes_over_another(other.declared) or self.takes_over_another(other.imports))

    def takes_over_another(self, names):
        """Whether one of its imports is something else than what is called so in a namespace around or within."""
        return any((within(place, of) or within(of, place)) and not f"::{found}".endswith(f"::{target}")
                   for name in self.imports.keys() & names.keys()
                   for place, target in self.imports[name] for of, found in names[name])

    def add(self, file, batch):
        self.files.append(file)
        for part in ("headers", "functions", "others", "namespaces", "used", "called"):
            getattr(self, part).update(getattr(batch, part))
        unite(self.declared, batch.declared)
        unite(self.imports, batch.imports)


def unite(all, further):
    for name, found in further.items():
        all[name] |= found


def within(inner, outer):
    return f"{inner}::".startswith(f"{outer}::") or not outer


def by_namespace(text):
    """The parts of a file, each with the namespace that it is in; an unnamed one belongs to what is around."""
    parts, around, start = [], [], 0
    for found in NAMESPACE.finditer(text):
        parts.append(("::".join(filter(None, around)), text[start:found.start()]))
        if not found[2]:
            around.append(found[1])
        elif around:
            around.pop()
        start = found.end()
    return parts + [("", text[start:])]


def declarations(text):
    text = COMMENT_OR_TEXT.sub(" ", text)
    return set(FUNCTION.findall(text)) | variables(text) | types(text)


def variables(text):
    return set(OTHER.findall(text)) | set(FURTHER.findall("\n".join(LINE.findall(text))))


def types(text):
    return {name for found in TYPE.findall(text) for name in found if name}


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
    """Each file joins the first batch that it fits into, of those that see the same namespaces whole."""
    found = []
    for name, single in files:
        batch = next((batch for batch in found
                      if batch.namespaces == single.namespaces and fits(single, batch)), None)
        if not batch:
            batch = Batch()
            found.append(batch)
        batch.add(name, single)
    return [batch.files for batch in found]


def fewest_batches(names):
    """Of the order in which the files stand and a few others, the same in every run."""
    files = []
    for name in names:
        text = pathlib.Path(name).read_text()
        files.append((name, Batch(text, headers_of(text))))
    orders = [files] + [random.Random(number).sample(files, len(files)) for number in range(ORDERS)]
    return min(map(batches, orders), key=len)


def main():
    _, sources, out = sys.argv[1:]
    targets = collections.defaultdict(list)
    for line in pathlib.Path(sources).read_text().splitlines():
        target, file = line.split(";")
        targets[target].append(file)
    with open(out, "w") as script:
        for target, files in targets.items():
            found = fewest_batches(files)
            script.write(f"assay_order_sources({target} {quoted(sum(found, []))})\n")
            for number, batch in enumerate(found):
                if len(batch) > 1:
                    script.write(f"set_source_files_properties({quoted(batch)}\n  TARGET_DIRECTORY {target} "
                                 f"PROPERTIES UNITY_GROUP {target}_{number})\n")


def quoted(files):
    return " ".join(f'"{file}"' for file in files)


main()
