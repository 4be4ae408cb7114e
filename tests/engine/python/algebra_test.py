"""torch.linalg, torch.fft and the statistics beside them, held to PyTorch; archives of them, loaded there."""

import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(sys.argv[1]).resolve()))

from assay import torch  # noqa: E402

try:
    import torch as reference
    if not reference.__version__.startswith("1.13"):
        reference = None
except ImportError:
    reference = None

# What a factorization is made of may differ by signs and bases, depending on PyTorch's LAPACK: what it makes
# together may not.
LINALG = """
torch.linalg.norm(x)
torch.linalg.norm(x, 'nuc')
torch.linalg.norm(x, 2, dim=(0, 1), keepdim=True)
torch.linalg.vector_norm(x, 3, dim=1)
torch.linalg.matrix_norm(x, -2)
torch.linalg.det(x)
torch.linalg.slogdet(x)
torch.linalg.cond(x)
torch.linalg.cond(x, 1)
torch.linalg.matrix_rank(x)
torch.linalg.matrix_rank(low, tol=0.5)
torch.linalg.matrix_rank(low, atol=0.5, hermitian=True)
torch.linalg.cholesky(sure)
torch.linalg.cholesky(sure, upper=True)
torch.linalg.cholesky_ex(sure)
torch.linalg.eigvalsh(sure)
torch.linalg.eigvals(x).abs().sort()[0]
torch.linalg.svdvals(wide)
together(torch.linalg.svd(wide, full_matrices=False))
together(torch.svd(wide))
spread(torch.linalg.eigh(sure))
spread(torch.linalg.eigh(sure, UPLO='U'))
matmul(torch.linalg.qr(tall))
matmul(torch.linalg.qr(tall, mode='complete'))
matmul(torch.qr(tall))
matmul(torch.linalg.lu(x))
torch.lu_unpack(*torch.linalg.lu_factor(x))
torch.linalg.lu_solve(*torch.linalg.lu_factor(x), tall3)
torch.lu_solve(tall3, *torch.lu(x))
x.lu(get_infos=True)
torch.linalg.ldl_solve(*torch.linalg.ldl_factor(sure), tall3)
torch.linalg.solve(x, tall3)
torch.linalg.solve(x, tall3.mT, left=False)
torch.linalg.solve_ex(x, tall3)
torch.linalg.solve_triangular(torch.triu(sure), tall3, upper=True)
torch.linalg.inv(x)
torch.linalg.inv_ex(x)
torch.linalg.pinv(wide)
torch.linalg.pinv(low, rcond=0.1)
torch.linalg.lstsq(tall, wide.mT).solution
torch.linalg.lstsq(tall, torch.ones(4, 2, dtype=torch.float64), driver='gelsd').solution
torch.linalg.matrix_exp(x)
torch.linalg.matrix_power(x, 3)
torch.linalg.matrix_power(x, -2)
torch.linalg.multi_dot([wide, tall, wide])
torch.linalg.cross(x, x.mT.contiguous())
torch.linalg.diagonal(x)
torch.linalg.vecdot(x, sure)
torch.linalg.vander(torch.tensor([1., 2., 3.]), N=4)
torch.linalg.tensorinv(torch.eye(6).reshape(2, 3, 6) * 2, ind=2)
torch.linalg.tensorsolve(torch.eye(6).reshape(2, 3, 6) * 2, torch.ones(2, 3))
torch.linalg.householder_product(*torch.geqrf(tall))
torch.cholesky_inverse(torch.linalg.cholesky(sure))
torch.cholesky_solve(tall3, torch.linalg.cholesky(sure))
torch.logdet(sure)
torch.pinverse(wide)
x.det() + x.inverse().sum() + x.logdet()
seeded(torch.svd_lowrank, low, 1)[1]
seeded(torch.pca_lowrank, wide, 2)[1]
together_lowrank(seeded(torch.svd_lowrank, wide, 2))
"""
FOURIER = """
torch.fft.fft(signal)
torch.fft.ifft(signal, n=5, dim=0, norm='ortho')
torch.fft.rfft(signal)
torch.fft.irfft(torch.fft.rfft(signal), n=8)
torch.fft.hfft(torch.fft.rfft(signal), n=8)
torch.fft.ihfft(signal)
torch.fft.fft2(signal)
torch.fft.ifft2(signal, s=(2, 4))
torch.fft.rfft2(signal)
torch.fft.irfft2(torch.fft.rfft2(signal), s=signal.shape)
torch.fft.fftn(signal, dim=(0, 1))
torch.fft.ifftn(signal)
torch.fft.rfftn(signal, norm='forward')
torch.fft.irfftn(torch.fft.rfftn(signal), s=signal.shape)
torch.fft.hfft2(torch.fft.rfft2(signal))
torch.fft.ihfft2(signal)
torch.fft.hfftn(torch.fft.rfftn(signal))
torch.fft.ihfftn(signal)
torch.fft.fftfreq(5, d=0.5)
torch.fft.rfftfreq(6)
torch.fft.fftshift(signal)
torch.fft.ifftshift(signal, dim=1)
torch.stft(signal, 4, window=torch.hann_window(4), return_complex=True)
torch.istft(torch.stft(signal, 4, window=torch.hann_window(4), return_complex=True), 4, window=torch.hann_window(4))
signal.stft(4, 2, normalized=True, return_complex=True)
"""
STATISTICS = """
torch.histogram(signal, 4)
torch.histogram(signal, torch.tensor([-1., 0., 0.5, 2.]), density=True)
torch.histogram(signal, 3, range=(-1., 1.), weight=torch.ones_like(signal))
torch.histogramdd(signal[:, :2], [2, 3])
torch.histogramdd(signal[:, :2], bins=3, density=True)
torch.histogramdd(signal[:, :2], [torch.tensor([-1., 0., 1.]), torch.tensor([-2., 2.])])
torch.gradient(signal)
torch.gradient(signal, spacing=0.5, dim=1, edge_order=2)
torch.gradient(signal, spacing=[0.5, 2.], dim=[0, 1])
torch.gradient(signal, spacing=(torch.tensor([0., 1., 4.]),), dim=0)
torch.nn.functional.ctc_loss(scores, texts, [4, 4], [2, 1])
torch.nn.CTCLoss(zero_infinity=True)(scores, texts, torch.tensor([4, 1]), torch.tensor([2, 2]))
torch.nn.functional.ctc_loss(scores[:, 0], texts[0], torch.tensor(4), torch.tensor(2), reduction='none')
seeded(torch.poisson, sure * 9)
seeded(torch.binomial, sure.round() * 9, (sure / 20).clamp(0, 1))
seeded(torch._standard_gamma, sure)
seeded(torch._sample_dirichlet, sure)
torch.norm_except_dim(x, 2, 1)
torch.special.polygamma(1, sure)
torch.special.round(x, decimals=1)
"""


def names_of(face):
    """The values that the expressions name, of one of the two."""
    double = face.float64
    x = face.tensor([[2., 1., 0.5], [0.25, 3., 1.], [1., 0.5, 2.5]], dtype=double)
    wide = face.tensor([[1., 2., 0.5, 3.], [0.5, 1., 4., 1.]], dtype=double)

    def seeded(draw, *args):
        face.manual_seed(7)
        return draw(*args)

    return {
        "torch": face, "x": x, "sure": x @ x.mT, "wide": wide, "tall": wide.mT.contiguous(),
        "low": face.ones(4, 4, dtype=double) + face.eye(4, dtype=double) * 0.25,
        "tall3": face.tensor([[1., 2.], [0.5, 4.], [3., 1.]], dtype=double),
        "signal": face.sin(face.arange(24.) * 0.7).reshape(3, 8),
        "scores": face.arange(24.).reshape(4, 2, 3).sin().log_softmax(2), "texts": face.tensor([[1, 2], [2, 2]]),
        "together": lambda f: (f[0] * f[1].unsqueeze(-2)) @ (f[2] if f[2].shape[0] == f[1].shape[0] else f[2].mT),
        "together_lowrank": lambda f: f[0] * f[1] @ f[2].mT,
        "spread": lambda f: f[1] * f[0] @ f[1].mT,
        "matmul": lambda f: f[0] @ f[1] if len(f) == 2 else f[0] @ f[1] @ f[2],
        "seeded": seeded,
    }


def plain(value):
    """Tensors as their types, sizes and numbers, so that both can be compared."""
    if hasattr(value, "tolist"):
        return (str(value.dtype), tuple(value.shape), flat(value.tolist()))
    return [plain(v) for v in value] if isinstance(value, (list, tuple)) else value


def flat(numbers):
    return [v for part in numbers for v in flat(part)] if isinstance(numbers, list) else [numbers]


@unittest.skipIf(reference is None, "there is no PyTorch 1.13")
class BesidePyTorch(unittest.TestCase):
    def near(self, own, theirs):
        self.assertEqual(type(own), type(theirs))
        if isinstance(own, list):
            self.assertEqual(len(own), len(theirs))
            for a, b in zip(own, theirs):
                self.near(a, b)
        elif isinstance(own, tuple):
            self.assertEqual(own[:2], theirs[:2])
            least = 1e-9 if own[0].endswith(("64", "128")) and "complex64" not in own[0] else 4e-6
            for a, b in zip(own[2], theirs[2]):
                if a == a or b == b:  # Not both NaN.
                    self.assertLessEqual(abs(a - b), least * max(1, abs(b)))
        else:
            self.assertEqual(own, theirs)

    def hold(self, expressions):
        own, theirs = names_of(torch), names_of(reference)
        for expression in expressions.split("\n"):
            with self.subTest(expression):
                if expression:
                    self.near(plain(eval(expression, own)), plain(eval(expression, theirs)))

    def test_linear_algebra(self):
        self.hold(LINALG)

    def test_fourier_transforms(self):
        self.hold(FOURIER)

    def test_statistics(self):
        self.hold(STATISTICS)

    def test_the_modules_have_pytorchs_names(self):
        for module in ("linalg", "fft", "special"):
            theirs = getattr(reference, module)
            public = [n for n in dir(theirs) if not n.startswith("_") and callable(getattr(theirs, n)) and n != "Tensor"]
            lacking = [n for n in public if not hasattr(getattr(torch, module), n)]
            self.assertEqual(lacking, [], module)

    def test_named_results(self):
        for call in ("linalg.svd(x)", "linalg.eigh(sure)", "linalg.qr(x)", "linalg.slogdet(x)", "linalg.lstsq(x, x)",
                     "linalg.lu_factor(x)", "linalg.inv_ex(x)", "histogram(x, 2)", "slogdet(x)", "geqrf(x)"):
            own, theirs = (eval("torch." + call, names_of(face)) for face in (torch, reference))
            fields = [name for name in dir(theirs) if not name.startswith("_") and not hasattr(tuple, name)]
            for name in fields:
                if name.startswith("n_") or name in ("count", "index"):
                    continue
                self.assertTrue(hasattr(own, name), (call, name))

    def test_failures_are_linear_algebra_errors(self):
        for face in (torch, reference):
            broken = face.zeros(2, 2)
            for call in (face.linalg.inv, face.linalg.cholesky, lambda m: face.linalg.solve(m, m)):
                with self.assertRaises(face.linalg.LinAlgError):
                    call(broken)
            self.assertTrue(issubclass(face.linalg.LinAlgError, RuntimeError))

    def test_pytorch_runs_archives_of_them(self):
        scripted = '''
def solved(a, b):
    q, r = torch.linalg.qr(a)
    u, s, v = torch.linalg.svd(a, full_matrices=False)
    return torch.linalg.solve(a, b) + q @ r + (u * s.unsqueeze(-2)) @ v + torch.linalg.det(a)

def turned(a, b):
    spectrum = torch.fft.rfft(a, dim=-1, norm="ortho") * torch.fft.fftshift(torch.fft.rfft(b))
    return torch.fft.irfft(spectrum, n=a.size(-1)) + torch.fft.fftfreq(a.size(-1))

def counted(a, b):
    counts, edges = torch.histogram(a.flatten(), 4, range=[0., 4.])
    return counts[:3] + torch.gradient(a, dim=[0])[0] + edges[1] + torch.norm_except_dim(b)
'''
        a, b = [[2., 1., 0.5], [0.25, 3., 1.], [1., 0.5, 2.5]], [[1., 2., 0.], [0.5, 4., 1.], [3., 1., 2.]]
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "functions.py"
            source.write_text(scripted)
            for name in ("solved", "turned", "counted"):
                space = {"torch": torch, "__name__": "functions", "__file__": str(source)}
                exec(compile(source.read_text(), str(source), "exec"), space)
                inputs = torch.tensor(a), torch.tensor(b)
                given = reference.tensor(a), reference.tensor(b)
                for compile_ in (torch.jit.script, lambda f: torch.jit.trace(f, inputs, check_trace=False)):
                    archive = io.BytesIO()
                    made = compile_(space[name])
                    torch.jit.save(made, archive)
                    archive.seek(0)
                    loaded = reference.jit.load(archive)
                    self.near(plain(made(*inputs)), plain(loaded(*given)))


if __name__ == "__main__":
    program = unittest.main(argv=sys.argv[:1], exit=False)
    if reference is None:
        sys.exit(77)
    sys.exit(not program.result.wasSuccessful())
