"""Draws matrices to factorize, equations to solve and signals to transform, for record.py."""
import torch


def spectrum(many):
    """A small array to transform: its points, dimension and scale."""
    def draw(d):
        kind = d.one(["f32", "f64", "c64"])
        x = d.tensor(2, 4, dtype=kind, low=0)
        norm = d.one([None, "ortho", "forward"])
        if many:
            return [x, d.one([None, [2, 3]]), d.one([[0, 1], [-1]]), norm]
        return [x, d.one([None, 3, 5]), d.one([0, -1]), norm]
    return draw


def definite(d):
    """A positive definite matrix, and its factor."""
    x = d.tensor(3, 3, dtype=d.one(["f32", "f64"]), low=0)
    a = x @ x.T + 2 * torch.eye(3, dtype=x.dtype)
    return a, torch.linalg.cholesky(a)


def system(d):
    return [definite(d)[0].float(), d.tensor(3, 2, dtype="f32", low=0)]


def triangle(d):
    return definite(d)[1].float()


def factorized(factor, first=False):
    """The factors of a definite matrix and a right side, which comes first on request."""
    def draw(d):
        a, b = definite(d)[0].float(), d.tensor(3, 2, dtype="f32", low=0)
        factors = list(factor(a))
        return [b, *factors] if first else [*factors, b]
    return draw


def columns(d):
    return d.tensor(3, 2, dtype="f32", low=1)


DEFINITE = ["aten::" + name for name in (
    "det", "slogdet", "logdet", "inverse", "cholesky", "pinverse", "matrix_exp", "linalg_det", "linalg_slogdet",
    "linalg_inv", "linalg_inv_ex", "linalg_lu", "linalg_lu_factor", "linalg_lu_factor_ex", "linalg_eigvalsh",
    "linalg_matrix_exp", "linalg_svdvals", "linalg_cholesky_ex", "linalg_ldl_factor", "linalg_ldl_factor_ex",
    "linalg_pinv.atol_rtol_float", "linalg_matrix_rank.atol_rtol_float", "linalg_cond")]
CALLS = {
    **{name: lambda d: [definite(d)[0]] for name in DEFINITE},
    "aten::linalg_solve": system, "aten::linalg_solve_ex": system,
    "aten::linalg_lu_solve": factorized(torch.linalg.lu_factor),
    "aten::linalg_ldl_solve": factorized(torch.linalg.ldl_factor),
    "aten::lu_solve": factorized(torch.linalg.lu_factor, first=True),
    "aten::cholesky_solve": lambda d: [d.tensor(3, 2, dtype="f32", low=0), triangle(d)],
    "aten::cholesky_inverse": lambda d: [triangle(d)],
    "aten::linalg_solve_triangular": lambda d: [triangle(d), d.tensor(3, 2, dtype="f32", low=0), False, True, d.chance(0.5)],
    "aten::triangular_solve": lambda d: [d.tensor(3, 2, dtype="f32", low=0), triangle(d), False, d.chance(0.5)],
    "aten::linalg_lstsq": lambda d: [d.tensor(3, 2, low=0), d.tensor(3, 2, low=0), d.one([None, 0.25])],
    "aten::linalg_qr": lambda d: [columns(d)], "aten::geqrf": lambda d: [columns(d)],
    "aten::orgqr": lambda d: [*torch.geqrf(columns(d))],
    "aten::qr": lambda d: [columns(d), d.chance(0.5)],
    "aten::_fft_c2c": lambda d: [d.tensor(2, 3, dtype="c64", low=0), [1], d.one([0, 1, 2]), d.chance(0.5)],
    "aten::_fft_r2c": lambda d: [d.tensor(2, 4, dtype="f32", low=0), [1], d.one([0, 1, 2]), d.chance(0.5)],
    "aten::_fft_c2r": lambda d: [d.tensor(2, 3, dtype="c64", low=0), [1], d.one([0, 1, 2]), d.one([4, 5])],
    "aten::stft": lambda d: [d.tensor(2, 9, dtype="f32", low=0), 4, d.one([None, 2]), None, d.one([None, d.tensor(4, dtype="f32", low=1)]),
                             d.chance(0.5), d.one([None, True, False]), True],
    "aten::stft.center": lambda d: [d.tensor(2, 9, dtype="f32", low=0), 4, d.one([None, 2]), None, None, d.chance(0.5),
                                    d.one(["reflect", "constant"]), d.chance(0.5), d.one([None, False]), True],
    "aten::istft": lambda d: [d.tensor(3, 5, dtype="c64", low=0), 4, 1, None, None, d.chance(0.5), d.chance(0.5)],
}
for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    CALLS["aten::fft_" + name] = spectrum(False)
    CALLS["aten::fft_" + name + "2"] = CALLS["aten::fft_" + name + "n"] = spectrum(True)
