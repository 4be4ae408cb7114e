"""Multi-head attention in the operators that it is made of."""
import math
import warnings
from typing import List, Optional, Tuple

from ..._package import torch
from .. import _operators as _nn
from .activation import dropout, softmax
from .public import public

Tensor = torch.Tensor

linear = _nn.linear
pad = _nn.pad
_scaled_dot_product_attention = _nn._scaled_dot_product_attention


def _check_padding_mask(mask: Optional[Tensor]) -> None:
    """A padding mask hides by True or adds to the scores; numbers of other kinds mean neither."""
    if mask is None or mask.dtype == torch.bool:
        return
    if not mask.is_floating_point():
        raise AssertionError(f"key_padding_mask holds {mask.dtype}; convert it to bool or to a floating type")


def _mha_shape_check(
    query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Optional[Tensor], attn_mask: Optional[Tensor],
    num_heads: int
) -> bool:
    """Whether the query has a batch; the others must fit it."""
    rank = query.dim()
    if rank != 2 and rank != 3:
        raise AssertionError(f"query is {rank}-D; give (L, N, E) with a batch or (L, E) without")
    assert key.dim() == rank and value.dim() == rank, \
        f"query is {rank}-D, but key is {key.dim()}-D and value {value.dim()}-D; give all three alike"
    if key_padding_mask is not None:
        assert key_padding_mask.dim() == rank - 1, \
            f"with a {rank}-D query, key_padding_mask has to be {rank - 1}-D, not {key_padding_mask.dim()}-D"
    if attn_mask is not None:
        assert attn_mask.dim() == 2 or attn_mask.dim() == 3, \
            f"attn_mask is {attn_mask.dim()}-D; give (L, S), or a third dimension in front for the heads"
        if rank == 2 and attn_mask.dim() == 3:
            wanted = (num_heads, query.shape[0], key.shape[0])
            assert attn_mask.shape == wanted, f"attn_mask of heads is {attn_mask.shape}, not {wanted}"
    return rank == 3


def _thirds(b: Optional[Tensor]) -> Tuple[Optional[Tensor], Optional[Tensor], Optional[Tensor]]:
    """The biases of query, key and value that lie behind each other in one."""
    if b is None:
        return None, None, None
    of_query, of_key, of_value = b.chunk(3)
    return of_query, of_key, of_value


def _in_projection_packed(
    q: Tensor, k: Tensor, v: Tensor, w: Tensor, b: Optional[Tensor] = None
) -> List[Tensor]:
    """Query, key and value by one stacked weight, in as few products as their identity allows."""
    E = q.size(-1)
    if k is v and q is k:
        return linear(q, w, b).chunk(3, dim=-1)
    if k is v:
        w_q, w_kv = w.split([E, E * 2])
        if b is None:
            queries = linear(q, w_q)
            keys, values = linear(k, w_kv).chunk(2, dim=-1)
        else:
            b_q, b_kv = b.split([E, E * 2])
            queries = linear(q, w_q, b_q)
            keys, values = linear(k, w_kv, b_kv).chunk(2, dim=-1)
        return queries, keys, values
    w_q, w_k, w_v = w.chunk(3)
    b_q, b_k, b_v = _thirds(b)
    queries, keys = linear(q, w_q, b_q), linear(k, w_k, b_k)
    return queries, keys, linear(v, w_v, b_v)


def _check_weight(of: str, weight: Tensor, rows: int, columns: int) -> None:
    assert weight.shape == (rows, columns), \
        f"the weight for the {of} is {weight.shape}; the inputs' last dimensions need {(rows, columns)}"


def _check_bias(of: str, bias: Optional[Tensor], rows: int) -> None:
    if bias is not None:
        assert bias.shape == (rows,), f"the bias for the {of} is {bias.shape}; the query needs {(rows,)}"


def _in_projection(
    q: Tensor, k: Tensor, v: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, b_q: Optional[Tensor] = None,
    b_k: Optional[Tensor] = None, b_v: Optional[Tensor] = None
) -> Tuple[Tensor, Tensor, Tensor]:
    """Query, key and value by a weight each."""
    width, k_width, v_width = q.size(-1), k.size(-1), v.size(-1)
    _check_weight("query", w_q, width, width)
    _check_weight("key", w_k, width, k_width)
    _check_weight("value", w_v, width, v_width)
    _check_bias("query", b_q, width)
    _check_bias("key", b_k, width)
    _check_bias("value", b_v, width)
    queries = linear(q, w_q, b_q)
    keys = linear(k, w_k, b_k)
    return queries, keys, linear(v, w_v, b_v)


def _attention_mask(attn_mask: Tensor, tgt_len: int, src_len: int, bsz: int, num_heads: int) -> Tensor:
    """The mask of bool or floating point numbers with a dimension for batch times heads."""
    if attn_mask.dtype == torch.uint8:
        warnings.warn("attn_mask is uint8, which is deprecated; convert it to bool")
        attn_mask = attn_mask.to(torch.bool)
    elif attn_mask.dtype != torch.bool:
        assert attn_mask.is_floating_point(), \
            f"attn_mask holds {attn_mask.dtype}; convert it to bool or to a floating type"
    rank = attn_mask.dim()
    if rank == 3:
        of_all_heads = (bsz * num_heads, tgt_len, src_len)
        if attn_mask.shape != of_all_heads:
            raise RuntimeError(f"attn_mask is {attn_mask.shape}; for the heads of all samples it has to be "
                               f"{of_all_heads}")
        return attn_mask
    if rank != 2:
        raise RuntimeError(f"attn_mask is {rank}-D; give it 2 or 3 dimensions")
    if attn_mask.shape != (tgt_len, src_len):
        raise RuntimeError(f"attn_mask is {attn_mask.shape}; these lengths need {(tgt_len, src_len)}")
    return attn_mask.unsqueeze(0)


def _widened(mask: Optional[Tensor]) -> Optional[Tensor]:
    """The mask for one more key, which it does not hide."""
    if mask is None:
        return None
    return pad(mask, (0, 1))


def _fits_heads(name: str, given: Tensor, rows: int, head_dim: int) -> Tensor:
    """The keys or values that the caller brings by head."""
    assert given.size(0) == rows and given.size(2) == head_dim, \
        f"{name} is {given.shape}; it has to be ({rows}, S, {head_dim})"
    return given


def _padding_per_head(key_padding_mask: Tensor, bsz: int, num_heads: int, src_len: int) -> Tensor:
    """The padding mask as one that an attention mask can be joined with."""
    assert key_padding_mask.shape == (bsz, src_len), \
        f"key_padding_mask is {key_padding_mask.shape}; batch and keys need {(bsz, src_len)}"
    return key_padding_mask.view(bsz, 1, 1, src_len).expand(-1, num_heads, -1, -1).reshape(
        bsz * num_heads, 1, src_len)


def _joined(attn_mask: Optional[Tensor], key_padding_mask: Tensor) -> Tensor:
    """The attention mask that also hides what the padding mask hides."""
    if attn_mask is None:
        return key_padding_mask
    if attn_mask.dtype == torch.bool:
        return attn_mask.logical_or(key_padding_mask)
    return attn_mask.masked_fill(key_padding_mask, float("-inf"))


def _attention_weights(q: Tensor, k: Tensor, attn_mask: Optional[Tensor]) -> Tensor:
    """softmax(q k^T / sqrt(E) + mask)"""
    _, _, width = q.shape
    q_scaled = q / math.sqrt(width)
    if attn_mask is None:
        return softmax(torch.bmm(q_scaled, k.transpose(-2, -1)), dim=-1)
    return softmax(torch.baddbmm(attn_mask, q_scaled, k.transpose(-2, -1)), dim=-1)


@public
def multi_head_attention_forward(
    query: Tensor, key: Tensor, value: Tensor, embed_dim_to_check: int, num_heads: int,
    in_proj_weight: Optional[Tensor], in_proj_bias: Optional[Tensor], bias_k: Optional[Tensor],
    bias_v: Optional[Tensor], add_zero_attn: bool, dropout_p: float, out_proj_weight: Tensor,
    out_proj_bias: Optional[Tensor], training: bool = True, key_padding_mask: Optional[Tensor] = None,
    need_weights: bool = True, attn_mask: Optional[Tensor] = None, use_separate_proj_weight: bool = False,
    q_proj_weight: Optional[Tensor] = None, k_proj_weight: Optional[Tensor] = None,
    v_proj_weight: Optional[Tensor] = None, static_k: Optional[Tensor] = None, static_v: Optional[Tensor] = None,
    average_attn_weights: bool = True
) -> Tuple[Tensor, Optional[Tensor]]:
    is_batched = _mha_shape_check(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not is_batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)

    tgt_len, bsz, embed_dim = query.shape
    src_len, _, _ = key.shape
    _check_padding_mask(key_padding_mask)
    assert embed_dim == embed_dim_to_check, \
        f"query's last dimension is {embed_dim}, where the module has embed_dim {embed_dim_to_check}"
    if isinstance(embed_dim, torch.Tensor):  # a size is one while a trace is recorded
        head_dim = embed_dim.div(num_heads, rounding_mode='trunc')
    else:
        head_dim = embed_dim // num_heads
    assert head_dim * num_heads == embed_dim, f"{num_heads} heads cannot share embed_dim {embed_dim} evenly"

    if use_separate_proj_weight:
        assert key.shape[:2] == value.shape[:2], \
            f"key {key.shape} and value {value.shape} have to agree in length and batch"
        assert q_proj_weight is not None and k_proj_weight is not None and v_proj_weight is not None, \
            "use_separate_proj_weight needs q_proj_weight, k_proj_weight and v_proj_weight"
        b_q, b_k, b_v = _thirds(in_proj_bias)
        q, k, v = _in_projection(query, key, value, q_proj_weight, k_proj_weight, v_proj_weight, b_q, b_k, b_v)
    else:
        assert key.shape == value.shape, f"key is {key.shape}, value {value.shape}; give both one shape"
        assert in_proj_weight is not None, "pass in_proj_weight, or three separate weights"
        q, k, v = _in_projection_packed(query, key, value, in_proj_weight, in_proj_bias)
    if attn_mask is not None:
        attn_mask = _attention_mask(attn_mask, tgt_len, src_len, bsz, num_heads)

    # One more key and value, learned or zero, also widens the masks.
    if bias_k is not None and bias_v is not None:
        assert static_k is None and static_v is None, \
            "bias_k and bias_v join projected keys and values; leave out static_k and static_v"
        k = torch.cat([k, bias_k.repeat(1, bsz, 1)])
        v = torch.cat([v, bias_v.repeat(1, bsz, 1)])
        attn_mask, key_padding_mask = _widened(attn_mask), _widened(key_padding_mask)
    else:
        assert bias_k is None and bias_v is None, "pass both of bias_k and bias_v, or neither"

    q = q.contiguous().view(tgt_len, bsz * num_heads, head_dim).transpose(0, 1)
    if static_k is not None:
        k = _fits_heads("static_k", static_k, bsz * num_heads, head_dim)
    else:
        k = k.contiguous().view(k.shape[0], bsz * num_heads, head_dim).transpose(0, 1)
    if static_v is not None:
        v = _fits_heads("static_v", static_v, bsz * num_heads, head_dim)
    else:
        v = v.contiguous().view(v.shape[0], bsz * num_heads, head_dim).transpose(0, 1)
    if add_zero_attn:
        one_each = (bsz * num_heads, 1, head_dim)
        k = torch.cat([k, torch.zeros(one_each, dtype=k.dtype, device=k.device)], dim=1)
        v = torch.cat([v, torch.zeros(one_each, dtype=v.dtype, device=v.device)], dim=1)
        attn_mask, key_padding_mask = _widened(attn_mask), _widened(key_padding_mask)

    src_len = k.size(1)
    if key_padding_mask is not None:
        key_padding_mask = _padding_per_head(key_padding_mask, bsz, num_heads, src_len)
        attn_mask = _joined(attn_mask, key_padding_mask)
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        new_attn_mask = torch.zeros_like(attn_mask, dtype=q.dtype)
        new_attn_mask.masked_fill_(attn_mask, float("-inf"))
        attn_mask = new_attn_mask
    attn_output_weights = _attention_weights(q, k, attn_mask)
    if training and dropout_p > 0.0:
        attn_output_weights = dropout(attn_output_weights, p=dropout_p)

    # The names of locals are in what a trace prints.
    attn_output = torch.bmm(attn_output_weights, v)
    attn_output = attn_output.transpose(0, 1).contiguous().view(tgt_len * bsz, embed_dim)
    attn_output = linear(attn_output, out_proj_weight, out_proj_bias)
    attn_output = attn_output.view(tgt_len, bsz, attn_output.size(1))
    if not need_weights:
        return (attn_output if is_batched else attn_output.squeeze(1)), None
    attn_output_weights = attn_output_weights.view(bsz, num_heads, tgt_len, src_len)
    if average_attn_weights:
        attn_output_weights = attn_output_weights.sum(dim=1) / num_heads
    if is_batched:
        return attn_output, attn_output_weights
    return attn_output.squeeze(1), attn_output_weights.squeeze(0)
