"""Draws calls of layers, losses and rearrangements, whose arguments must fit together, for record.py."""
import torch


def convolution(spatial, transposed=False, padding=None):
    def draw(d):
        shape = (1, 2) + (4,) * spatial
        weight = (2, 3) if transposed else (3, 2)
        args = [d.tensor(*shape), d.tensor(*weight, *(2,) * spatial), d.one([None, d.tensor(3)]),
                [d.one([1, 2])] * spatial, padding or [d.one([0, 1])] * spatial]
        if transposed:
            return args + [[0] * spatial, 1, [1] * spatial]
        return args + [[1] * spatial, 1]
    return draw


def general_convolution(d):
    args = convolution(2)(d)[:5]
    return args + [[1, 1], False, [0, 0], 1] + ([False] * 4 if "aten::_" in d.name else [])


def pooling(spatial, average):
    def draw(d):
        args = [d.tensor(1, 2, *(4,) * spatial), [2] * spatial, d.one([[], [1] * spatial]),
                [d.one([0, 1])] * spatial]
        return args + ([d.chance(0.5), d.chance(0.5)] if average else [[1] * spatial, d.chance(0.5)])
    return draw


def adaptive(spatial):
    return lambda d: [d.tensor(1, 2, *(4,) * spatial), [d.one([1, 2, 3])] * spatial]


def norm(arguments):
    def draw(d):
        x = d.tensor(2, 4, 2)
        v = lambda low=-8: d.tensor(4, low=low)
        return arguments(d, x, v)
    return draw


def upsample(spatial, corners=True):
    def draw(d):
        args = [d.tensor(1, 1, *(3,) * spatial)]
        if d.name.endswith(".vec"):
            args += d.one([[[5] * spatial, None], [None, [1.5] * spatial]])
            return args[:2] + ([d.chance(0.5)] if corners else []) + args[2:]
        return args + [[d.one([2, 5])] * spatial] + ([d.chance(0.5)] if corners else [])
    return draw


def recurrent(gates, lstm=False):
    def draw(d):
        w = lambda *s: d.tensor(*s, low=0, high=2)
        params = [w(gates * 2, 3), w(gates * 2, 2), w(gates * 2), w(gates * 2)]
        if d.name.endswith("_cell"):
            state = d.tensor(2, 2)
            return [d.tensor(2, 3), [state, d.tensor(2, 2)] if lstm else state] + params
        state = d.tensor(1, 2, 2)
        state = [state, d.tensor(1, 2, 2)] if lstm else state
        tail = [params, True, 1, 0.0, False, False]
        if d.name.endswith(".data"):
            return [d.tensor(3, 3), torch.tensor([2, 1]), state] + tail
        return [d.tensor(2, 2, 3), state] + tail + [d.chance(0.5)]
    return draw


def alignment(lengths):
    """Scores of three labels, and texts to align with their steps."""
    def draw(d):
        if d.name.startswith("aten::_"):  # All of one length: PyTorch leaves the rest undefined.
            scores = d.tensor(3, 2, 3, dtype="f32", low=0).log_softmax(2)
            return [scores, torch.tensor([[1, 2], [2, 2]]), lengths([3, 3]), lengths([2, 2]), 0, d.chance(0.5)]
        scores = d.tensor(4, 2, 3, dtype=d.one(["f32", "f64"]), low=0).log_softmax(2)
        texts = d.one([torch.tensor([[1, 2], [2, 2]]), torch.tensor([1, 2, 2]), torch.tensor([[2, 1, 1], [1, 1, 2]], dtype=torch.int32)])
        wanted = d.one([[2, 1], [1, 2]]) if texts.dim() == 1 else d.one([[2, 2], [2, 1], [0, 2]])
        given = d.one([[4, 4], [3, 4], [4, 2]])
        return [scores, texts, lengths(given), lengths(wanted), 0, d.one([0, 1, 2]), d.chance(0.5)]
    return draw


def samples(d):
    return d.tensor(*d.one([(5,), (2, 3)]), dtype=d.one(["f32", "f64"]), low=0)


def points(d):
    return d.tensor(4, 2, dtype=d.one(["f32", "f64"]), low=0)


def edges(d, dtype):
    return torch.tensor(d.one([[0.0, 1.0, 2.0], [0.5, 0.75, 1.25, 2.0]]), dtype=dtype)


def counted(values, bins):
    """What to count, where, and the rest: a range, weights and whether densities are wanted."""
    def draw(d):
        x = values(d)
        weight = d.one([None, torch.ones_like(x if values is samples else x[:, 0]) * 0.5])
        ranges = [] if "tensors" in d.name or "bins_tensor" in d.name else [d.one([None, [0.0, 2.0] * (1 if values is samples else 2)])]
        return [x, bins(d, x.dtype), *ranges, weight, d.chance(0.5)]
    return draw


def sampled(*bounds):
    """Rates and chances: numbers between bounds, of one type and shape."""
    def draw(d):
        dtype, shape = d.one(["f32", "f64"]), d.one([(3,), (2, 2), (4,)])
        return [d.tensor(*shape, dtype=dtype, low=low, high=high) / part for low, high, part in bounds]
    return draw


SQUARE = lambda d: [d.tensor(3, 3)]

CALLS = {
    "aten::conv1d": convolution(1), "aten::conv2d": convolution(2), "aten::conv3d": convolution(3),
    "aten::conv1d.padding": convolution(1, padding="same"),
    "aten::conv2d.padding": convolution(2, padding="valid"),
    "aten::conv3d.padding": convolution(3, padding="same"),
    "aten::_convolution_mode": convolution(2, padding="same"),
    "aten::conv_transpose1d": convolution(1, True),
    "aten::conv_transpose2d.input": convolution(2, True),
    "aten::conv_transpose3d.input": convolution(3, True),
    "aten::convolution": general_convolution, "aten::_convolution": general_convolution,
    "aten::fake_quantize_per_tensor_affine": lambda d: [
        d.tensor(2, 3, dtype=d.floating()), d.one([0.25, 0.1, 1.0, 0.0]), d.one([0, 3, -2, 9]), d.one([-4, 0]), d.one([4, 7, -5])],
    "aten::fake_quantize_per_tensor_affine.tensor_qparams": lambda d: [
        d.tensor(2, 3, dtype=d.floating()), torch.tensor(d.one([0.25, [0.5], [0.5, 1.0]]), dtype=d.one([torch.float32, torch.float64])),
        torch.tensor(d.one([0, 3, -2, 9, 1.75])), -4, d.one([4, 7, -5])],
    "aten::fake_quantize_per_channel_affine": lambda d: [
        d.tensor(2, 3, dtype=d.floating()), torch.tensor([0.25, 0.1, 0.5][:d.one([2, 3])]),
        torch.tensor([0.0, 2.5, -1.0][:d.one([2, 3])], dtype=d.one([torch.int32, torch.int32, torch.float32, torch.float16, torch.int64])) + d.one([0, 0, 0, 9]),
        d.one([0, 1, 1, -1, 2]), d.one([-4, 0]), d.one([4, 7])],
    "aten::linear": lambda d: [d.tensor(2, 3), d.tensor(4, 3), d.one([None, d.tensor(4)])],
    "aten::mm": lambda d: [d.tensor(2, 3), d.tensor(3, 2)],
    "aten::bmm": lambda d: [d.tensor(2, 2, 3), d.tensor(2, 3, 2)],
    "aten::mv": lambda d: [d.tensor(2, 3), d.tensor(3)],
    "aten::addmm": lambda d: [d.tensor(*d.one([(2,), (2, 2), ()])), d.tensor(2, 3), d.tensor(3, 2), d.one([1, 2, 0]), d.one([1, 3])],
    "aten::addmv": lambda d: [d.tensor(2), d.tensor(2, 3), d.tensor(3), d.one([1, 2]), 1],
    "aten::addr": lambda d: [d.tensor(2, 3), d.tensor(2), d.tensor(3), d.one([1, 2]), 1],
    "aten::addbmm": lambda d: [d.tensor(2, 2), d.tensor(2, 2, 3), d.tensor(2, 3, 2), 1, d.one([1, 2])],
    "aten::baddbmm": lambda d: [d.tensor(2, 2, 2), d.tensor(2, 2, 3), d.tensor(2, 3, 2), 1, d.one([1, 2])],
    "aten::bilinear": lambda d: [d.tensor(2, 2), d.tensor(2, 3), d.tensor(4, 2, 3), d.tensor(4)],
    "aten::embedding": lambda d: [d.tensor(4, 3), d.indices(2, 2)],
    "aten::embedding_bag": lambda d: [d.tensor(4, 3), d.indices(4), torch.tensor([0, 2]), False, d.one([0, 1, 2])],
    "aten::batch_norm": norm(lambda d, x, v: [x, v(), v(), v(), v(1), d.chance(0.5), 0.5, 0.25, False]),
    "aten::native_batch_norm": norm(lambda d, x, v: [x, v(), v(), v(), v(1), d.chance(0.5), 0.5, 0.25]),
    "aten::instance_norm": norm(lambda d, x, v: [x, v(), v(), None, None, True, 0.5, 0.25, False]),
    "aten::layer_norm": norm(lambda d, x, v: [x, [4, 2], None, d.tensor(4, 2), 0.25]),
    "aten::native_layer_norm": norm(lambda d, x, v: [x, [2], d.tensor(2), None, 0.25]),
    "aten::group_norm": norm(lambda d, x, v: [x, 2, v(), None, 0.25]),
    "aten::native_group_norm": norm(lambda d, x, v: [x, v(), v(), 2, 4, 2, 2, 0.25]),
    "aten::binary_cross_entropy": lambda d: [d.tensor(2, 3, low=0, high=4), d.tensor(2, 3, low=0, high=4), None, d.one([0, 1, 2])],
    "aten::nll_loss": lambda d: [d.tensor(2, 3), d.indices(2), None, d.one([0, 1, 2])],
    "aten::nll_loss_nd": lambda d: [d.tensor(2, 3), d.indices(2), None, d.one([0, 1, 2])],
    "aten::nll_loss_forward": lambda d: [d.tensor(2, 3), d.indices(2), None, d.one([0, 1, 2]), -100],
    "aten::cross_entropy_loss": lambda d: [d.tensor(2, 3), d.indices(2), None, d.one([0, 1, 2])],
    "aten::_ctc_loss": alignment(list), "aten::_ctc_loss.Tensor": alignment(torch.tensor),
    "aten::ctc_loss.IntList": alignment(list), "aten::ctc_loss.Tensor": alignment(torch.tensor),
    "aten::histogram.bins_tensor": counted(samples, edges),
    "aten::histogram.bin_ct": counted(samples, lambda d, dtype: d.one([1, 3, 4])),
    "aten::_histogramdd_bin_edges": counted(points, lambda d, dtype: d.one([[2, 3], [1, 2]])),
    "aten::_histogramdd_from_bin_cts": counted(points, lambda d, dtype: d.one([[2, 3], [1, 2]])),
    "aten::_histogramdd_from_bin_tensors": counted(points, lambda d, dtype: [edges(d, dtype), edges(d, dtype)]),
    "aten::histogramdd": counted(points, lambda d, dtype: d.one([[2, 3], [1, 2]])),
    "aten::histogramdd.int_bins": counted(points, lambda d, dtype: d.one([2, 3])),
    "aten::histogramdd.TensorList_bins": counted(points, lambda d, dtype: [edges(d, dtype), edges(d, dtype)]),
    "aten::gradient.scalarint": lambda d: [d.tensor(3, 4), d.one([None, 0.5, 2]), d.one([None, 0, -1]), d.one([1, 2])],
    "aten::gradient.scalararray": lambda d: [d.tensor(3, 4), d.one([0.5, 2]), d.one([[0], [1, 0]]), d.one([1, 2])],
    "aten::gradient.array": lambda d: [d.tensor(3, 4), d.one([[0], [-1, 0]]), d.one([1, 2])],
    "aten::gradient.scalarrayint": lambda d: [d.tensor(3, 4), *d.one([([0.5], 1), ([2.0, 0.5], None)]), d.one([1, 2])],
    "aten::gradient.scalarrayarray": lambda d: [d.tensor(3, 4), [2.0, 0.5], [1, 0], d.one([1, 2])],
    "aten::gradient.tensorarrayint": lambda d: [d.tensor(3, 4), [torch.tensor([0., 0.5, 2., 2.5])], d.one([1, -1]), d.one([1, 2])],
    "aten::gradient.tensorarray": lambda d: [d.tensor(3, 4), [torch.tensor([0., 0.5, 2., 2.5]), torch.tensor([1., 2., 4.])], [1, 0], d.one([1, 2])],
    "aten::poisson": sampled((0, 60, 1)), "aten::_standard_gamma": sampled((1, 12, 1)),
    "aten::binomial": sampled((0, 200, 1), (0, 8, 2)), "aten::_sample_dirichlet": sampled((1, 12, 1)),
    "aten::norm_except_dim": lambda d: [d.tensor(2, 3, 2, low=0), d.one([1, 2]), d.one([0, 1, 2, -1])],
    "aten::max_unpool2d": lambda d: [d.tensor(1, 1, 1, 2), torch.tensor([[[[1, 6]]]]), [2, 4]],
    "aten::pixel_shuffle": lambda d: [d.tensor(1, 4, 2, 2), 2],
    "aten::pixel_unshuffle": lambda d: [d.tensor(1, 1, 2, 4), 2],
    "aten::channel_shuffle": lambda d: [d.tensor(1, 4, 2), 2],
    "aten::native_channel_shuffle": lambda d: [d.tensor(1, 4, 2), 2],
    "aten::grid_sampler": lambda d: [d.tensor(1, 1, 3, 3), d.tensor(1, 2, 2, 2, low=-3, high=3), d.one([0, 1]), d.one([0, 1, 2]), d.chance(0.5)],
    "aten::grid_sampler_2d": lambda d: [d.tensor(1, 1, 3, 3), d.tensor(1, 2, 2, 2, low=-3, high=3), d.one([0, 1]), d.one([0, 1, 2]), d.chance(0.5)],
    "aten::affine_grid_generator": lambda d: [d.tensor(1, 2, 3), [1, 1, 2, 2], d.chance(0.5)],
    "aten::im2col": lambda d: [d.tensor(1, 1, 3, 3), [2, 2], [1, 1], [d.one([0, 1])] * 2, [1, 1]],
    "aten::col2im": lambda d: [d.tensor(1, 4, 4), [3, 3], [2, 2], [1, 1], [0, 0], [1, 1]],
    "aten::scatter.src": lambda d: [d.tensor(2, 3), d.one([0, 1]), d.indices(2, 2), d.tensor(2, 2)],
    "aten::scatter.value": lambda d: [d.tensor(2, 3), d.one([0, 1]), d.indices(2, 2), 1],
    "aten::scatter_add": lambda d: [d.tensor(2, 3), d.one([0, 1]), d.indices(2, 2), d.tensor(2, 2)],
    "aten::scatter.reduce": lambda d: [d.tensor(2, 3), 1, d.indices(2, 2), d.tensor(2, 2), d.one(["add", "multiply"])],
    "aten::scatter.value_reduce": lambda d: [d.tensor(2, 3), 1, d.indices(2, 2), 2, d.one(["add", "multiply"])],
    "aten::scatter_reduce.two": lambda d: [d.tensor(2, 3), 1, d.indices(2, 2), d.tensor(2, 2), d.one(["sum", "prod", "amax", "mean"]), d.chance(0.5)],
    "aten::gather": lambda d: [d.tensor(2, 3), d.one([0, 1, -1]), d.indices(2, 2), False],
    "aten::index_select": lambda d: [d.tensor(2, 3), d.one([0, 1]), d.indices(3)],
    "aten::index_add": lambda d: [d.tensor(2, 3), 0, d.indices(2), d.tensor(2, 3), d.one([1, 2])],
    "aten::index_copy": lambda d: [d.tensor(2, 3), 0, torch.tensor([1, 0]), d.tensor(2, 3)],
    "aten::index_fill.int_Scalar": lambda d: [d.tensor(2, 3), 1, d.indices(2), d.one([1, 2])],
    "aten::index_fill.int_Tensor": lambda d: [d.tensor(2, 3), 1, d.indices(2), d.tensor()],
    "aten::index.Tensor": lambda d: [d.tensor(2, 3), d.one([[d.indices(2)], [None, d.indices(2)], [d.tensor(2, 3, dtype="b1")], [d.indices(2, 1), d.indices(2)]])],
    "aten::index_put": lambda d: [d.tensor(2, 3), [d.indices(2)], d.tensor(3), d.chance(0.5)],
    "aten::index_put_": lambda d: [d.tensor(2, 3), [d.tensor(2, 3, dtype="b1")], d.tensor(), d.chance(0.5)],
    "aten::take_along_dim": lambda d: [d.tensor(2, 3), d.indices(2, 1), 1],
    "aten::masked_scatter": lambda d: [d.tensor(2, 3), d.tensor(2, 3, dtype="b1"), d.tensor(6)],
    "aten::bucketize.Tensor": lambda d: [d.tensor(2, 2), torch.tensor([-1., 0., 1.])],
    "aten::searchsorted.Tensor": lambda d: [torch.tensor([-1., 0., 1.]), d.tensor(2, dtype="f32")],
    "aten::cat": lambda d: [[d.tensor(2, 3), d.tensor(*d.one([(2, 1), (2, 3)]))], d.one([1, -1])],
    "aten::stack": lambda d: [[d.tensor(2, 3), d.tensor(2, 3)], d.one([0, 1, -1, 2])],
    "aten::cross": lambda d: [d.tensor(2, 3), d.tensor(2, 3)],
    "aten::linalg_cross": lambda d: [d.tensor(2, 3), d.tensor(2, 3)],
    "aten::dot": lambda d: [d.tensor(3), d.tensor(3)], "aten::vdot": lambda d: [d.tensor(3), d.tensor(3)],
    "aten::outer": lambda d: [d.tensor(3), d.tensor(2)],
    "aten::tensordot": lambda d: [d.tensor(2, 3), d.tensor(3, 2), [1], [0]],
    "aten::einsum": lambda d: [d.one(["ij,jk->ik", "ij,jk", "ij,jk->", "...j,jk"]), [d.tensor(2, 3), d.tensor(3, 2)]],
    "aten::chain_matmul": lambda d: [[d.tensor(2, 3), d.tensor(3, 2), d.tensor(2, 1)]],
    "aten::linalg_multi_dot": lambda d: [[d.tensor(2, 3), d.tensor(3, 2), d.tensor(2, 1)]],
    "aten::linalg_matrix_power": lambda d: [d.tensor(2, 2), d.one([0, 1, 2, 3])],
    "aten::prelu": lambda d: [d.tensor(2, 3), d.tensor(d.one([1, 3]))],
    "aten::multinomial": lambda d: [d.tensor(4, low=1), 2, d.chance(0.5)],
    "aten::one_hot": lambda d: [d.indices(2, 2), d.one([-1, 4])],
    "aten::bincount": lambda d: [d.indices(4), None, d.one([0, 5])],
    "aten::repeat": lambda d: [d.tensor(2, 3), d.one([[2, 1], [2, 1, 2], [0, 1]])],
    "aten::expand": lambda d: [d.tensor(2, 1), d.one([[2, 3], [-1, 3], [2, 2, 3], [3, 3]])],
    "aten::unfold": lambda d: [d.tensor(5), 0, d.one([1, 2, 3]), d.one([1, 2])],
    "aten::as_strided": lambda d: [d.tensor(2, 3), [2, 2], d.one([[1, 2], [3, 1], [0, 1]]), d.one([None, 1])],
    "aten::pad": lambda d: [d.tensor(1, 2, 3), [1, 2], d.one(["constant", "reflect", "replicate", "circular"]), None],
    "aten::_transform_bias_rescale_qkv": lambda d: [d.tensor(1, 2, 12), d.tensor(12), 2],
    "aten::_masked_softmax": lambda d: [d.tensor(1, 1, 2, 2), d.tensor(1, 1, 2, 2, dtype="b1"), 3, 2],
    "aten::glu": lambda d: [d.tensor(2, 4), d.one([-1, 0])],
    "aten::lstm_cell": recurrent(4, True), "aten::gru_cell": recurrent(3),
    "aten::rnn_tanh_cell": recurrent(1), "aten::rnn_relu_cell": recurrent(1),
    "aten::lstm.input": recurrent(4, True), "aten::lstm.data": recurrent(4, True),
    "aten::_pack_padded_sequence": lambda d: [d.tensor(2, 2, 3), torch.tensor([2, 1]), d.chance(0.5)],
    "aten::_pad_packed_sequence": lambda d: [d.tensor(3, 2), torch.tensor([2, 1]), d.chance(0.5), 0.5, d.one([2, 4])],
    "aten::tril": lambda d: [d.tensor(2, 3), d.one([-1, 0, 1])], "aten::triu": lambda d: [d.tensor(2, 3), d.one([-1, 0, 1])],
    "aten::diag_embed": lambda d: [d.tensor(2, 2), d.one([-1, 0, 1])],
    "aten::diagonal": lambda d: [d.tensor(2, 3), d.one([-1, 0, 1])],
    "aten::matrix_exp": SQUARE, "aten::trace": SQUARE,
}
for n, name in [(1, "1d"), (2, "2d"), (3, "3d")]:
    CALLS["aten::max_pool" + name] = CALLS["aten::max_pool%s_with_indices" % name] = pooling(n, False)
    CALLS["aten::avg_pool" + name] = pooling(n, True)
    for kind in ("avg", "max"):
        CALLS["aten::adaptive_%s_pool%s" % (kind, name)] = adaptive(n)
    for side in ("reflection", "replication"):
        CALLS["aten::%s_pad%s" % (side, name)] = (
            lambda n: lambda d: [d.tensor(1, 1, *(3,) * n), [d.one([0, 1, 2]) for _ in range(2 * n)]])(n)
    for mode in ("upsample_nearest", "_upsample_nearest_exact"):
        CALLS["aten::%s%s" % (mode, name)] = CALLS["aten::%s%s.vec" % (mode, name)] = upsample(n, False)
for name, n in [("linear1d", 1), ("bilinear2d", 2), ("trilinear3d", 3), ("bicubic2d", 2)]:
    CALLS["aten::upsample_" + name] = CALLS["aten::upsample_%s.vec" % name] = upsample(n)
for name in ("bilinear2d", "bicubic2d"):
    CALLS["aten::_upsample_%s_aa" % name] = CALLS["aten::_upsample_%s_aa.vec" % name] = upsample(2)
for name, gates in [("gru", 3), ("rnn_tanh", 1), ("rnn_relu", 1)]:
    for end in (".input", ".data"):
        CALLS["aten::" + name + end] = recurrent(gates)
