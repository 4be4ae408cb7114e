"""torch.nn.functional: layers as functions. Each family has a file in torch/nn/_functional."""
from .._package import torch
from ..overrides import (
    handle_torch_function, has_torch_function, has_torch_function_unary, has_torch_function_variadic)
from . import _operators as _nn
from . import _reduction as _Reduction
from ._functional.activation import (
    _get_softmax_dim, _threshold, alpha_dropout, celu, celu_, dropout, dropout1d, dropout2d, dropout3d, elu, elu_,
    feature_alpha_dropout, gelu, glu, gumbel_softmax, hardshrink, hardsigmoid, hardswish, hardtanh, hardtanh_,
    leaky_relu, leaky_relu_, log_softmax, logsigmoid, mish, prelu, relu, relu6, relu_, rrelu, rrelu_, selu, selu_,
    sigmoid, silu, softmax, softmin, softplus, softshrink, softsign, tanh, tanhshrink, threshold, threshold_)
from ._functional.attention import (
    _in_projection, _in_projection_packed, _mha_shape_check, _scaled_dot_product_attention,
    multi_head_attention_forward)
from ._functional.distance import cosine_similarity, pairwise_distance, pdist
from ._functional.embedding import _no_grad_embedding_renorm_, embedding, embedding_bag, one_hot
from ._functional.loss import (
    binary_cross_entropy, binary_cross_entropy_with_logits, cosine_embedding_loss, cross_entropy, ctc_loss,
    gaussian_nll_loss, hinge_embedding_loss, huber_loss, kl_div, l1_loss, margin_ranking_loss, mse_loss,
    multi_margin_loss, multilabel_margin_loss, multilabel_soft_margin_loss, nll_loss, poisson_nll_loss,
    smooth_l1_loss, soft_margin_loss, triplet_margin_loss, triplet_margin_with_distance_loss)
from ._functional.normalization import (
    _verify_batch_size, _verify_spatial_size, batch_norm, group_norm, instance_norm, layer_norm, local_response_norm,
    normalize)
from ._functional.pooling import (
    _adaptive_max_pool1d, _adaptive_max_pool2d, _adaptive_max_pool3d, _fractional_max_pool2d, _fractional_max_pool3d,
    _max_pool1d, _max_pool2d, _max_pool3d, _unpool_output_size, adaptive_avg_pool1d, adaptive_avg_pool2d,
    adaptive_avg_pool3d, adaptive_max_pool1d, adaptive_max_pool1d_with_indices, adaptive_max_pool2d,
    adaptive_max_pool2d_with_indices, adaptive_max_pool3d, adaptive_max_pool3d_with_indices, avg_pool1d, avg_pool2d,
    avg_pool3d, fractional_max_pool2d, fractional_max_pool2d_with_indices, fractional_max_pool3d,
    fractional_max_pool3d_with_indices, lp_pool1d, lp_pool2d, max_pool1d, max_pool1d_with_indices, max_pool2d,
    max_pool2d_with_indices, max_pool3d, max_pool3d_with_indices, max_unpool1d, max_unpool2d, max_unpool3d)
from ._functional.vision import (
    affine_grid, channel_shuffle, fold, grid_sample, interpolate, native_channel_shuffle, pad, pixel_shuffle,
    pixel_unshuffle, unfold, upsample, upsample_bilinear, upsample_nearest)

conv1d = torch.conv1d
conv2d = torch.conv2d
conv3d = torch.conv3d
conv_transpose1d = torch.conv_transpose1d
conv_transpose2d = torch.conv_transpose2d
conv_transpose3d = torch.conv_transpose3d
conv_tbc = _nn.conv_tbc
linear = _nn.linear
bilinear = torch.bilinear
