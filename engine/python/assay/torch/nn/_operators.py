"""The operators that layers call and that have no name of their own in torch: the one place that fetches them."""
import types

from assay import _engine as _C

for _name in '''
        adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d adaptive_max_pool3d avg_pool2d avg_pool3d
        binary_cross_entropy col2im conv_tbc cross_entropy_loss elu elu_ feature_dropout feature_dropout_
        fractional_max_pool2d fractional_max_pool3d gelu glu hardsigmoid hardsigmoid_ hardswish hardswish_
        hardtanh hardtanh_ huber_loss im2col l1_loss leaky_relu leaky_relu_ linear log_sigmoid
        max_pool2d_with_indices max_pool3d_with_indices max_unpool2d max_unpool3d mish mish_ mse_loss
        multi_margin_loss multilabel_margin_loss nll_loss_nd one_hot pad relu6 relu6_ silu silu_ smooth_l1_loss
        soft_margin_loss softplus softshrink _pack_padded_sequence _pad_packed_sequence
        upsample_nearest1d upsample_nearest2d upsample_nearest3d _upsample_nearest_exact1d
        _upsample_nearest_exact2d _upsample_nearest_exact3d upsample_linear1d upsample_bilinear2d
        upsample_trilinear3d upsample_bicubic2d _upsample_bilinear2d_aa _upsample_bicubic2d_aa
        _scaled_dot_product_attention _native_multi_head_attention _transformer_encoder_layer_fwd
        lstm gru rnn_tanh rnn_relu
        lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell'''.split():
    globals()[_name] = _C.operator(_name)

# Where programs find them in PyTorch.
_C._nn = types.SimpleNamespace(**{_name: _value for _name, _value in list(globals().items()) if callable(_value)})
_infer_size = _C.operator("aten::_infer_size")  # of sizes alone, not of tensors: found by its full name
