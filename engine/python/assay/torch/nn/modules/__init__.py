"""The layers of torch.nn."""
from .module import Module
from .activation import *
from .activation import __all__ as _activation
from .adaptive import *
from .adaptive import __all__ as _adaptive
from .batchnorm import *
from .batchnorm import __all__ as _batchnorm
from .channelshuffle import *
from .channelshuffle import __all__ as _channelshuffle
from .container import Container, ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from .conv import *
from .conv import __all__ as _conv
from .distance import *
from .distance import __all__ as _distance
from .dropout import *
from .dropout import __all__ as _dropout
from .flatten import *
from .flatten import __all__ as _flatten
from .fold import *
from .fold import __all__ as _fold
from .instancenorm import *
from .instancenorm import __all__ as _instancenorm
from .linear import *
from .linear import __all__ as _linear
from .loss import *
from .loss import __all__ as _loss
from .normalization import *
from .normalization import __all__ as _normalization
from .padding import *
from .padding import __all__ as _padding
from .pixelshuffle import *
from .pixelshuffle import __all__ as _pixelshuffle
from .pooling import *
from .pooling import __all__ as _pooling
from .rnn import *
from .rnn import __all__ as _rnn
from .sparse import *
from .sparse import __all__ as _sparse
from .transformer import *
from .transformer import __all__ as _transformer
from .upsampling import *
from .upsampling import __all__ as _upsampling

__all__ = ['Module', 'Container', 'ModuleDict', 'ModuleList', 'ParameterDict', 'ParameterList', 'Sequential',
           *_activation, *_adaptive, *_batchnorm, *_channelshuffle, *_conv, *_distance, *_dropout, *_flatten, *_fold,
           *_instancenorm, *_linear, *_loss, *_normalization, *_padding, *_pixelshuffle, *_pooling, *_rnn, *_sparse,
           *_transformer, *_upsampling]
