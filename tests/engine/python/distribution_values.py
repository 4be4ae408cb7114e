"""What torch.distributions gives, under PyTorch or under assay: JSON to the file named."""
import json
import sys
import warnings

import torch
from torch import distributions as D
from torch.distributions import constraints

warnings.simplefilter("ignore")
V, T = torch.tensor, torch.float64


def v(*numbers):
    return torch.tensor(numbers, dtype=T)


def lower(n):
    return torch.eye(n, dtype=T) + 0.3 * torch.ones(n, n, dtype=T).tril(-1)


ODDS, WEIGHTS = v(0.2, 0.5, 0.9), v(0.1, 0.2, 0.7)
MADE = {
    "bernoulli": lambda: D.Bernoulli(ODDS),
    "bernoulli_logits": lambda: D.Bernoulli(logits=v(-2.0, 0.0, 3.0)),
    "bernoulli_number": lambda: D.Bernoulli(0.3),
    "beta": lambda: D.Beta(v(0.5, 2.0, 3.0), v(1.5, 2.0, 0.5)),
    "beta_numbers": lambda: D.Beta(2.0, 3.0),
    "binomial": lambda: D.Binomial(5, ODDS),
    "binomial_many": lambda: D.Binomial(100, ODDS),
    "categorical": lambda: D.Categorical(WEIGHTS * 3),
    "categorical_batch": lambda: D.Categorical(logits=v(0.1, 2.0, -1.0, 0.3, 0.4, 0.5).view(2, 3)),
    "cauchy": lambda: D.Cauchy(v(0.0, 1.0), v(1.0, 2.0)),
    "chi2": lambda: D.Chi2(v(1.0, 3.0)),
    "continuous_bernoulli": lambda: D.ContinuousBernoulli(v(0.2, 0.5, 0.8)),
    "dirichlet": lambda: D.Dirichlet(v(0.5, 2.0, 3.0)),
    "exponential": lambda: D.Exponential(v(0.5, 2.0)),
    "f": lambda: D.FisherSnedecor(v(3.0, 5.0), v(6.0, 3.0)),
    "gamma": lambda: D.Gamma(v(0.5, 2.0, 30.0), v(1.0, 2.0, 3.0)),
    "geometric": lambda: D.Geometric(v(0.2, 0.5)),
    "gumbel": lambda: D.Gumbel(v(0.0, 1.0), v(1.0, 2.0)),
    "half_cauchy": lambda: D.HalfCauchy(v(1.0, 2.0)),
    "half_normal": lambda: D.HalfNormal(v(1.0, 2.0)),
    "independent": lambda: D.Independent(D.Normal(v(0.0, 1.0), v(1.0, 2.0)), 1),
    "kumaraswamy": lambda: D.Kumaraswamy(v(0.5, 2.0), v(1.5, 3.0)),
    "laplace": lambda: D.Laplace(v(0.0, 1.0), v(1.0, 2.0)),
    "lkj": lambda: D.LKJCholesky(3, 1.5),
    "log_normal": lambda: D.LogNormal(v(0.0, 1.0), v(1.0, 0.5)),
    "logistic_normal": lambda: D.LogisticNormal(v(0.0, 1.0), v(1.0, 0.5)),
    "lowrank": lambda: D.LowRankMultivariateNormal(v(0.0, 1.0, 2.0), v(1.0, 0.5, 0.2).view(3, 1), v(1.0, 2.0, 0.5)),
    "mixture": lambda: D.MixtureSameFamily(D.Categorical(WEIGHTS), D.Normal(v(0.0, 1.0, 5.0), v(1.0, 2.0, 0.5))),
    "multinomial": lambda: D.Multinomial(4, WEIGHTS),
    "multivariate": lambda: D.MultivariateNormal(v(0.0, 1.0, 2.0), scale_tril=lower(3)),
    "multivariate_covariance": lambda: D.MultivariateNormal(v(0.0, 1.0), lower(2) @ lower(2).T),
    "multivariate_precision": lambda: D.MultivariateNormal(v(0.0, 1.0), precision_matrix=lower(2) @ lower(2).T),
    "negative_binomial": lambda: D.NegativeBinomial(3, v(0.2, 0.6)),
    "normal": lambda: D.Normal(v(0.0, 1.0, -2.0), v(1.0, 2.0, 0.3)),
    "normal_numbers": lambda: D.Normal(0.0, 1.0),
    "one_hot": lambda: D.OneHotCategorical(WEIGHTS),
    "pareto": lambda: D.Pareto(v(1.0, 0.5), v(3.0, 1.5)),
    "poisson": lambda: D.Poisson(v(0.5, 4.0, 60.0)),
    "relaxed_bernoulli": lambda: D.RelaxedBernoulli(v(0.5), ODDS),
    "relaxed_one_hot": lambda: D.RelaxedOneHotCategorical(v(0.5), WEIGHTS),
    "student": lambda: D.StudentT(v(0.5, 3.0), v(0.0, 1.0), v(1.0, 2.0)),
    "transformed": lambda: D.TransformedDistribution(D.Normal(v(0.0, 1.0), 1.0), [
        D.AffineTransform(1.0, -2.0), D.SigmoidTransform()]),
    "uniform": lambda: D.Uniform(v(0.2, 0.1), v(0.7, 3.0)),
    "von_mises": lambda: D.VonMises(v(0.0, 1.0), v(1.0, 5.0)),
    "weibull": lambda: D.Weibull(v(1.0, 2.0), v(0.5, 3.0)),
    "wishart": lambda: D.Wishart(torch.tensor(5.0, dtype=T), scale_tril=lower(3)),
}
TRANSFORMS = {
    "abs": D.AbsTransform(), "exp": D.ExpTransform(), "affine": D.AffineTransform(1.0, -2.0),
    "power": D.PowerTransform(2.0), "sigmoid": D.SigmoidTransform(), "softplus": D.SoftplusTransform(),
    "tanh": D.TanhTransform(), "softmax": D.SoftmaxTransform(), "sticks": D.StickBreakingTransform(),
    "correlation": D.CorrCholeskyTransform(), "reshape": D.ReshapeTransform((6,), (2, 3)),
    "composed": D.ComposeTransform([D.ExpTransform(), D.AffineTransform(0.5, 3.0)]),
    "independent": D.IndependentTransform(D.ExpTransform(), 1), "inverse": D.ExpTransform().inv,
    "cat": D.CatTransform([D.ExpTransform(), D.TanhTransform()], 0, [2, 4]),
    "stack": D.StackTransform([D.ExpTransform()] * 3 + [D.TanhTransform()] * 3, 0),
    "cumulative": D.CumulativeDistributionTransform(D.Normal(v(0.0), v(1.0))),
}
CONSTRAINTS = {
    "positive": constraints.positive, "unit": constraints.unit_interval, "simplex": constraints.simplex,
    "interval": constraints.interval(-1.0, 3.0), "less": constraints.less_than(2.0),
    "half_open": constraints.half_open_interval(0.0, 4.0), "whole": constraints.nonnegative_integer,
    "count": constraints.positive_integer, "between": constraints.integer_interval(0, 3), "real": constraints.real,
    "vector": constraints.real_vector, "boolean": constraints.boolean, "one_hot": constraints.one_hot,
    "corr": constraints.corr_cholesky, "lower": constraints.lower_cholesky, "triangle": constraints.lower_triangular,
    "definite": constraints.positive_definite, "semidefinite": constraints.positive_semidefinite,
    "symmetric": constraints.symmetric, "square": constraints.square, "multinomial": constraints.multinomial(3),
    "cat": constraints.cat([constraints.positive, constraints.real], 0, [1, 2]),
    "stack": constraints.stack([constraints.positive, constraints.real, constraints.boolean], 0),
}


def plain(value):
    if isinstance(value, torch.Tensor):
        return {"dtype": str(value.dtype), "shape": list(value.shape),
                "values": [str(x) if x != x or abs(x) == float("inf") else x for x in
                           value.detach().double().flatten().tolist()]}
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else repr(value)


def attempt(compute):
    try:
        return plain(compute())
    except Exception as error:
        return f"{type(error).__name__}"


def of_distribution(name):
    made = MADE[name]()
    torch.manual_seed(11)
    found = {"text": repr(made), "shapes": [list(made.batch_shape), list(made.event_shape)],
             "sample": attempt(lambda: made.sample((4,))), "rsample": attempt(lambda: made.rsample((2,)))}
    torch.manual_seed(12)
    value = made.sample((2,))
    for what in ("mean", "mode", "variance", "stddev", "support"):
        found[what] = attempt(lambda: getattr(made, what))
    for what in ("entropy", "perplexity", "enumerate_support"):
        found[what] = attempt(lambda: getattr(made, what)())
    found["log_prob"] = attempt(lambda: made.log_prob(value))
    found["cdf"] = attempt(lambda: made.cdf(value))
    found["icdf"] = attempt(lambda: made.icdf(v(0.25).expand(made.batch_shape + made.event_shape)))
    wide = made.expand((3, 2) + made.batch_shape)
    found["wide"] = [repr(wide), attempt(lambda: wide.log_prob(value[0])), attempt(lambda: wide.mean),
                     attempt(lambda: wide.sample())]
    if name != "multinomial":  # In PyTorch an expanded one has lost what its entropy needs.
        found["wide entropy"] = attempt(lambda: wide.entropy())
    found["wrong"] = [attempt(lambda: made.log_prob(torch.full((7, 5), float("nan")))), attempt(lambda: made.log_prob(3))]
    return found


def of_transform(transform):
    x = torch.linspace(0.1, 1.6, 6, dtype=T)
    found = {"text": repr(transform), "bijective": transform.bijective, "call": attempt(lambda: transform(x)),
             "domain": repr(transform.domain), "codomain": repr(transform.codomain)}
    for what, compute in {"inverse": lambda: transform.inv(transform(x)), "sign": lambda: transform.sign,
                          "jacobian": lambda: transform.log_abs_det_jacobian(x, transform(x)),
                          "shape": lambda: list(transform.forward_shape((2, 6))),
                          "cached": lambda: transform.with_cache(1)(x)}.items():
        found[what] = attempt(compute)
    return found


def of_constraint(constraint):
    vectors = [v(0.2, 0.3, 0.5), v(0.0, 1.0, 0.0), v(-1.0, 2.0, 3.0)]
    values = ([] if constraint.event_dim == 2 else vectors) + [lower(3), lower(3) @ lower(3).T, lower(3) - 1]
    x = torch.linspace(-1.0, 1.5, 3, dtype=T)
    x = x.outer(x) if constraint in (constraints.lower_cholesky, constraints.lower_triangular) else x
    return {"text": repr(constraint), "check": [attempt(lambda: constraint.check(value)) for value in values],
            "discrete": constraint.is_discrete, "event": constraint.event_dim,
            "transform": [attempt(lambda: D.transform_to(constraint)(x)), attempt(lambda: D.biject_to(constraint)(x)),
                          attempt(lambda: repr(D.transform_to(constraint)))]}


def main(path):
    found = {name: of_distribution(name) for name in MADE}
    found.update({f"transform {name}": of_transform(one) for name, one in TRANSFORMS.items()})
    found.update({f"constraint {name}": of_constraint(one) for name, one in CONSTRAINTS.items()})
    made = {name: make() for name, make in MADE.items()}
    found["divergences"] = {f"{p} | {q}": attempt(lambda: D.kl_divergence(made[p], made[q])) for p in made for q in made}
    found["errors"] = [attempt(lambda: D.Normal(0.0, -1.0)), attempt(lambda: D.Bernoulli(2.0)),
                       attempt(lambda: D.Bernoulli(0.1, 0.2)), attempt(lambda: D.Uniform(1.0, 0.0)),
                       attempt(lambda: D.Categorical(V(1.0))), attempt(lambda: D.Normal("x", 1.0))]
    with open(path, "w") as file:
        json.dump(found, file)


main(sys.argv[1])
