"""torch.ao: quantization, of which assay has what models need to be constructed."""
from . import quantization
