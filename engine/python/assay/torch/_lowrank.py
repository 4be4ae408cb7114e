"""Factorizations of low rank from random samples (Halko, Martinsson and Tropp, 2009, algorithms 4.4 and 5.1)."""

from . import overrides, torch

__all__ = ["pca_lowrank", "svd_lowrank"]


def _basis(A, q, niter, M):
    """An orthonormal basis of what a random sample of A - M spans, after a few power iterations."""
    def times(matrix, less, x):
        return torch.matmul(matrix, x) if less is None else torch.matmul(matrix, x) - torch.matmul(less, x)
    dtype = A.dtype if A.is_floating_point() or A.is_complex() else torch.get_default_dtype()
    A_H, M_H = A.mH, None if M is None else M.mH
    Q = torch.linalg.qr(times(A, M, torch.randn(A.shape[-1], q, dtype=dtype, device=A.device))).Q
    for _ in range(niter):
        Q = torch.linalg.qr(times(A_H, M_H, Q)).Q
        Q = torch.linalg.qr(times(A, M, Q)).Q
    return Q


@overrides.overridable
def svd_lowrank(A, q=6, niter=2, M=None):
    """(U, S, V) of rank q with U diag(S) V^H near A - M."""
    q = 6 if q is None else q
    m, n = A.shape[-2:]
    M = None if M is None else M.broadcast_to(A.size())
    turned = m < n or n > q  # The smaller of the two sides is sampled.
    left, less = (A, M) if turned else (A.mT, None if M is None else M.mT)
    Q = _basis(left.mT, q, niter, None if less is None else less.mT)
    B = torch.matmul(left, Q.conj())
    if less is not None:
        B = B - torch.matmul(less, Q.conj())
    U, S, Vh = torch.linalg.svd(B if turned else B.mT, full_matrices=False)
    V = Vh.mH
    return (U, S, torch.matmul(Q, V)) if turned else (torch.matmul(Q, U), S, V)


@overrides.overridable
def pca_lowrank(A, q=None, center=True, niter=2):
    """svd_lowrank of the rows less their mean."""
    m, n = A.shape[-2:]
    q = min(6, m, n) if q is None else q
    if not 0 <= q <= min(m, n):
        raise ValueError(f"q is a rank from 0 to {min(m, n)}, not {q}")
    if niter < 0:
        raise ValueError(f"niter counts iterations: {niter} is negative")
    return svd_lowrank(A - A.mean(dim=(-2,), keepdim=True) if center else A, q, niter=niter)
