"""FileCheck: whether texts stand in a text, one behind the other. Checks are made by methods, or read from
comments (`# CHECK-NEXT: ...`)."""

import re

_COMMENT = re.compile(r"#[ \t]{0,6}CHECK(?P<kind>-NEXT|-SAME|-NOT|-DAG|-SOURCE-HIGHLIGHTED|-COUNT-(?P<exactly>EXACTLY-)?"
                      r"(?P<count>\d+))?: ?(?P<text>.*)")


class FileCheck:
    """`FileCheck().check("aten::add").check_not("aten::mul").run(text)`; RuntimeError names what fails."""

    def __init__(self):
        # Neighbours of the kinds "not" and "dag" form a group; every other check is a group of its own.
        self._groups = []

    def _add(self, kind, text, count=None):
        if kind in ("not", "dag") and self._groups and self._groups[-1][0][0] == kind:
            self._groups[-1].append((kind, text, count))
        else:
            self._groups.append([(kind, text, count)])
        return self

    def check(self, text):
        return self._add("plain", text)

    def check_not(self, text):
        return self._add("not", text)

    def check_same(self, text):
        return self._add("same", text)

    def check_next(self, text):
        return self._add("next", text)

    def check_dag(self, text):
        return self._add("dag", text)

    def check_source_highlighted(self, text):
        return self._add("highlighted", text)

    def check_count(self, text, count, exactly=False):
        if count:
            self._add("count", text, count)
        elif not exactly:
            raise RuntimeError("a count of zero that is not exact checks nothing")
        return self._add("not", text) if exactly else self

    def run(self, *texts):
        """run(text), or run(text with checks in comments, text)."""
        if len(texts) == 2:
            self._read_comments(str(texts[0]))
        if not self._groups:
            raise RuntimeError("there is nothing to check")
        text, end = str(texts[-1]), 0
        index = 0
        while index < len(self._groups):
            group = self._groups[index]
            if group[0][0] == "not":
                following = self._groups[index + 1] if index + 1 < len(self._groups) else None
                begin, after = self._match(following, text, end) if following else (len(text), len(text))
                for _, unwanted, _ in group:
                    if unwanted in text[end:begin]:
                        _fail(f"found {unwanted!r}, which should not be there", text[end:begin])
                end, index = after, index + 2
            else:
                _, end = self._match(group, text, end)
                index += 1

    def _read_comments(self, text):
        for line in text.split("\n"):
            found = _COMMENT.search(line)
            if not found:
                if re.search(r"#[ \t]{0,6}CHECK", line):
                    raise RuntimeError(f"this check cannot be read: {line}")
                continue
            kind, wanted = (found["kind"] or "-PLAIN")[1:], found["text"]
            if found["count"]:
                self.check_count(wanted, int(found["count"]), bool(found["exactly"]))
            else:
                self._add("highlighted" if kind.startswith("SOURCE") else kind.lower(), wanted)

    def _match(self, group, text, start):
        """Where the group stands behind `start`: its begin and its end."""
        kind, wanted, count = group[0]
        if kind == "dag":
            places = [(_find(text, each, start), each) for _, each, _ in group]
            return min(at for at, _ in places), max(at + len(each) for at, each in places)
        if kind == "count":
            first, end = None, start
            for _ in range(count):
                at = _find(text, wanted, end)
                first, end = at if first is None else first, at + len(wanted)
            return first, end
        if kind == "highlighted":
            _check_highlighted(text, wanted, start)
            return start, start
        begin = start
        if kind == "next":
            begin = _find(text, "\n", start) + 1
        at = _find(text, wanted, begin)
        if kind in ("same", "next") and "\n" in text[begin:at]:
            _fail(f"{wanted!r} stands on another line", text[start:])
        return at, at + len(wanted)


def _find(text, wanted, start):
    at = text.find(wanted, start)
    if at < 0:
        _fail(f"{wanted!r} is not there", text[start:])
    return at


def _check_highlighted(text, wanted, start):
    """Whether a line of exactly so many tildes stands below an occurrence."""
    at = _find(text, wanted, start)
    while at >= 0:
        line_start = text.rfind("\n", 0, at) + 1
        line_end = text.find("\n", at)
        if line_end < 0:
            break
        column = at - line_start
        below = text[line_end + 1:].split("\n", 1)[0]
        marked = below[column:column + len(wanted)] == "~" * len(wanted)
        if marked and below[column - 1:column] != "~" and below[column + len(wanted):][:1] != "~":
            return
        at = text.find(wanted, at + 1)
    _fail(f"{wanted!r} is not marked", text[start:])


def _fail(message, text):
    raise RuntimeError(f"{message}, in:\n{text}")
