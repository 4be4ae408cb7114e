"""Every file that a page links, and every file that a page or a comment names, exists.

A name is what ends like a file of this tree (`fit.h`) and any path that starts with one of its top
folders. It may be written from the root, from the folder of the file that names it, or as the last
parts of a path.
"""

import io
import pathlib
import re
import subprocess
import sys
import tokenize

ROOTS = {"engine", "verify", "fuzz", "reports", "corpus", "tests", "ci", "cmake"}
NAME = re.compile(r"(?<![\w./*<-])(?:\.\./)*[\w-]+(?:[/.][\w-]+)*")
ENDING = re.compile(r"\.(?:h|cpp|cu|def|py|cmake|md|js|css)$")
# What comments call a user's program in examples, a file inside of an archive, any file of a kind.
EXAMPLES = re.compile(r"(?:file|model|net|encoder)\.py|(?:code/)?__torch__[./].*|(?:tests/)?x[/_].*")
# Strings and characters are matched, too, so that what looks like a comment in one is none.
CPP = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/',
                 re.S)


def cpp_comments(text):
    for found in CPP.finditer(text):
        if found.group().startswith(("//", "/*")):
            yield text.count("\n", 0, found.start()) + 1, found.group()


def python_comments(text):
    begins = True  # A string that begins a statement is documentation.
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and begins):
            yield token.start[0], token.string
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            begins = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)


def hash_comments(text):
    for number, line in enumerate(text.splitlines(), 1):
        found = re.search(r"(?:^|\s)#(.*)", line)
        if found:
            yield number, found.group(1)


def prose(text):
    yield 1, re.sub(r"```.*?```", "", text, flags=re.S)


def reader_of(page, text):
    if page.suffix in (".h", ".cpp", ".cu", ".def"):
        return cpp_comments
    if page.suffix == ".py":
        return python_comments
    if page.suffix == ".md":
        return prose
    if page.suffix == ".cmake" or page.name == "CMakeLists.txt" or text.startswith("#!/bin/bash"):
        return hash_comments
    return None


def names_in(comment):
    for name in NAME.findall(comment):
        path_of_tree = "/" in name and name.split("/")[0] in ROOTS
        if (path_of_tree or ENDING.search(name)) and not EXAMPLES.fullmatch(name):
            yield name


def parts_of(files):
    """Every run of neighbouring folders and files of a path."""
    parts = set()
    for name in files:
        steps = name.split("/")
        for first in range(len(steps)):
            for last in range(first, len(steps)):
                parts.add("/".join(steps[first:last + 1]))
    return parts


def text_of(name):
    try:
        return pathlib.Path(name).read_text()
    except UnicodeDecodeError:
        return None


def main():
    files = subprocess.run(["git", "ls-files"], capture_output=True, text=True,
                           check=True).stdout.split()
    files = [name for name in files if pathlib.Path(name).exists()]
    texts = {name: text for name in files if (text := text_of(name)) is not None}
    # What the build makes is known by being included.
    made = [name for text in texts.values() for name in re.findall(r'#\s*include "([^"]+)"', text)]
    known = parts_of(files + made)
    wrong = []
    for name, text in texts.items():
        page = pathlib.Path(name)
        read = reader_of(page, text)
        for line, comment in read(text) if read else []:
            wrong += [f"{name}:{line}: {named} does not exist" for named in names_in(comment)
                      if named not in known and not (page.parent / named).exists()]
        if page.suffix == ".md":
            wrong += [f"{name}: {target} does not exist"
                      for target in re.findall(r"\]\(([^)#]+)\)", text)
                      if "://" not in target and not (page.parent / target).exists()]
    for line in wrong:
        print("links:", line)
    return 1 if wrong else 0


sys.exit(main())
