"""torch.ao.quantization: the places that a quantized model marks. assay runs models in floating point."""

from ..._absent import names
from ...nn import Module
from .fuse_modules import (  # noqa: F401
    fuse_conv_bn, fuse_conv_bn_relu, fuse_linear_bn, fuse_modules, fuse_modules_qat, get_fuser_method)


class QuantStub(Module):
    """Where a quantized model would begin to be one."""

    def __init__(self, qconfig=None):
        super().__init__()
        if qconfig:
            self.qconfig = qconfig

    def forward(self, x):
        return x


class DeQuantStub(QuantStub):
    """Where a quantized model would stop to be one."""


class QuantWrapper(Module):
    """A module between the two."""

    def __init__(self, module):
        super().__init__()
        if getattr(module, "qconfig", None):
            self.qconfig = module.qconfig
        self.quant = QuantStub(getattr(module, "qconfig", None))
        self.dequant = DeQuantStub(getattr(module, "qconfig", None))
        self.module = module
        self.train(module.training)

    def forward(self, X):
        return self.dequant(self.module(self.quant(X)))


__getattr__ = names(__name__, """
    FakeQuantize FakeQuantizeBase FixedQParamsFakeQuantize FixedQParamsObserver FusedMovingAvgObsFakeQuantize
    HistogramObserver MinMaxObserver MovingAverageMinMaxObserver MovingAveragePerChannelMinMaxObserver NoopObserver
    ObserverBase PerChannelMinMaxObserver PlaceholderObserver QConfig QConfigDynamic QConfigMapping QuantType
    RecordingObserver ReuseInputObserver add_quant_dequant convert convert_jit default_debug_qconfig
    default_dynamic_qconfig default_eval_fn default_fake_quant default_histogram_observer default_observer
    default_per_channel_qconfig default_per_channel_weight_observer default_placeholder_observer
    default_qat_qconfig default_qconfig default_weight_fake_quant default_weight_observer
    default_weight_only_qconfig disable_fake_quant disable_observer enable_fake_quant enable_observer
    float16_dynamic_qconfig float16_static_qconfig float_qparams_weight_only_qconfig fuse_conv_bn_jit
    get_default_qat_qconfig
    get_default_qat_qconfig_mapping get_default_qconfig get_default_qconfig_mapping
    get_default_static_quant_module_mappings get_observer_state_dict load_observer_state_dict
    per_channel_dynamic_qconfig prepare prepare_jit prepare_qat propagate_qconfig_ quantize quantize_dynamic
    quantize_dynamic_jit quantize_jit quantize_qat script_qconfig swap_module""",
                    "assay runs models in floating point: quantize in PyTorch, and check what comes out",
                    submodules=("qconfig", "quantize_fx"))
