"""torch.utils.bundled_inputs: archives with inputs inside."""

from .._absent import names

__getattr__ = names(__name__, "bundle_inputs augment_model_with_bundled_inputs "
                    "augment_many_model_functions_with_bundled_inputs bundle_randn bundle_large_tensor InflatableArg",
                    "keep inputs in a file of their own")
