"""Transforms from all real numbers to what a constraint allows: `biject_to` by bijections, `transform_to` by any."""

import numbers

from . import constraints, transforms

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]


class ConstraintRegistry:
    def __init__(self):
        self._registry = {}
        super().__init__()

    def register(self, constraint, factory=None):
        """Adds what makes a transform of such a constraint; without a factory, a decorator."""
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        if isinstance(constraint, constraints.Constraint):
            constraint = type(constraint)
        if not isinstance(constraint, type) or not issubclass(constraint, constraints.Constraint):
            raise TypeError(f"a constraint or a class of constraints is wanted, not {constraint}")
        self._registry[constraint] = factory
        return factory

    def __call__(self, constraint):
        if type(constraint) not in self._registry:
            raise NotImplementedError(f"no transform leads to a constraint {type(constraint).__name__}")
        return self._registry[type(constraint)](constraint)


biject_to = ConstraintRegistry()
transform_to = ConstraintRegistry()


def _affine_after(first, loc, scale):
    return transforms.ComposeTransform([first, transforms.AffineTransform(loc, scale)])


def _to_interval(constraint):
    low, high = constraint.lower_bound, constraint.upper_bound
    if isinstance(low, numbers.Number) and isinstance(high, numbers.Number) and (low, high) == (0, 1):
        return transforms.SigmoidTransform()
    return _affine_after(transforms.SigmoidTransform(), low, high - low)


def _register(registry):
    """What both have in common."""
    registry.register(constraints.real, lambda _: transforms.identity_transform)
    registry.register(constraints.independent, lambda given: transforms.IndependentTransform(
        registry(given.base_constraint), given.reinterpreted_batch_ndims))
    for greater in (constraints.greater_than, constraints.greater_than_eq):
        registry.register(greater, lambda given: _affine_after(transforms.ExpTransform(),
                                                                given.lower_bound, 1))
    registry.register(constraints.less_than, lambda given: _affine_after(transforms.ExpTransform(), given.upper_bound, -1))
    for interval in (constraints.interval, constraints.half_open_interval):
        registry.register(interval, _to_interval)
    registry.register(constraints.corr_cholesky, lambda _: transforms.CorrCholeskyTransform())
    registry.register(constraints.cat, lambda given: transforms.CatTransform(
        [registry(one) for one in given.cseq], given.dim, given.lengths))
    registry.register(constraints.stack, lambda given: transforms.StackTransform(
        [registry(one) for one in given.cseq], given.dim))


_register(biject_to)
_register(transform_to)
biject_to.register(constraints.simplex, lambda _: transforms.StickBreakingTransform())
transform_to.register(constraints.simplex, lambda _: transforms.SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda _: transforms.LowerCholeskyTransform())
