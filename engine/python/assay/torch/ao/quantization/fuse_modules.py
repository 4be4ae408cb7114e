"""Layers that follow each other made one: normalizations folded into convolutions, activations kept beside."""

import copy

from ...nn import (
    BatchNorm1d, BatchNorm2d, BatchNorm3d, Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d,
    Identity, Linear, ReLU, intrinsic)
from ...nn.utils.fusion import fuse_conv_bn_eval, fuse_linear_bn_eval

_CONVOLUTIONS = {Conv1d: (BatchNorm1d, 1), Conv2d: (BatchNorm2d, 2), Conv3d: (BatchNorm3d, 3)}
_TRANSPOSED = {ConvTranspose1d: BatchNorm1d, ConvTranspose2d: BatchNorm2d, ConvTranspose3d: BatchNorm3d}


def fuse_conv_bn(is_qat, conv, bn):
    """In training both stay, side by side; in evaluation the convolution does it all."""
    _same_mode(conv, bn)
    if is_qat:
        _training_needs(bn.num_features == conv.out_channels and bn.affine and bn.track_running_stats)
        return getattr(intrinsic, f"ConvBn{_CONVOLUTIONS[type(conv)][1]}d")(conv, bn)
    return fuse_conv_bn_eval(conv, bn)


def fuse_conv_bn_relu(is_qat, conv, bn, relu):
    _same_mode(conv, bn, relu)
    dims = _CONVOLUTIONS[type(conv)][1]
    if is_qat:
        _training_needs(bn.num_features == conv.out_channels and bn.affine and bn.track_running_stats)
        return getattr(intrinsic, f"ConvBnReLU{dims}d")(conv, bn, relu)
    return getattr(intrinsic, f"ConvReLU{dims}d")(fuse_conv_bn_eval(conv, bn), relu)


def fuse_linear_bn(is_qat, linear, bn):
    _same_mode(linear, bn)
    if is_qat:
        _training_needs(bn.num_features == linear.out_features and bn.affine and bn.track_running_stats)
        return intrinsic.LinearBn1d(linear, bn)
    return fuse_linear_bn_eval(linear, bn)


def fuse_convtranspose_bn(is_qat, convt, bn):
    _same_mode(convt, bn)
    if is_qat:
        raise Exception("a transposed convolution is fused in evaluation alone")
    return fuse_conv_bn_eval(convt, bn, transpose=True)


def _same_mode(*layers):
    if any(layer.training != layers[0].training for layer in layers):
        raise AssertionError("layers that are fused are in the same mode, all in training or all in evaluation")


def _training_needs(fits):
    if not fits:
        raise AssertionError("fused for training, a normalization has as many features as the layer in front of it "
                             "gives, is affine and keeps running statistics")


def _beside(kind):
    return lambda is_qat, *layers: kind(*layers)


_FUSERS = {
    (Linear, ReLU): _beside(intrinsic.LinearReLU), (Linear, BatchNorm1d): fuse_linear_bn,
    (BatchNorm2d, ReLU): _beside(intrinsic.BNReLU2d), (BatchNorm3d, ReLU): _beside(intrinsic.BNReLU3d),
}
for _conv, (_norm, _dims) in _CONVOLUTIONS.items():
    _FUSERS[_conv, _norm] = fuse_conv_bn
    _FUSERS[_conv, _norm, ReLU] = fuse_conv_bn_relu
    _FUSERS[_conv, ReLU] = _beside(getattr(intrinsic, f"ConvReLU{_dims}d"))
for _conv, _norm in _TRANSPOSED.items():
    _FUSERS[_conv, _norm] = fuse_convtranspose_bn
del _conv, _norm, _dims


def get_fuser_method(op_list, additional_fuser_method_mapping=None):
    """What fuses layers of these classes."""
    found = {**_FUSERS, **(additional_fuser_method_mapping or {})}.get(tuple(op_list))
    if found is None:
        raise AssertionError(f"no layers {', '.join(kind.__name__ for kind in op_list)} are fused")
    return found


def fuse_known_modules(mod_list, is_qat, additional_fuser_method_mapping=None):
    """The fused layer, and what stands in the places behind it."""
    method = get_fuser_method([type(layer) for layer in mod_list], additional_fuser_method_mapping)
    fused = method(is_qat, *mod_list)
    for hook in mod_list[0]._forward_pre_hooks.values():  # What came before the first and behind the last still does.
        fused.register_forward_pre_hook(hook)
    mod_list[0]._forward_pre_hooks.clear()
    for hook in mod_list[-1]._forward_hooks.values():
        fused.register_forward_hook(hook)
    mod_list[-1]._forward_hooks.clear()
    rest = [Identity() for _ in mod_list[1:]]
    for layer in rest:
        layer.training = mod_list[0].training
    return [fused, *rest]


def _fuse(model, modules_to_fuse, is_qat, inplace, fuser_func, custom_config):
    if not inplace:
        model = copy.deepcopy(model)
    groups = modules_to_fuse if all(isinstance(group, list) for group in modules_to_fuse) else [modules_to_fuse]
    mapping = (custom_config or {}).get("additional_fuser_method_mapping", {})
    for names in groups:
        fused = fuser_func([model.get_submodule(name) for name in names], is_qat, mapping)
        for name, layer in zip(names, fused):
            parent, _, own = name.rpartition(".")
            setattr(model.get_submodule(parent), own, layer)
    return model


def fuse_modules(model, modules_to_fuse, inplace=False, fuser_func=fuse_known_modules, fuse_custom_config_dict=None):
    """A copy of the model, or the model itself, in which the named layers are one; for evaluation."""
    return _fuse(model, modules_to_fuse, False, inplace, fuser_func, fuse_custom_config_dict)


def fuse_modules_qat(model, modules_to_fuse, inplace=False, fuser_func=fuse_known_modules, fuse_custom_config_dict=None):
    """The same for training, where normalizations stay by themselves."""
    return _fuse(model, modules_to_fuse, True, inplace, fuser_func, fuse_custom_config_dict)
