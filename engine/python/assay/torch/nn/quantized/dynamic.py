"""torch.nn.quantized.dynamic, whose names packages import."""

from ..._absent import names

__getattr__ = names(__name__, "GRU GRUCell LSTM LSTMCell Linear RNNCell",
                    "assay runs models in floating point")
