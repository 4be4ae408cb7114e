"""Versions that are texts, and compare as the numbers in them: '1.13.1' comes after '1.5.0'."""

import re

from .version import __version__ as _text

_FORM = re.compile(
    r"v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(a|b|c|rc|alpha|beta|pre|preview)[-_.]?(\d*))?"
    r"(-\d+|[-_.]?(?:post|rev|r)[-_.]?\d*)?(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?", re.IGNORECASE)
_STAGES = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}


def _key(version):
    """What orders versions as PEP 440 says; None for a text that is none."""
    found = _FORM.fullmatch(str(version).strip())
    if not found:
        return None
    epoch, release, stage, stage_number, post, dev, dev_number, local = found.groups()
    numbers = [int(part) for part in release.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    stage = _STAGES.get((stage or "").lower(), (stage or "").lower())
    if not stage:  # 1.0.dev1 < 1.0a1 < 1.0rc1 < 1.0 < 1.0.post1
        stage = "" if dev and not post else "z"
    parts = [(1, int(part), "") if part.isdigit() else (0, 0, part.lower()) for part in re.split("[-_.]", local or "")]
    return (int(epoch or 0), numbers, stage, int(stage_number or 0),
            int(re.sub(r"\D", "", post) or 0) if post else -1,
            int(dev_number or 0) if dev else float("inf"), parts if local else [])


class TorchVersion(str):
    """A version that compares with texts, tuples such as (1, 13) and objects of packaging.version."""

    __hash__ = str.__hash__

    def _compare(self, method, other):
        if not isinstance(other, str) and hasattr(other, "__iter__"):
            other = ".".join(map(str, other))
        mine, its = _key(self), _key(other)
        if mine is None or its is None:
            return getattr(str, method)(self, other)
        return getattr(tuple, method)(mine, its)

    def __eq__(self, other):
        return self._compare("__eq__", other)

    def __lt__(self, other):
        return self._compare("__lt__", other)

    def __le__(self, other):
        return self._compare("__le__", other)

    def __gt__(self, other):
        return self._compare("__gt__", other)

    def __ge__(self, other):
        return self._compare("__ge__", other)


__version__ = TorchVersion(_text)
