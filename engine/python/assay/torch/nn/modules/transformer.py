"""The Transformer and its layers."""
import copy
from typing import Callable, Optional

from ..._package import torch
from .. import _operators as _nn
from .. import functional as F
from .. import init
from .._functional.attention import _check_padding_mask
from .activation import GELU, MultiheadAttention, ReLU
from .container import ModuleList
from .dropout import Dropout
from .linear import Linear
from .module import Module
from .normalization import LayerNorm

Tensor = torch.Tensor

__all__ = ['Transformer', 'TransformerEncoder', 'TransformerDecoder', 'TransformerEncoderLayer',
           'TransformerDecoderLayer']


def _get_clones(module, N):
    return ModuleList([copy.deepcopy(module) for _ in range(N)])


def _get_activation_fn(activation: str) -> Callable[[Tensor], Tensor]:
    named = {'relu': F.relu, 'gelu': F.gelu}
    if activation not in named:
        raise RuntimeError(f"no activation {activation!r}: name 'relu' or 'gelu', or pass a function")
    return named[activation]


def _add_parts(layer, attentions, d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps,
               batch_first, norm_first, placed):
    """Gives a layer its attentions, its feed-forward part, and a norm and dropout for each of these."""
    for name in attentions:
        setattr(layer, name, MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, **placed))
    layer.linear1 = Linear(d_model, dim_feedforward, **placed)
    layer.dropout = Dropout(dropout)
    layer.linear2 = Linear(dim_feedforward, d_model, **placed)
    layer.norm_first = norm_first
    shortcuts = range(1, len(attentions) + 2)
    for number in shortcuts:
        setattr(layer, f'norm{number}', LayerNorm(d_model, layer_norm_eps, **placed))
    for number in shortcuts:
        setattr(layer, f'dropout{number}', Dropout(dropout))
    layer.activation = _get_activation_fn(activation) if isinstance(activation, str) else activation


class Transformer(Module):
    """An encoder and a decoder."""

    def __init__(self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048,
                 dropout=0.1, activation=F.relu, custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-5,
                 batch_first=False, norm_first=False, device=None, dtype=None):
        super().__init__()
        sizes = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first,
                 device, dtype)
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            layer = TransformerEncoderLayer(*sizes)
            norm = LayerNorm(d_model, eps=layer_norm_eps, device=device, dtype=dtype)
            self.encoder = TransformerEncoder(layer, num_encoder_layers, norm)
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            layer = TransformerDecoderLayer(*sizes)
            norm = LayerNorm(d_model, eps=layer_norm_eps, device=device, dtype=dtype)
            self.decoder = TransformerDecoder(layer, num_decoder_layers, norm)
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def forward(self, src: Tensor, tgt: Tensor, src_mask: Optional[Tensor] = None, tgt_mask: Optional[Tensor] = None,
                memory_mask: Optional[Tensor] = None, src_key_padding_mask: Optional[Tensor] = None,
                tgt_key_padding_mask: Optional[Tensor] = None,
                memory_key_padding_mask: Optional[Tensor] = None) -> Tensor:
        samples = 0 if self.batch_first else 1
        if src.size(samples) != tgt.size(samples) and src.dim() == 3:
            raise RuntimeError(f"src {src.shape}, tgt {tgt.shape}: they differ in the batch, dimension {samples}")
        if not (src.size(-1) == self.d_model and tgt.size(-1) == self.d_model):
            raise RuntimeError(f"src {src.shape} and tgt {tgt.shape} need d_model, {self.d_model}, features")
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return self.decoder(
            tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask, memory_key_padding_mask=memory_key_padding_mask)

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device='cpu') -> Tensor:
        """Hides from each place what comes after it."""
        return torch.full((sz, sz), float('-inf'), device=device).triu(1)

    def _reset_parameters(self):
        for parameter in self.parameters():
            if parameter.dim() > 1:
                init.xavier_uniform_(parameter)


class TransformerEncoder(Module):
    """Layers one after the other, and a normalization behind the last."""

    __constants__ = ['norm']

    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = _get_clones(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = enable_nested_tensor
        self.mask_check = mask_check

    def _drops_padding(self, src: Tensor, mask: Optional[Tensor], src_key_padding_mask: Optional[Tensor]) -> bool:
        """Whether PyTorch would take the padding out of the sequences, so that none is in the output."""
        first_layer = self.layers[0]
        if not isinstance(first_layer, TransformerEncoderLayer):
            return False
        if first_layer.norm_first or first_layer.training or not first_layer.self_attn.batch_first:
            return False
        if not first_layer.self_attn._qkv_same_embed_dim or not first_layer.activation_relu_or_gelu:
            return False
        if first_layer.norm1.eps != first_layer.norm2.eps or src.dim() != 3 or not self.enable_nested_tensor:
            return False
        if src_key_padding_mask is None or mask is not None or first_layer.self_attn.num_heads % 2 == 1:
            return False
        if self.mask_check:
            hidden = src_key_padding_mask != 0
            if not bool((hidden[:, 1:] | ~hidden[:, :-1]).all()):
                return False  # some padding is not at the end
        if torch.is_autocast_enabled():
            return False
        return first_layer._may_be_fused(src)

    def forward(self, src: Tensor, mask: Optional[Tensor] = None,
                src_key_padding_mask: Optional[Tensor] = None) -> Tensor:
        _check_padding_mask(src_key_padding_mask)
        # A recorded or compiled program keeps the shape that every input has: padding stays.
        drops_padding = False
        if not torch.jit.is_scripting() and not torch.jit.is_tracing():
            drops_padding = self._drops_padding(src, mask, src_key_padding_mask)

        output = src
        for mod in self.layers:
            output = mod(output, src_mask=mask, src_key_padding_mask=src_key_padding_mask)
        if drops_padding:
            assert src_key_padding_mask is not None
            hidden = src_key_padding_mask != 0
            longest = int((~hidden).sum(1).max())
            output = output.masked_fill(hidden.unsqueeze(-1), 0.)[:, :longest]
        if self.norm is not None:
            output = self.norm(output)
        return output


class TransformerDecoder(Module):
    """Layers one after the other, and a normalization behind the last."""

    __constants__ = ['norm']

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = _get_clones(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(self, tgt: Tensor, memory: Tensor, tgt_mask: Optional[Tensor] = None,
                memory_mask: Optional[Tensor] = None, tgt_key_padding_mask: Optional[Tensor] = None,
                memory_key_padding_mask: Optional[Tensor] = None) -> Tensor:
        output = tgt
        for mod in self.layers:
            output = mod(output, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
                         tgt_key_padding_mask=tgt_key_padding_mask, memory_key_padding_mask=memory_key_padding_mask)
        if self.norm is not None:
            output = self.norm(output)
        return output


class TransformerEncoderLayer(Module):
    """Self-attention and a feed-forward part, each beside a shortcut and with a normalization."""

    __constants__ = ['batch_first', 'norm_first']

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5,
                 batch_first=False, norm_first=False, device=None, dtype=None):
        super().__init__()
        _add_parts(self, ('self_attn',), d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps,
                   batch_first, norm_first, {'device': device, 'dtype': dtype})
        chosen = self.activation
        self.activation_relu_or_gelu = 0  # the fused operator's number of it
        for number, (function, module) in enumerate(((F.relu, ReLU), (F.gelu, GELU)), 1):
            if chosen is function or isinstance(chosen, module):
                self.activation_relu_or_gelu = number

    def __setstate__(self, state):
        super().__setstate__(state)
        if not hasattr(self, 'activation'):
            self.activation = F.relu

    def _may_be_fused(self, src: Tensor) -> bool:
        """Whether the tensors allow one operator for the layer: they are plain, and no gradient is wanted."""
        tensors = (src, self.self_attn.in_proj_weight, self.self_attn.in_proj_bias, self.self_attn.out_proj.weight,
                   self.self_attn.out_proj.bias, self.norm1.weight, self.norm1.bias, self.norm2.weight,
                   self.norm2.bias, self.linear1.weight, self.linear1.bias, self.linear2.weight, self.linear2.bias)
        if torch.overrides.has_torch_function(tensors):
            return False
        return not (torch.is_grad_enabled() and any([x.requires_grad for x in tensors]))

    def _takes_fast_path(self, src: Tensor, src_mask: Optional[Tensor],
                         src_key_padding_mask: Optional[Tensor]) -> bool:
        if src.dim() != 3 or self.training or not self.self_attn.batch_first:
            return False
        if not self.self_attn._qkv_same_embed_dim or not self.activation_relu_or_gelu:
            return False
        if self.norm1.eps != self.norm2.eps or src_mask is not None:
            return False
        if src.is_nested and src_key_padding_mask is not None:
            return False
        if self.self_attn.num_heads % 2 == 1 or torch.is_autocast_enabled():
            return False
        return self._may_be_fused(src)

    def forward(self, src: Tensor, src_mask: Optional[Tensor] = None,
                src_key_padding_mask: Optional[Tensor] = None) -> Tensor:
        _check_padding_mask(src_key_padding_mask)
        if self._takes_fast_path(src, src_mask, src_key_padding_mask):
            return _nn._transformer_encoder_layer_fwd(
                src, self.self_attn.embed_dim, self.self_attn.num_heads, self.self_attn.in_proj_weight,
                self.self_attn.in_proj_bias, self.self_attn.out_proj.weight, self.self_attn.out_proj.bias,
                self.activation_relu_or_gelu == 2, self.norm_first, self.norm1.eps, self.norm1.weight,
                self.norm1.bias, self.norm2.weight, self.norm2.bias, self.linear1.weight, self.linear1.bias,
                self.linear2.weight, self.linear2.bias,
                src_key_padding_mask, None if src_key_padding_mask is None else 1)

        if self.norm_first:
            x = src + self._sa_block(self.norm1(src), src_mask, src_key_padding_mask)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(src + self._sa_block(src, src_mask, src_key_padding_mask))
        return self.norm2(x + self._ff_block(x))

    def _sa_block(self, x: Tensor, attn_mask: Optional[Tensor], key_padding_mask: Optional[Tensor]) -> Tensor:
        x, _ = self.self_attn(
            x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False)
        return self.dropout1(x)

    def _ff_block(self, x: Tensor) -> Tensor:
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerDecoderLayer(Module):
    """Self-attention, attention to the encoder's memory, and a feed-forward part."""

    __constants__ = ['batch_first', 'norm_first']

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5,
                 batch_first=False, norm_first=False, device=None, dtype=None):
        super().__init__()
        _add_parts(self, ('self_attn', 'multihead_attn'), d_model, nhead, dim_feedforward, dropout,
                   activation, layer_norm_eps, batch_first, norm_first, {'device': device, 'dtype': dtype})

    def __setstate__(self, state):
        state.setdefault('activation', F.relu)
        super().__setstate__(state)

    def forward(self, tgt: Tensor, memory: Tensor, tgt_mask: Optional[Tensor] = None,
                memory_mask: Optional[Tensor] = None, tgt_key_padding_mask: Optional[Tensor] = None,
                memory_key_padding_mask: Optional[Tensor] = None) -> Tensor:
        if self.norm_first:
            x = tgt + self._sa_block(self.norm1(tgt), tgt_mask, tgt_key_padding_mask)
            x = x + self._mha_block(self.norm2(x), memory, memory_mask, memory_key_padding_mask)
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(tgt + self._sa_block(tgt, tgt_mask, tgt_key_padding_mask))
        x = self.norm2(x + self._mha_block(x, memory, memory_mask, memory_key_padding_mask))
        return self.norm3(x + self._ff_block(x))

    def _sa_block(self, x: Tensor, attn_mask: Optional[Tensor], key_padding_mask: Optional[Tensor]) -> Tensor:
        x, _ = self.self_attn(
            x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False)
        return self.dropout1(x)

    def _mha_block(self, x: Tensor, mem: Tensor, attn_mask: Optional[Tensor],
                   key_padding_mask: Optional[Tensor]) -> Tensor:
        x, _ = self.multihead_attn(
            x, mem, mem, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False)
        return self.dropout2(x)

    def _ff_block(self, x: Tensor) -> Tensor:
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))
