"""Short programs about modules and containers that leave a plain value in `result`; see nn_rows.py."""

BEHAVIOURS = [
    # state dicts
    """
m = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
result = [list(m.state_dict()), dict(m.state_dict()._metadata), m.state_dict(prefix='a.')._metadata.keys()]
""",
    """
m = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
state = m.state_dict()
state['extra'] = state.pop('0.weight')
message = ''
try:
    m.load_state_dict(state)
except RuntimeError as error:
    message = str(error)
result = [message, m.load_state_dict(state, strict=False)]
""",
    """
m = nn.Linear(2, 3)
state = {'weight': torch.zeros(3, 3), 'bias': 3}
try:
    m.load_state_dict(state)
except RuntimeError as error:
    result = str(error)
""",
    """
m = nn.Linear(2, 3)
result = [str(m.load_state_dict({'weight': torch.ones(3, 2), 'bias': torch.ones(3)})), m.weight.detach()]
""",
    """
m = nn.BatchNorm1d(3)
state = OrderedDict((k, v) for k, v in m.state_dict().items() if k != 'num_batches_tracked')
result = m.load_state_dict(state).missing_keys
""",
    """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('kept', torch.ones(2))
        self.register_buffer('dropped', torch.ones(2), persistent=False)
        self.register_buffer('empty', None)
        self.register_parameter('none', None)
        self.p = nn.Parameter(torch.ones(1), requires_grad=False)
    def get_extra_state(self):
        return {'a': 1}
    def set_extra_state(self, state):
        self.loaded = state
m = Net()
state = m.state_dict()
m.load_state_dict(state)
result = [list(state), m.loaded, [n for n, _ in m.named_buffers()], [n for n, _ in m.named_parameters()], sorted(n for n in dir(m) if n in ('kept', 'empty', 'none', 'p', 'forward', 'training', 'w'))]
""",
    """
m = nn.Linear(2, 3)
log = []
m._register_state_dict_hook(lambda module, state, prefix, meta: log.append((prefix, list(state))))
m._register_load_state_dict_pre_hook(lambda state, prefix, *rest: log.append((prefix, sorted(state))))
m._register_load_state_dict_pre_hook(lambda module, *rest: log.append(type(module).__name__), with_module=True)
m.register_load_state_dict_post_hook(lambda module, keys: log.append(list(keys.missing_keys)))
s = nn.Sequential(m)
s.load_state_dict(s.state_dict())
s.load_state_dict({}, strict=False)
result = log
""",
    """
m = nn.LazyLinear(3)
before = [list(m.state_dict()), repr(m.weight), m.has_uninitialized_params(), repr(m), sorted(m._forward_pre_hooks)[:0]]
m.load_state_dict({'weight': torch.ones(3, 4), 'bias': torch.zeros(3)})
result = [before, m.weight.shape, m(torch.ones(2, 4)).detach(), type(m).__name__, repr(m)]
""",
    # hooks
    """
m = nn.ReLU()
log = []
m.register_forward_pre_hook(lambda module, args: (args[0] + 1,))
m.register_forward_pre_hook(lambda module, args: log.append(len(args)))
h = m.register_forward_hook(lambda module, args, out: out * 2)
a = m(torch.tensor([-3., 1.]))
h.remove()
b = m(torch.tensor([-3., 1.]))
with m.register_forward_hook(lambda module, args, out: (out, out)):
    c = m(torch.tensor([1.]))
result = [a, b, c, m(torch.tensor([1.])), log]
""",
    """
from importlib import import_module
module = import_module(nn.Module.__module__)
log = []
h = module.register_module_forward_hook(lambda m, args, out: log.append(type(m).__name__))
g = module.register_module_forward_pre_hook(lambda m, args: log.append('before ' + type(m).__name__))
nn.Sequential(nn.ReLU(), nn.Tanh())(torch.ones(1))
h.remove()
g.remove()
nn.ReLU()(torch.ones(1))
result = log
""",
    # the tree
    """
shared = nn.Linear(2, 2)
m = nn.Sequential(OrderedDict(a=shared, b=nn.Sequential(shared, nn.ReLU())))
m.b.tied = shared.weight
result = [[n for n, _ in m.named_modules()], [n for n, _ in m.named_modules(remove_duplicate=False)],
          [n for n, _ in m.named_parameters()], [n for n, _ in m.named_parameters('p', recurse=False)],
          len(list(m.modules())), [n for n, _ in m.b.named_children()], list(m.state_dict()),
          type(m.get_submodule('b.1')).__name__, m.get_submodule('') is m, m.get_parameter('b.0.bias') is shared.bias,
          sum(p.numel() for p in m.parameters())]
""",
    """
m = nn.Sequential(nn.Linear(2, 2), nn.Dropout())
seen = []
m.apply(lambda module: seen.append(type(module).__name__))
m.eval()
a = [x.training for x in m.modules()]
m[1].train()
m.requires_grad_(False)
result = [seen, a, [x.training for x in m.modules()], [p.requires_grad for p in m.parameters()], m.train() is m]
""",
    """
m = nn.Module()
m.a = nn.Linear(2, 2)
m.a = None
m.b = nn.Parameter(torch.ones(1))
m.b = None
m.register_buffer('c', torch.ones(1))
m.c = torch.zeros(1)
del m.c
m.d = 3
m.d = nn.ReLU()
m.d = nn.Parameter(torch.ones(1))
result = [list(m._modules.items()), list(m._parameters), list(m._buffers), 'd' in m.__dict__, hasattr(m, 'c'), repr(m)]
""",
    # conversions
    """
m = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
w = m[0].weight
m.double()
a = [str(v.dtype) for v in m.state_dict().values()]
m.to(torch.float16)
b = [str(v.dtype) for v in m.state_dict().values()]
m.to(torch.ones(1))
m.bfloat16().half().float().type(torch.float64).cpu()
result = [a, b, m[0].weight is w, str(w.dtype), [str(v.dtype) for v in m.to('cpu', torch.float32).state_dict().values()]]
""",
    """
m = nn.Conv2d(2, 3, 3).to(memory_format=torch.channels_last)
result = [m.weight.stride(), m.weight.is_contiguous(memory_format=torch.channels_last)]
""",
    """
m = nn.utils.skip_init(nn.Linear, 3, 4, bias=False)
result = [m.weight.shape, repr(m), isinstance(m.weight, nn.Parameter), m.weight.requires_grad]
""",
    # copies
    """
import copy
m = nn.Sequential(nn.LSTM(2, 3), nn.Linear(3, 1))
c = copy.deepcopy(m)
with torch.no_grad():
    c[0].weight_ih_l0.fill_(1)
result = [c[0]._flat_weights[0] is c[0].weight_ih_l0, bool((m[0].weight_ih_l0 == 1).all()), type(c[1].weight).__name__,
          list(c.state_dict()) == list(m.state_dict())]
""",
    """
import copy
layer = nn.TransformerEncoderLayer(4, 2, 8, activation=F.gelu)
c = copy.deepcopy(layer)
result = [c.activation is F.gelu, c.activation_relu_or_gelu]
""",
    # containers
    """
s = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.Sigmoid())
s.append(nn.ELU()).insert(1, nn.GELU())
a = repr(s)
del s[0]
b = [repr(s[1:3]), repr(s[-1]), len(s), [type(m).__name__ for m in s]]
s[0] = nn.SELU()
s += nn.Sequential(nn.Tanh())
s.extend([nn.ReLU6()])
popped = repr(s.pop(1))
result = [a, b, repr(s), popped, repr(s + s[:1]), len(s * 2), len(3 * s), list(dict(s.named_children()))]
""",
    """
m = nn.ModuleList([nn.ReLU(), nn.Tanh()])
m.append(nn.ELU())
m.extend([nn.SELU(), nn.GELU()])
m.insert(1, nn.CELU())
m[-1] = nn.Sigmoid()
del m[0:2]
m += [nn.ReLU()]
result = [repr(m), len(m), repr(m[1:]), type(m[-1]).__name__, [type(x).__name__ for x in m + [nn.Tanh()]],
          repr(m.pop(0)), list(m._modules)]
""",
    """
m = nn.ModuleDict({'b': nn.ReLU(), 'a': nn.Tanh()})
m.update(OrderedDict(c=nn.ELU()))
m['d'] = nn.SELU()
m.update([('e', nn.GELU())])
popped = repr(m.pop('a'))
result = [repr(m), list(m), list(m.keys()), 'c' in m, 'z' in m, popped, len(m), [type(v).__name__ for v in m.values()]]
del m['b']
m.clear()
result.append(len(m))
""",
    """
m = nn.ParameterList([nn.Parameter(torch.ones(2)), torch.zeros(3), 5])
m.append(torch.ones(2, 2, dtype=torch.float64))
m += [nn.Parameter(torch.ones(1))]
m[0] = nn.Parameter(torch.ones(4))
result = [repr(m), len(m), [n for n, _ in m.named_parameters()], list(m.state_dict()), m[2], len(m[1:3]), m[-1].shape]
""",
    """
m = nn.ParameterDict({'b': nn.Parameter(torch.ones(2)), 'a': torch.zeros(3)})
m['c'] = 7
m.update(OrderedDict(z=torch.ones(1), y=torch.ones(1)))
result = [list(m), repr(m), 'a' in m, m.get('missing', 3), m.setdefault('q', torch.ones(1)).shape, m.pop('c'),
          list(m.state_dict()), list(reversed(m)), list((m | {'w': torch.ones(1)}).keys()), m.popitem()[0],
          list(m.fromkeys(['r', 's'])), len(m.copy())]
""",
    # utilities
    """
l = nn.utils.weight_norm(nn.Linear(2, 3), dim=1)
a = [list(l.state_dict()), l.weight_g.shape, type(l.weight).__name__]
nn.utils.remove_weight_norm(l)
result = [a, list(l.state_dict()), len(l._forward_pre_hooks)]
""",
    """
l = nn.utils.spectral_norm(nn.Linear(2, 3))
l(torch.ones(1, 2))
a = [list(l.state_dict()), dict(l.state_dict()._metadata)]
m = nn.utils.spectral_norm(nn.Linear(2, 3))
m.load_state_dict(l.state_dict())
m.eval(), l.eval()
b = torch.allclose(m(torch.ones(1, 2)), l(torch.ones(1, 2)))
nn.utils.remove_spectral_norm(l)
result = [a, b, list(l.state_dict()), len(l._forward_pre_hooks), len(l._state_dict_hooks)]
""",
    """
P = nn.utils.parametrize
l = P.register_parametrization(nn.Linear(3, 3), 'weight', Symmetric())
a = [repr(l), list(l.state_dict()), P.is_parametrized(l), P.is_parametrized(l, 'bias'), type(l).__name__,
     P.type_before_parametrizations(l).__name__, bool((l.weight == l.weight.T).all())]
with P.cached():
    same = l.weight is l.weight
P.remove_parametrizations(l, 'weight')
result = [a, same, list(l.state_dict()), type(l).__name__, bool((l.weight == l.weight.T).all())]
""",
    """
l = nn.Linear(2, 2)
tensors = {'weight': torch.ones(2, 2), 'bias': torch.zeros(2)}
call = nn.utils.stateless.functional_call
a = call(l, tensors, torch.ones(1, 2))
b = nn.BatchNorm1d(2)
state = {'num_batches_tracked': torch.tensor(4)}
call(b, state, (torch.ones(2, 2),))
result = [a, bool((l.weight == 1).any()), isinstance(l.weight, nn.Parameter), state['num_batches_tracked'],
          b.num_batches_tracked]
""",
    """
p = nn.Parameter(torch.ones(3))
p.grad = torch.tensor([3., 4., 0.])
norm = nn.utils.clip_grad_norm_([p], 1.)
a = p.grad.clone()
nn.utils.clip_grad_value_(p, 0.5)
m = nn.Linear(1, 1)
m.weight.grad = torch.ones(1, 1)
m.zero_grad()
b = m.weight.grad.clone()
m.zero_grad(set_to_none=True)
result = [norm, a, p.grad, b, m.weight.grad is None, nn.utils.clip_grad_norm_([nn.Parameter(torch.ones(1))], 1.)]
""",
    """
l = nn.Linear(2, 2)
nn.utils.vector_to_parameters(torch.arange(6.), l.parameters())
result = [l.weight.detach(), l.bias.detach(), nn.utils.parameters_to_vector(l.parameters()).detach()]
""",
    """
utils = nn.modules.utils
state = OrderedDict([('module.a', 1), ('b', 2)])
utils.consume_prefix_in_state_dict_if_present(state, 'module.')
result = [utils._single(3), utils._pair(3), utils._triple((1, 2, 3)), utils._quadruple(1), utils._ntuple(2)([1, 2]),
          utils._reverse_repeat_tuple((1, 2), 2), utils._list_with_default([None, 3], [4, 5, 6]), state]
""",
    """
p = nn.Parameter(torch.ones(2))
result = [repr(p), p.requires_grad, p.is_leaf, isinstance(p, torch.Tensor), type(p + 1).__name__, type(p.data).__name__,
          nn.Parameter().shape, isinstance(torch.ones(1), nn.Parameter)]
""",
    """
packed_ = nn.utils.rnn.pack_sequence([x(3, 2), x(1, 2)])
result = [packed_.double().data, packed_.to(torch.float32) is packed_, packed_.is_cuda, type(packed_.cpu()).__name__,
          packed_._fields, tuple(nn.utils.rnn.PackedSequence(x(2, 2), torch.tensor([1, 1])))]
""",
    """
c = nn.Conv2d(2, 4, (3, 5), padding='same', dilation=(1, 2))
d = nn.Conv2d(2, 4, 3, padding=(1, 2))
result = [c.stride, c.padding, c.dilation, c.groups, c.padding_mode, c._reversed_padding_repeated_twice, c.transposed,
          c.output_padding, c.kernel_size, d._reversed_padding_repeated_twice, c.__constants__, nn.LSTM.__constants__]
""",
    """
l = nn.LSTM(2, 3, 2, bidirectional=True, proj_size=2)
result = [[[p.shape for p in ps] for ps in l.all_weights], l._flat_weights_names, l.mode]
""",
    """
try:
    F.dropout(x(2), 3.)
except ValueError as error:
    result = str(error)
""",
    """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.ReLU()))
        self.w = nn.Parameter(torch.ones(1))
    def extra_repr(self):
        return 'one\\ntwo'
result = repr(Net())
""",
]
