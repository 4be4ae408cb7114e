"""Passes that run one after another, in an order that constraints ask for."""

import functools
import inspect

from ..._compatibility import compatibility
from ...graph_module import GraphModule
from .pass_base import PassResult

__all__ = ["inplace_wrapper", "pass_result_wrapper", "this_before_that_pass_constraint", "PassManager"]


@compatibility(is_backward_compatible=False)
def inplace_wrapper(fn):
    """A pass of a function that changes the module, and may give nothing back."""
    if fn is None:
        return None

    @functools.wraps(fn)
    def run(gm):
        return fn(gm) or PassResult(gm, True)

    return run


@compatibility(is_backward_compatible=False)
def pass_result_wrapper(fn):
    """A pass of a function from module to module."""
    if fn is None:
        return None

    @functools.wraps(fn)
    def run(gm):
        return PassResult(fn(gm), True)

    return run


@compatibility(is_backward_compatible=False)
def this_before_that_pass_constraint(this, that):
    """A constraint, that is a function of two passes that says whether the first may run before the
    second: `this` runs before `that`."""
    return lambda a, b: not (a == that and b == this)


def _validate_pass_schedule_constraint(constraint, passes):
    for i, a in enumerate(passes):
        for j, b in enumerate(passes[i + 1 :], i + 1):
            if not constraint(a, b):
                raise RuntimeError("pass %d, %s, runs before pass %d, %s, which a constraint forbids" % (i, a, j, b))


def _topological_sort_passes(passes, constraints):
    """The passes in an order that all constraints allow; those that may run first, first."""
    if not constraints:
        return passes
    waits_for = {a: [b for b in passes for allows in constraints if b != a and not allows(a, b)] for a in passes}
    order = [a for a in passes if not waits_for[a]]
    for done in order:
        for a in passes:
            if done in waits_for[a]:
                waits_for[a] = [b for b in waits_for[a] if b != done]
                if not waits_for[a]:
                    order.append(a)
    stuck = [a for a in passes if waits_for[a]]
    if stuck:
        raise RuntimeError("Circular dependency detected within the following passes: %s" % stuck)
    return order


@compatibility(is_backward_compatible=False)
class PassManager:
    """Runs passes over a module, up to `steps` times or until none changes anything. With
    `run_checks_after_each_pass` the function given to add_checks looks at the module after each pass."""

    passes, constraints, steps, _validated = [], [], 1, False

    def __init__(self, passes=None, constraints=None, steps=None, run_checks_after_each_pass=False,
                 suppress_check_failures=False, debug=False):  # fmt: skip
        self.passes, self.constraints, self.steps = list(passes or ()), list(constraints or ()), steps or 1
        self.run_checks_after_each_pass = run_checks_after_each_pass
        self.suppress_check_failures, self.debug = suppress_check_failures, debug

    def add_pass(self, _pass):
        self.passes.append(_pass)
        self._validated = False

    def add_constraint(self, constraint):
        self.constraints.append(constraint)
        self._validated = False

    def validate_constraints(self):
        """RuntimeError unless the constraints allow the passes' order."""
        if not self._validated:
            for constraint in self.constraints:
                _validate_pass_schedule_constraint(constraint, self.passes)
            self._validated = True

    def solve_constraints(self):
        """Brings the passes into an order that the constraints allow."""
        self.passes = _topological_sort_passes(self.passes, self.constraints)
        self._validated = True

    def add_checks(self, check):
        """A function of the module, which raises where it finds something wrong."""
        if len(inspect.signature(check).parameters) != 1:
            raise TypeError("a check takes one argument, the module")
        self.check = check

    def check(self, module):
        pass

    def __call__(self, module):
        if not self._validated:
            self.solve_constraints()
        self.check(module)
        changed = False
        for _ in range(self.steps):
            module, modified = self._run_once(module)
            changed = changed or modified
            if not modified:
                break
        return PassResult(module, changed)

    def _run_once(self, module):
        changed = False
        for i, fn in enumerate(self.passes):
            if self.debug:
                print("Running pass '%s'" % fn.__name__)
            try:
                result = fn(module)
            except Exception as error:
                before = [done.__name__ for done in self.passes[:i]]
                raise type(error)("the pass '%s' failed, after these: %s" % (fn.__name__, before)) from error
            module, changed = result.graph_module, changed or result.modified
            if isinstance(module, GraphModule):
                module.recompile()
            if self.run_checks_after_each_pass:
                self.check(module)
        return module, changed
