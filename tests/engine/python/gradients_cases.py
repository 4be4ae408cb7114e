"""Which tensors ask for gradients, after calls of all kinds. Prints a line for each expression; run once with
PyTorch's torch and once with assay's by gradients_test.py."""
import copy
import warnings

import torch
import torch.utils.checkpoint

F, nn = torch.nn.functional, torch.nn
torch.manual_seed(0)
p = nn.Parameter(torch.rand(3, 4) + 0.1)
x = torch.rand(3, 4)
i = torch.tensor([0, 2])
lin = nn.Linear(4, 4)


class Sq(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.mark_non_differentiable(b)
        return a * a, b


class Scr(nn.Module):
    """A part of it does not learn, and a tensor is written to by parts."""

    def __init__(self):
        super().__init__()
        self.l, self.bn = nn.Linear(4, 2), nn.BatchNorm1d(4)

    def forward(self, a):
        with torch.no_grad():
            t = self.l(a)
        y = self.bn(a)
        z = torch.zeros(2, 4)
        z[0] = y[0]
        return t, self.l(a), z, y.detach()


class Late(nn.Module):
    """Learns by a tensor that is no parameter."""

    def __init__(self):
        super().__init__()
        self.scale = torch.ones(4, requires_grad=True)

    @torch.no_grad()
    def target(self, a):
        return a * self.scale

    def forward(self, a):
        return a * self.scale, self.target(a), a


@torch.no_grad()
def dec(a):
    return a * 2


@torch.jit.script
def scr(a, b: float):
    c = a * b
    return c, c.detach(), c.int(), c[0], [c, a.view(-1)]


def inplace(f):
    t = torch.rand(3, 4)
    f(t)
    return t


def view_inplace():
    t = torch.zeros(3, 4)
    q = t[0:2]
    q.mul_(p[0])
    return t, q


def base_inplace():
    t = torch.zeros(3, 4)
    q = t[0:2]
    t.add_(p)
    return t, q


def det_inplace():
    t = torch.zeros(3, 4)
    q = t.detach()
    t.add_(p)
    return t, q


def broadcast():
    return torch.broadcast_tensors(p[0], x, p)


def nog(f):
    with torch.no_grad():
        return f()


def inf(f):
    with torch.inference_mode():
        return f()


def en():
    with torch.no_grad(), torch.enable_grad():
        return p * 2


def sg():
    with torch.set_grad_enabled(False):
        a = p * 2
    with torch.set_grad_enabled(True):
        return a, p * 2


def deep(f):
    return copy.deepcopy(f())


CASES = """
p*2 | p+x | x*2 | -p | p@x.t() | lin(x) | lin(x).detach() | lin(x).data | p[0] | p[:,1:2] | p[i] | p[p>0.5]
p.view(-1) | p.t() | p.T | p.reshape(12) | p.contiguous() | p.to(torch.float64) | p.to(torch.int64) | p.long()
p.float() | p.double() | p>0.5 | p.argmax(1) | p.max(1) | p.max() | p.sort(1) | p.topk(2) | p.sum() | p.mean(0)
p.std() | p.var(0) | p.floor() | p.round() | p.sign() | p.ceil() | p.clamp(0,1) | torch.zeros_like(p)
torch.ones_like(p) | torch.rand_like(p) | torch.empty_like(p) | torch.full_like(p,2.) | p.new_zeros(2)
p.new_tensor([1.]) | torch.tensor(p.tolist()) | torch.cat([x,p]) | torch.stack([x,p]) | torch.where(x>0,p,x)
torch.where(p>0,x,x) | x.masked_fill(p>0,1.) | x.type_as(p) | x.view_as(p) | x.expand_as(p) | p.type_as(x)
p.double().type_as(x) | x.to(p) | torch.broadcast_tensors(p,x) | torch.broadcast_tensors(x,p)
torch.meshgrid(p[0],x[0]) | torch.atleast_2d(p,x) | torch.einsum('ij,kj->ik',p,x) | F.relu(p) | F.relu(x)
F.softmax(p,1) | F.dropout(p,0.5) | F.layer_norm(p,(4,)) | F.embedding(i,p) | F.one_hot(i)
F.cross_entropy(p,torch.tensor([0,1,2])) | F.mse_loss(x,p) | F.conv1d(x[None],p.view(3,4,1)[:, :3])
F.max_pool1d(p[None],2) | F.max_pool1d(p[None],2,return_indices=True) | F.interpolate(p[None],8) | F.pad(p,(1,1))
F.normalize(p) | F.gelu(p) | F.batch_norm(x,torch.zeros(4),torch.ones(4))
F.batch_norm(p,torch.zeros(4),torch.ones(4)) | torch.bernoulli(p.clamp(0,1)) | torch.normal(p,1.)
torch.multinomial(p.clamp(0,1),2) | torch.histc(p) | torch.unique(p) | p.unique(dim=0) | torch.linalg.svd(p)
torch.linalg.qr(p) | torch.linalg.lu(p[:, :3]) | torch.linalg.inv(p[:,:3]) | torch.linalg.det(p[:,:3])
torch.linalg.slogdet(p[:,:3]) | torch.linalg.lstsq(p,x[:, :1]) | torch.linalg.norm(p) | torch.norm(p)
p.norm(dim=1) | torch.cdist(p,x) | torch.cumsum(p,0) | torch.cummax(p,0) | torch.kthvalue(p,1) | p.median()
p.median(1) | p.mode(1) | torch.quantile(p,0.5) | torch.isnan(p) | torch.isclose(p,x) | torch.nan_to_num(p)
torch.frexp(p) | torch.nextafter(x,x) | p.flip(0) | p.roll(1) | p.repeat(2,1) | p.expand(2,3,4) | p.unsqueeze(0)
p.squeeze() | p.transpose(0,1) | p.permute(1,0) | p.chunk(2,1) | p.split(2) | p.unbind(0) | p.unfold(1,2,1)
p.diagonal() | p.diag() | p.tril() | p.gather(1,torch.zeros(3,1).long())
x.scatter(1,torch.zeros(3,1).long(),p[:,:1]) | x.index_select(0,i) | p.index_select(0,i) | x.index_add(0,i,p[:2])
torch.addmm(x[:,:3],p,x.t()) | torch.complex(p,x) | torch.view_as_real(torch.complex(p,x)) | torch.fft.fft(p)
torch.fft.fft(p).real | torch.fft.fft(x) | torch.outer(p[0],x[0]) | torch.bmm(p[None],x.t()[None])
torch.lerp(x,x,p) | torch.floor_divide(p,2) | p//2 | p%2 | p**2 | 2**p | 2/p | 1-p | p.abs() | torch.atan2(p,x)
torch.heaviside(x,x) | torch.polar(p,x) | p.clone() | torch.clone(x) | torch.as_tensor(p)
torch.nn.utils.rnn.pad_sequence([p[0],x[1]]) | nn.LSTM(4,3)(x) | nn.GRUCell(4,3)(x)
nn.MultiheadAttention(4,2)(x,x,x) | nn.BatchNorm1d(4)(x) | nn.Embedding(3,2)(i)
torch.nn.TransformerEncoderLayer(4,2,8,batch_first=True).eval()(x[None]) | inplace(lambda t: t.add_(p))
inplace(lambda t: t.mul_(2)) | inplace(lambda t: t.copy_(p)) | inplace(lambda t: t.__setitem__(0,p[0]))
inplace(lambda t: t.__setitem__((slice(None),1),p[:,1])) | inplace(lambda t: t.__setitem__(i,p[:2]))
inplace(lambda t: t[0].add_(p[0])) | inplace(lambda t: t.view(-1)[:4].copy_(p[0]))
inplace(lambda t: t.requires_grad_()) | inplace(lambda t: t.fill_(p[0,0]))
inplace(lambda t: t.masked_fill_(t>0,p[0,0])) | inplace(lambda t: t.detach_())
inplace(lambda t: t.scatter_(1,torch.zeros(3,1).long(),p[:,:1])) | inplace(lambda t: t.index_put_((i,),p[:2]))
(lambda t: t.detach_())(p*2) | (lambda t: t.zero_())(p*2) | (lambda t: t.uniform_())(p*2) | view_inplace()
base_inplace() | det_inplace() | nog(lambda: p*2) | nog(lambda: p.view(-1)) | nog(lambda: p[0]) | nog(lambda: p.t())
nog(lambda: p.chunk(2)) | nog(lambda: (p*2).view(-1)) | nog(lambda: p.detach()) | nog(lambda: p.expand(2,3,4))
nog(lambda: p) | inf(lambda: p*2) | inf(lambda: p.view(-1)) | en() | sg() | dec(p) | dec(x) | scr(p,2.) | scr(x,2.)
Scr()(x) | Scr()(p) | torch.jit.script(Scr())(x) | torch.jit.trace(nn.Linear(4,2),x)(x)
torch.jit.trace(Scr(),x)(x) | torch.jit.freeze(torch.jit.script(nn.Linear(4,2)).eval())(x) | Sq.apply(p,x)
Sq.apply(x,x) | Sq.apply(x,p) | nog(lambda: Sq.apply(p,x)) | p.grad_fn is None | (p*2).grad_fn is None
p.requires_grad_(True) | (p*2).requires_grad_(False) | p.add_(1) | p[0].add_(1) | nog(lambda: p.add_(0))
deep(lambda: p*2) | deep(lambda: p) | deep(lambda: p.detach()) | deep(lambda: x) | (p*2).numpy()
torch.add(p,1,out=torch.ones(3,4)) | torch.add(x,1,out=torch.ones(3,4))
nog(lambda: torch.add(p,1,out=torch.ones(3,4))) | x.bool() | p.bool() | torch.full((2,),1.,requires_grad=True)
torch.tensor([1.],requires_grad=True)*2 | torch.randn(2,requires_grad=True).sum() | p.as_subclass(torch.Tensor)
p.cpu() | p.to('cpu') | p.real | p.data.add_(0) | torch.special.expit(p) | torch.tensor(1.)*p.sum().item()
p.new_empty(2) | p.new_ones(2) | torch.block_diag(p,x) | torch.cartesian_prod(p[0],x[0])
torch.tensordot(p,x,([1],[1])) | torch.aminmax(p) | torch.std_mean(p) | torch.logsumexp(p,1)
torch.searchsorted(p.sort(1)[0].detach(),p.detach()) | torch.bucketize(p,x[0].sort()[0]) | torch.bincount(i)
torch.triu_indices(2,2) | p.count_nonzero() | p.nonzero() | torch.allclose(p,x) | torch.equal(p,x) | p.size(0)
torch.poisson(p) | torch.digamma(p) | torch.trapezoid(p) | torch.cross(p[:,:3],x[:,:3]) | torch.linalg.eigh(p[:,:3])
torch.linalg.cholesky(p[:,:3]@p[:,:3].t()+torch.eye(3)) | torch.linalg.solve(p[:,:3],x[:,:3]) | torch.linalg.pinv(p)
torch.linalg.eig(p[:,:3]) | torch.gradient(p) | torch.diff(p) | F.grid_sample(x.view(1,1,3,4),p.view(1,3,2,2))
F.affine_grid(p[:2,:3][None],(1,1,2,2))
F.ctc_loss(p.log_softmax(1)[:,None],torch.tensor([[1]]),torch.tensor([3]),torch.tensor([1]))
F.cosine_similarity(p,x) | F.kl_div(x,p) | F.unfold(p[None,None],2)
F.pixel_shuffle(torch.cat([p,p])[:4].view(1,4,2,2),2) | torch.stft(p.view(-1),4,return_complex=True)
torch.istft(torch.stft(p.view(-1),4,return_complex=True),4) | p.is_leaf | (p*2).is_leaf | p.detach().is_leaf
nog(lambda: p*2).is_leaf | torch.utils.checkpoint.checkpoint(lambda a: a * 2, p) | broadcast() | Late()(x)
"""


def show(value):
    """G asks for gradients, - does not; n is no leaf."""
    if isinstance(value, torch.Tensor):
        return ("G" if value.requires_grad else "-") + ("" if value.is_leaf else "n")
    if isinstance(value, (tuple, list)):
        return "(" + " ".join(map(show, value)) + ")"
    return type(value).__name__ + (str(value) if isinstance(value, bool) else "")


warnings.simplefilter("ignore")
for case in CASES.replace("\n", " | ").split(" | "):
    if case:
        try:
            given = show(eval(case))
        except Exception as error:
            given = "raises " + type(error).__name__
        print(case, "=>", given)
