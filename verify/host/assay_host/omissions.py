"""Calls of the model with some of its lines undone: a check that raises there does not, memory that is
handed out there is a copy's, which the model writes to in vain, the question whether a trace is being made
is answered as in one, or what is assigned to a module's attribute is gone after the call. Where the model then gives what its export gives, nothing but that line is what the
export lacks."""

import ast
import collections
import gc
import sys
import types

import torch

from assay_host.escapes import ASKING, ASSIGNING, HANDED_OUT, HANDED_OUT_AT, asked_by_user, user_place
from assay_host.exchanges import Exchanges

GIVING_MEMORY = HANDED_OUT + ["numpy", "__array__"]


class WithoutChecks(ast.NodeTransformer):
    """Takes the innermost checks and calls that span certain lines out of a file's text."""

    def __init__(self, lines):
        self._lines = lines

    def visit(self, node):
        node = self.generic_visit(node)
        first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", getattr(node, "lineno", 0))
        can_go = isinstance(node, (ast.Raise, ast.Assert, ast.Expr))
        spans = any(first <= line <= last for line in self._lines)
        return ast.copy_location(ast.Pass(), node) if can_go and spans else node


def codes_within(code):
    """The code of a file, and all that is defined in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes_within(constant)


def key_of(code):
    return code.co_name, code.co_firstlineno, code.co_freevars


def without_checks(file, lines):
    """{key of a function's code: the code without what stands on the lines}, but for lambdas that share a
    line, which no key tells apart."""
    with open(file, "rb") as source:
        text = source.read()
    changed = WithoutChecks(lines).visit(ast.parse(text, file))
    codes = list(codes_within(compile(changed, file, "exec", dont_inherit=True)))
    count = collections.Counter(map(key_of, codes))
    return dict((key_of(code), code) for code in codes if count[key_of(code)] == 1)


def registries(module):
    """Where a module keeps what its attributes are."""
    return [module.__dict__, module._parameters, module._buffers, module._modules]


class Omissions:
    """`omitted`: [kind, file, line]. A `check` is not made; what a `write` goes to is a copy; a `question` is
    answered as in a trace; `state` that is assigned lasts for this call only."""

    def __init__(self, omitted=()):
        checks = collections.defaultdict(list)
        for kind, file, line in omitted:
            if kind == "check":
                checks[file].append(line)
        # Made before anything is replaced: a file may be gone, or be no Python any more.
        self._changed = dict((file, without_checks(file, lines)) for file, lines in checks.items())
        self._writes, self._questions, self._states = (
            set((file, line) for kind, file, line in omitted if kind == wanted)
            for wanted in ("write", "question", "state"))
        self._exchanges = Exchanges()
        self._codes, self._kept, self._before, self._data_before = [], [], {}, {}

    def __enter__(self):
        if self._changed:
            self._leave_checks_out()
        for name in GIVING_MEMORY if self._writes else []:
            if hasattr(torch.Tensor, name):
                self._exchanges.put(torch.Tensor, name, self._copying(getattr(torch.Tensor, name)))
        for name in HANDED_OUT_AT if self._writes or self._states else []:
            base = getattr(torch.Tensor, name)
            self._exchanges.put(torch.Tensor, name, property(
                self._copying(base.__get__), self._assigning_data(base)))  # fmt: skip
        for name in ASKING if self._questions else []:
            if hasattr(torch._C, name):
                self._exchanges.put(torch._C, name, self._answering(getattr(torch._C, name)))
        for name in ASSIGNING if self._states else []:
            self._exchanges.put(torch.nn.Module, name, self._assigning(getattr(torch.nn.Module, name)))
        return self

    def __exit__(self, *exception):
        for tensor, data, base in self._data_before.values():
            base.__set__(tensor, data)
        for module, name, places in self._before.values():
            for place in registries(module):
                place.pop(name, None)
            for place, value in places:
                place[name] = value
        for function, code in self._codes:
            function.__code__ = code
        self._exchanges.put_back()

    @staticmethod
    def _is_among(lines):
        place = user_place()
        return place is not None and (place["file"], place["line"]) in lines

    def _copying(self, method):
        def handed_out(tensor, *args, **kwargs):
            if self._is_among(self._writes):
                tensor = tensor.clone()
                self._kept.append(tensor)  # Who has its address alone does not keep it.
            return method(tensor, *args, **kwargs)

        return handed_out

    def _answering(self, function):
        def asked(*args):
            answers = asked_by_user(sys._getframe(1)) and self._is_among(self._questions)
            return True if answers else function(*args)

        return asked

    def _assigning(self, original):
        def assign(module, name, *args, **kwargs):
            if (id(module), name) not in self._before and self._is_among(self._states):
                places = [(place, place[name]) for place in registries(module) if name in place]
                self._before[id(module), name] = module, name, places
            return original(module, name, *args, **kwargs)

        return assign

    def _assigning_data(self, base):
        def assign(tensor, data):
            if id(tensor) not in self._data_before and self._is_among(self._states):
                self._data_before[id(tensor)] = tensor, base.__get__(tensor), base
            base.__set__(tensor, data)

        return assign

    def _leave_checks_out(self):
        for function in gc.get_objects():
            if isinstance(function, types.FunctionType):
                own = function.__code__
                code = self._changed.get(own.co_filename, {}).get(key_of(own))
                if code is not None:
                    self._codes.append((function, own))
                    function.__code__ = code
