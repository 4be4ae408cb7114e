#!/usr/bin/env python3
"""Writes the C++ constants by which the arguments of operators are read: one for every distinct
argument name in the schemas of the catalog. Run by the build:

    argument_names.py OUTPUT CATALOG_FILE...

The output is left alone where it would not change, so that nothing is compiled anew.
"""

import pathlib
import re
import sys

STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
SCHEMA = re.compile(r"[\w:]+(?:\.\w+)?\((.*)\) -> ")
# What can stand between two arguments' commas and is not one: `*` and `...`.
ARGUMENT = re.compile(r"\S.*? (\w+)(?:=.*)?$")

KEYWORDS = frozenset("""
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept
    const consteval constexpr constinit continue decltype default delete do double else enum
    explicit export extern false float for friend goto if inline int long mutable namespace new
    noexcept not not_eq nullptr operator or or_eq private protected public register requires return
    short signed sizeof static struct switch template this throw true try typedef typeid typename
    union unsigned using virtual void volatile while xor xor_eq""".split())


def split_arguments(text):
    """`Tensor(a!) self, int[2] stride=[1, 1]` at the commas outside of brackets and texts."""
    parts, depth, quoted = [""], 0, False
    for character in text:
        if character == '"':
            quoted = not quoted
        if not quoted:
            depth += (character in "([{") - (character in ")]}")
            if character == "," and depth == 0:
                parts.append("")
                continue
        parts[-1] += character
    return [part.strip() for part in parts]


def argument_names(catalog):
    """The names of all arguments of all schemas in the text of a catalog file."""
    names = set()
    for literal in STRING.findall(catalog):
        schema = SCHEMA.match(literal.replace('\\"', '"'))
        if not schema:
            continue
        for part in split_arguments(schema[1]):
            argument = ARGUMENT.match(part)
            if argument:
                names.add(argument[1])
    return names


def header(names):
    lines = [
        "// Made by engine/ops/argument_names.py from the catalog.",
        "#pragma once",
        "",
        "#include <string_view>",
        "",
        '#include "engine/ops/arg_name.h"',
        "",
        "namespace assay::ops {",
        "",
        "/// In order.",
        "inline constexpr std::string_view argument_name_texts[] = {",
        *[f'    "{name}",' for name in names],
        "};",
        "",
        "/// One constant per argument name; those that are keywords of C++ end in `_`.",
        "namespace arg {",
    ]
    for name in names:
        constant = name + "_" if name in KEYWORDS else name
        lines.append(f'inline constexpr ArgName {constant}{{"{name}"}};')
    lines += ["}  // namespace arg", "", "}  // namespace assay::ops", ""]
    return "\n".join(lines)


def main(output, *catalog_files):
    names = set()
    for path in catalog_files:
        names |= argument_names(pathlib.Path(path).read_text())
    text = header(sorted(names))
    output = pathlib.Path(output)
    if output.exists() and output.read_text() == text:
        return
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
