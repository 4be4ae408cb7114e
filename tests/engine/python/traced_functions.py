"""Functions that are traced under assay's torch and under PyTorch (trace_test.py compares the two).

MODELS: name -> function that gives (function or module, example inputs, keywords of torch.jit.trace). The
modules of traced_modules.py are in it, too.
"""
import torch
import torch.nn.functional as F

MODELS = {}


def model(make):
    MODELS[make.__name__] = make
    return make


def ramp(*sizes):
    """Numbers that both sides make alike."""
    count = 1
    for size in sizes:
        count *= size
    return (torch.arange(count, dtype=torch.float32).view(*sizes) % 7 - 3) / 4


def fill(module):
    """Parameters that both sides have alike."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(ramp(*parameter.shape))
    return module


def function(*inputs, **keywords):
    """Makes a row of the table of a function of tensors."""

    def register(f):
        MODELS[f.__name__] = lambda: (f, tuple(inputs), keywords)
        return f

    return register


# Functions.


@function(ramp(2, 3), ramp(2, 3))
def arithmetic(x, y):
    return x + y * 2 - x / 3 + (1 - y)


@function(ramp(2, 3))
def number_on_the_left(x):
    return 2 * x, 3 / (x + 10), 2 - x


@function(ramp(2, 3))
def other_objects(x):
    one = torch.autograd.Variable(x * 2)
    two = torch.autograd.Variable(torch.ones(3)).view(1, 3)
    three = torch.nn.Parameter(torch.ones(3), requires_grad=False)
    return one + two, torch.Tensor(one) + three


@function(ramp(4, 6))
def names_unseen_in_torch(x):
    halves = x[:, :3]
    part, _ = torch.split(halves, len(halves) // 2)
    grid = x + 1
    several = x * 3
    return part, grid.unflatten(1, (2, 3)), torch.atleast_2d(several)


@function(ramp(2, 3))
def names_of_variables(x):
    y = x.relu()
    z = y + x
    y = z * y
    return y.sum() + z


@function(ramp(4, 3))
def size_in_view(x):
    return x.view(x.size(0), -1)


@function(ramp(4, 3))
def shape_in_view(x):
    return x.reshape(x.shape[1], x.shape[0])


@function(ramp(4, 6))
def computed_sizes(x):
    b, n = x.shape
    return x.view(b, n // 2, 2), x.view(b * 2, -1)


@function(ramp(4, 6))
def sizes_as_numbers(x):
    return x * x.size(0) + x.shape[1]


@function(ramp(4, 6))
def sizes_in_factories(x):
    return torch.zeros(x.shape[0], 3) + torch.ones(x.size(0), x.size(1))[:, :3]


@function(ramp(4, 6))
def arange_of_size(x):
    return torch.arange(x.size(0)), torch.arange(0, x.size(1), 2)


@function(ramp(4, 6))
def baked_length(x):
    return torch.arange(len(x))


@function(ramp(4, 6))
def baked_int(x):
    return x[:int(x.shape[0]) - 1]


@function(ramp(4, 6))
def baked_item(x):
    return x * x.sum().item()


@function(ramp(4, 6))
def numel_of(x):
    return x.sum() / x.numel()


@function(ramp(4, 6))
def frozen_branch(x):
    if x.sum() > 0:
        return x * 2
    return x - 1


@function(ramp(3, 4))
def unrolled_loop(x):
    total = torch.zeros(4)
    for i in range(x.size(0)):
        total = total + x[i]
    return total


@function(ramp(3, 4))
def iterated(x):
    return torch.stack([row * 2 for row in x])


@function(ramp(3, 4, 5))
def indexing(x):
    return x[0], x[:, 1:3], x[..., -1], x[:, None], x[1, 2:], x[::2]


@function(ramp(5, 4))
def index_by_tensor(x):
    idx = torch.tensor([0, 2])
    return x[idx], x[:, idx], x[x > 0]


@function(ramp(5, 4))
def index_by_size(x):
    return x[x.shape[1] - 1], x[:x.shape[1] // 2]


@function(ramp(3, 4))
def in_place(x):
    y = x.clone()
    y.add_(1).mul_(2)
    y += x
    return y


@function(ramp(3, 4))
def assigned(x):
    y = x * 1
    y[0] = 1
    y[:, 1] = x[:, 0]
    y[1:] += 2
    return y


@function(ramp(3, 4))
def assigned_by_mask(x):
    y = x.clone()
    y[x > 0] = 5
    y[torch.tensor([0, 2])] = x[0]
    return y


@function(ramp(3, 4))
def masked(x):
    return x.masked_fill(x > 0, 0.5), torch.where(x > 0, x, -x)


@function(ramp(2, 3, 4))
def views(x):
    y = x.transpose(1, 2).contiguous()
    return y.permute(2, 0, 1).flatten(1), y.unsqueeze(0).squeeze(0).expand(2, 4, 3), x.reshape(-1)


@function(ramp(4, 6))
def splits(x):
    a, b = x.chunk(2, dim=1)
    c, d, e = torch.split(x, [1, 2, 1])
    return a + b, c, d * 2, e


@function(ramp(4, 6))
def joined(x):
    return torch.cat([x, x * 2], dim=1), torch.stack((x, x), 0)


@function(ramp(4, 6))
def reductions(x):
    return x.sum(1), x.mean(dim=(0, 1)), x.max(), x.max(1)[0], x.argmax(dim=1), x.std(), x.norm()


@function(ramp(4, 6))
def several_results(x):
    values, indices = torch.topk(x, 2)
    low, where = x.min(dim=1, keepdim=True)
    return values, indices, low + where


@function(ramp(4, 6))
def casts(x):
    return x.double(), x.to(torch.float16).float(), x.long(), x.type(torch.int32), x.to("cpu"), x.bool()


@function(ramp(4, 6))
def like(x):
    return torch.zeros_like(x), x.new_zeros(2, 3), torch.ones_like(x, dtype=torch.int64), torch.full((2,), 3.5)


@function(ramp(4, 6), ramp(6, 5))
def products(x, y):
    return x @ y, torch.matmul(x, y), torch.mm(x, y), torch.einsum("ij,jk->ik", x, y)


@function(ramp(2, 3, 4), ramp(2, 4, 5))
def batch_products(x, y):
    return torch.bmm(x, y), torch.baddbmm(x @ y, x, y)


@function(ramp(2, 3))
def returns_input(x):
    return x, x + 1


@function((ramp(2, 3), ramp(2, 3)))
def nested_inputs(pair):
    return pair[0] + pair[1]


@function({"a": ramp(2, 3), "b": ramp(2, 3)})
def dict_input(inputs):
    return inputs["a"] - inputs["b"]


@function([ramp(2, 3), ramp(2, 3)])
def list_input(inputs):
    return inputs[0] * inputs[1]


@function(ramp(2, 3))
def nested_outputs(x):
    return x, (x + 1, (x * 2, x - 1))


@function(ramp(2, 3), strict=False)
def dict_output(x):
    return {"a": x + 1, "b": x * 2}


@function(ramp(2, 3), strict=False)
def list_output(x):
    return [x + 1, x * 2]


@function(ramp(2, 3))
def other_names(x):
    return (torch.multiply(x, 2), x.absolute(), torch.true_divide(x, 3), x.clip(0, 1), torch.subtract(x, x),
            torch.rsub(x, x * 2))


@function(ramp(2, 3))
def written_output(x):
    y = torch.empty(2, 3)
    torch.add(x, x, out=y)
    return y


@function(ramp(2, 3))
def comparisons(x):
    return x > 0, (x == x).any(), (x < 0) & (x > -0.5), ~(x >= 0)


@function(ramp(2, 3))
def scalars(x):
    return torch.clamp(x, -0.5, 0.5), x.pow(2), x ** 0.5, torch.softmax(x, -1), x.round()


@function(torch.tensor([0, 2, 1]))
def hot(x):
    return F.one_hot(x, 3), F.pad(x, (1, 1), value=0)


@function(ramp(1, 2, 4, 4))
def functional(x):
    return (F.max_pool2d(x, 2), F.avg_pool2d(x, 2), F.adaptive_avg_pool2d(x, (1, 1)), F.relu(x),
            F.leaky_relu(x, 0.1), F.gelu(x), F.interpolate(x, scale_factor=2), F.softmax(x, dim=1),
            F.pad(x, (1, 1)), F.normalize(x))


@function(ramp(2, 3), ramp(4, 3), ramp(4))
def functional_linear(x, w, b):
    return F.linear(x, w, b), F.layer_norm(x, (3,)), F.mse_loss(x, x * 2)


@function(ramp(1, 2, 6), ramp(3, 2, 3))
def functional_convolutions(x, w):
    return F.conv1d(x, w), F.conv1d(x, w, stride=2, padding=1), F.conv1d(x[0], w), F.conv1d(x, w, padding="same")


@function(ramp(2, 4))
def sizes_from_the_end(x):
    return x.reshape(x.size(-1), x.size(-2)), x.view(-1, x.size(-1))


@function(ramp(2, 2))
def tensors_of_data(x):
    return (x + torch.as_tensor([1., 2.]), x + torch.as_tensor(x, dtype=torch.float64), x * torch.tensor(x.shape[0]),
            x[[0, 1]], x[:, [0]], torch.FloatTensor([1., 2.]) + x)


@function(ramp(6, 4))
def names_in_operators_of_python(x):
    y, z, sizes = x + 5, x * 0 + 2, x.abs() + 1
    quotient = y // z
    parts = torch.split(sizes, 2)
    n = len(parts[0] + 1)
    return quotient, 1 - (x + 2), parts[0] ** 2, torch.zeros(n)


@function(ramp(1, 2, 4, 4))
def sizes_in_a_convolution(x):
    return F.conv2d(x, torch.ones(2, 1, 1, 1), groups=x.shape[1])


@function(ramp(1, 3, 4), ramp(1, 3, 4))
def contraction_with_a_dimension_of_one(a, b):
    return torch.einsum("bid,bjd->bij", a, b), torch.einsum("bid,bid->bi", a, b)


OUTSIDE = ramp(2, 3)


@function(ramp(2, 3))
def constants_are_read_again(x):
    rows, columns = OUTSIDE.shape
    local = OUTSIDE
    y = (x + OUTSIDE) * local + columns
    written = torch.zeros(3)
    written += 1
    return y - OUTSIDE, written * y, y.view(OUTSIDE.shape[0], -1), y.view(OUTSIDE.numel()), y.view(len(OUTSIDE), -1)


@function(ramp(2, 3))
def numbers_to_the_power_of_tensors(x):
    n = x.shape[0]
    return 2 ** x, 2.5 ** x[0], torch.arange(6).view(n, -1) + 2 ** n, x.view(int(2 ** (n - 1)), -1), True ** x


@function(ramp(3, 4))
def several_numbers_of_one_call(x):
    n, m = x.shape
    return (x.transpose(n - 3, m - 3), x.select(n - 3, m - 3), x.unfold(n - 3, m - 2, n - 2), torch.full((n, m), n),
            x.new_full((m, n), m), torch.arange(n, n + m, m), torch.eye(n, m), x.movedim(n - 3, m - 3))


@function(ramp(3, 4))
def numbers_that_may_be_tensors(x):
    n, m = x.shape
    half = x[0, 0] * 0 + 0.5
    return x.narrow(0, n - 2, m - 3), x.repeat_interleave(n - 1, 1), x.clamp(n - 3, m - 3), torch.quantile(x, half)


@function(ramp(3, 4))
def points_between_tensors(x):
    n, m = x.shape
    return (torch.linspace(-n * 0.5, n * 0.5 - 1, steps=m), torch.linspace(0, n, m), torch.linspace(n, m, n),
            torch.logspace(x[0, 0], x[0, 1], 3))


@function(ramp(3, 4))
def lists_of_a_tensor(x):
    numbers = (x[0] + 1).tolist()
    return x * numbers[1] + torch.tensor(numbers)


class KeepsItsTensors(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cells = [ramp(3), ramp(3) + 1]
        self.levels = []

    def forward(self, x):
        self.cells = [cell.to(torch.float64) for cell in self.cells]
        self.levels.append(x * 2)
        for base, level in zip(self.cells, [1, 2]):
            x = x + base.view(1, 3) * level
        return x + self.levels[0]


@model
def attributes_that_hold_tensors():
    return KeepsItsTensors(), (ramp(2, 3),), {"check_trace": False}


class ReadsOutside(torch.nn.Module):
    def __init__(self, table):
        super().__init__()
        self.table = [table]  # In a list, so that it is no part of the module's state.

    def forward(self, x):
        return x * self.table[0] + self.table[0].sum()


@model
def a_constant_of_several_modules():
    table = ramp(3)
    inner = torch.nn.Sequential(ReadsOutside(table), torch.nn.Linear(3, 3), ReadsOutside(table))
    return fill(inner), (ramp(2, 3),), {}


@function(ramp(3, 3))
def several_numbers_of_the_graph_in_one_call(x):
    n, m = x.size(0), x.size(1)
    return (torch.arange(n, m + 4), x.unfold(0, n - 1, m - 2), torch.full((n, m), n), x.new_full((n, m), m),
            torch.eye(n, m + 1), x.diagonal(n - 3, m - 3, m - 2), torch.addmm(x, x, x, beta=n, alpha=m),
            x.topk(n - 1, m - 2), x.transpose(n - 3, m - 2), x[n - 2:m, m - 2:n:1], x.flatten(n - 3, m - 2),
            torch.linspace(n, m + 1, 4), torch.logspace(0, n, 3))


@function(ramp(3, 3))
def tensors_go_before_ints(x):
    n = x.size(0)
    return (x.narrow(1, n - 2, 1), torch.narrow(x, 0, n - 2, n - 2), x.repeat_interleave(n, 1), torch.tensor_split(x, n, 1),
            x.repeat_interleave(2, 0), x.tensor_split(2), x.pow(n), x.masked_fill(x > 0, n))


@function(ramp(3, 3))
def numpy_on_the_way(x):
    import numpy
    half = x * 2
    return x / numpy.sqrt(x.size(-1)), x * numpy.sqrt(x.shape[0] * 2), torch.from_numpy(half.numpy() + 1) + x


@torch.jit.script
def raised(x, by: int = 2):
    return x ** by


@function(ramp(2, 3))
def numbers_given_to_a_compiled_function(x):
    return raised(x + 1) - 1, raised(x * 2, 3)


@function(ramp(3, 3))
def more_other_names(x):
    positive = x.abs() + 0.5
    return (torch.inverse(x + torch.eye(3)), torch.special.softmax(x, 0), torch.special.expit(x), x.matrix_power(2),
            torch.special.round(x), torch.special.round(x, decimals=1), torch.special.xlogy(2., positive),
            torch.arctan2(x, positive), torch.concat([x, x]), torch.linalg.matmul(x, x), x.adjoint(),
            torch.special.gammainc(positive, positive), torch.special.logsumexp(x, 0))


@function(ramp(2, 3))
def conversions_that_change_nothing(x):
    before = x + 1
    after = before.type(torch.float32)
    return after.type(x.dtype).type_as(x).type("torch.DoubleTensor") * before.new_tensor([1., 2., 3.]), after.nonzero()


@function(ramp(4, 3), ramp(3))
def shape_of_both(x, y):
    shape = torch.broadcast_shapes(x.shape, y.shape)
    return x.expand(shape) + y.expand(shape)


def rows_of(rows, x):
    return x.reshape(rows, -1)


@function(ramp(4, 3))
def named_where_a_builtin_asks(x):
    half, width = x.shape[0] // 2, x.shape[1]
    least = min(2, half)
    return rows_of(half, x) * least + max(width, 1)


@function(ramp(2, 3))
def without_names_of_arguments(x, **more):
    return (x + 1) * 2


@function(ramp(2, 3))
def random_numbers_that_nobody_takes(x):
    torch.randn(x.shape[0], 3), torch.rand_like(x), torch.bernoulli(x.sigmoid()), torch.randperm(x.shape[1])
    return x * 2


@function(ramp(2, 3))
def compiled_function_of_named_values(x):
    before = x + 1
    after = raised(before)
    return raised(after, 3) - raised(x=before)
