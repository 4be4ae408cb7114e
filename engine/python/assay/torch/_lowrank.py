"""Factorizations of low rank by random samples of the range. Halko, Martinsson and Tropp 2009."""

from assay import _engine as _C
from . import _operators as _ops
from .overrides import overridable

__all__ = ["pca_lowrank", "svd_lowrank"]
_qr, _svd = _C.functions["linalg_qr"], _C.functions["linalg_svd"]


def get_approximate_basis(A, q, niter=2):
    """Orthonormal columns that span about what A spans."""
    basis = _qr(A @ _ops.randn(A.shape[-1], q, dtype=A.dtype, device=A.device))[0]
    for _ in range(niter):
        other = _qr(A.mH @ basis)[0]
        basis = _qr(A @ other)[0]
    return basis


@overridable
def svd_lowrank(A, q=6, niter=2, M=None):
    """The greatest q singular values of `A - M`, and their vectors, about."""
    q = 6 if q is None else q
    rows, columns = A.shape[-2:]
    if M is not None:
        A = A - M
    if rows < columns or columns > q:  # Sample the rows: what is then factorized is small.
        basis = get_approximate_basis(A.mH, q, niter)
        U, S, Vh = _svd(A @ basis, full_matrices=False)
        return U, S, basis @ Vh.mH
    basis = get_approximate_basis(A, q, niter)
    U, S, Vh = _svd(basis.mH @ A, full_matrices=False)
    return basis @ U, S, Vh.mH


@overridable
def pca_lowrank(A, q=None, center=True, niter=2):
    """Principal components of the rows of A, about."""
    rows, columns = A.shape[-2:]
    if q is None:
        q = min(6, rows, columns)
    elif not 0 <= q <= min(rows, columns):
        raise ValueError(f"pca_lowrank: q is from 0 to {min(rows, columns)}, not {q}")
    if niter < 0:
        raise ValueError(f"pca_lowrank: niter is 0 or more, not {niter}")
    if not center:
        return svd_lowrank(A, q, niter=niter)
    return svd_lowrank(A - A.mean(dim=-2, keepdim=True), q, niter=niter)
