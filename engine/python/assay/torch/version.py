"""Which PyTorch this is like."""

from assay import _engine as _C

__version__ = "1.13.0+assay" + _C.__version__
debug = False
cuda = None
hip = None
git_version = "assay"
