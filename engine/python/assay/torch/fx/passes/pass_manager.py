"""Functions that change modules, one after another: the earlier interface, without results of their own."""

import functools
import inspect
import logging

from .infra.pass_manager import _validate_pass_schedule_constraint

logger = logging.getLogger(__name__)


def inplace_wrapper(fn):
    """The function, which gives back what it was given."""

    @functools.wraps(fn)
    def run(gm):
        fn(gm)
        return gm

    return run


def log_hook(fn, level=logging.INFO):
    """The function, whose results are logged."""

    @functools.wraps(fn)
    def run(gm):
        result = fn(gm)
        logger.log(level, "pass %s gave %s", fn, result)
        return result

    return run


def loop_pass(base_pass, n_iter=None, predicate=None):
    """The pass `n_iter` times, or while `predicate` says yes of the module."""
    if (n_iter is None) == (predicate is None):
        raise AssertionError("one of n_iter and predicate says how often the pass runs")

    @functools.wraps(base_pass)
    def run(source):
        if predicate is None:
            if n_iter < 1:
                raise RuntimeError("a pass cannot run %d times" % n_iter)
            for _ in range(n_iter):
                source = base_pass(source)
        else:
            while predicate(source):
                source = base_pass(source)
        return source

    return run


def this_before_that_pass_constraint(this, that):
    return lambda a, b: not (a == that and b == this)


def these_before_those_pass_constraint(these, those):
    """As this_before_that, of passes that loop_pass and the like have wrapped."""
    return lambda a, b: not (inspect.unwrap(a) == those and inspect.unwrap(b) == these)


class PassManager:
    """Runs passes in their order, once the constraints allow it."""

    def __init__(self, passes=None, constraints=None):
        self.passes, self.constraints, self._validated = list(passes or ()), list(constraints or ()), False

    @classmethod
    def build_from_passlist(cls, passes):
        return cls(passes)

    def add_pass(self, _pass):
        self.passes.append(_pass)
        self._validated = False

    def add_constraint(self, constraint):
        self.constraints.append(constraint)
        self._validated = False

    def remove_pass(self, _passes):
        """Takes away the passes of these names."""
        self.passes = [one for one in self.passes if one.__name__ not in (_passes or ())]
        self._validated = False

    def validate(self):
        if not self._validated:
            for constraint in self.constraints:
                _validate_pass_schedule_constraint(constraint, self.passes)
            self._validated = True

    def __call__(self, source):
        self.validate()
        for one in self.passes:
            source = one(source)
        return source
